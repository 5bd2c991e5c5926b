/** Those who want to be told of something, in the order in which they asked. One that throws keeps nobody from it. */
export class Listeners<T> {
  private readonly callbacks = new Set<(value: T) => void>();

  constructor(private readonly onError: (error: unknown) => void) {}

  add(callback: (value: T) => void): { dispose(): void } {
    this.callbacks.add(callback);
    return { dispose: () => void this.callbacks.delete(callback) };
  }

  tell(value: T): void {
    for (const callback of [...this.callbacks]) {
      try {
        callback(value);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  clear(): void {
    this.callbacks.clear();
  }
}
