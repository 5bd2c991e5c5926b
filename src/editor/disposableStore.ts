/** Owns what must be disposed; disposes in the reverse order, and at once what comes after the end. */
export class DisposableStore {
  private readonly items: { dispose(): unknown }[] = [];
  private disposed = false;

  add<T extends { dispose(): unknown }>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  dispose(): void {
    this.disposed = true;
    for (const item of this.items.splice(0).reverse()) item.dispose();
  }
}
