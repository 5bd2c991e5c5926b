/** Those who want to be told of something, in the order in which they asked. */
export class Listeners<T> {
  private readonly callbacks = new Set<(value: T) => void>();

  add(callback: (value: T) => void): { dispose(): void } {
    this.callbacks.add(callback);
    return { dispose: () => void this.callbacks.delete(callback) };
  }

  tell(value: T): void {
    for (const callback of [...this.callbacks]) callback(value);
  }

  clear(): void {
    this.callbacks.clear();
  }
}
