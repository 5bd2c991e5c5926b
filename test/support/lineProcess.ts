import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

interface Answer {
  readonly id?: number;
  readonly event?: string;
  readonly result?: unknown;
  readonly error?: string;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  readonly onEvent?: ((event: Answer) => void) | undefined;
}

/** A child process that is asked in JSON lines: our own store or the peer's, driven by tests. */
export class LineProcess {
  private nextId = 1;
  private readonly waiting = new Map<number, Waiting>();
  private errors = '';
  private over: Error | undefined;

  private constructor(
    private readonly child: ChildProcess,
    readonly ended: Promise<void>,
  ) {}

  /** Starts `node FILE ARGS` and resolves when it says that it is ready. */
  static async start(file: string, ...args: string[]): Promise<LineProcess> {
    // The variable makes a desktop editor's own executable behave as Node; Node itself does not know it.
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'pipe'], env });
    const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
    const process_ = new LineProcess(child, ended);
    await process_.listen();
    return process_;
  }

  get processId(): number {
    return this.child.pid ?? 0;
  }

  /** Rejects with what the operation throws, or when the process ends first. */
  ask<T>(op: string, input: unknown, onEvent?: (event: Answer) => void): Promise<T> {
    const id = this.nextId++;
    if (this.over) return Promise.reject(this.over);
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: result => resolve(result as T), reject, onEvent });
      this.child.stdin?.write(`${JSON.stringify({ id, op, input })}\n`);
    });
  }

  /** Starts an operation and resolves once it tells of `event`; `done` is its end. */
  async askUntil<T>(op: string, input: unknown, event: string): Promise<{ done: Promise<T> }> {
    return await new Promise((resolve, reject) => {
      const done = this.ask<T>(op, input, told => told.event === event && resolve({ done }));
      done.then(() => reject(new Error(`${op} ended without ${event}`)), reject);
    });
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.child.kill(signal);
  }

  /** Lets it come to its end by itself. */
  async close(): Promise<void> {
    this.child.stdin?.end();
    await this.ended;
  }

  private listen(): Promise<void> {
    const { stdin, stdout, stderr } = this.child;
    // A request that a killed process does not take any more is refused when its end is seen.
    stdin?.on('error', () => {});
    stderr?.on('data', chunk => (this.errors += chunk));
    return new Promise((resolve, reject) => {
      if (stdout) {
        createInterface({ input: stdout }).on('line', line => {
          const answer = JSON.parse(line) as Answer;
          if (answer.event === 'ready') resolve();
          else this.hear(answer);
        });
      }
      this.ended.then(() => {
        const error = new Error(`the process ended. ${this.errors}`);
        this.over = error;
        for (const { reject: refuse } of this.waiting.values()) refuse(error);
        this.waiting.clear();
        reject(error);
      }, reject);
    });
  }

  private hear(answer: Answer): void {
    const waiting = this.waiting.get(answer.id ?? 0);
    if (!waiting) return;
    if (answer.event !== undefined) {
      waiting.onEvent?.(answer);
      return;
    }
    this.waiting.delete(answer.id ?? 0);
    if (answer.error === undefined) waiting.resolve(answer.result);
    else waiting.reject(new Error(answer.error));
  }
}
