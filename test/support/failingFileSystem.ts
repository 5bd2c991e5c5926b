import { type FileSystem, nodeFileSystem } from '../../src/core/storage/fileSystem';

export type FileOperation = keyof FileSystem;

export interface Failure {
  readonly operation: FileOperation;
  /** The call that fails, counted from 1. */
  readonly call: number;
  /** Whether every later call fails too. */
  readonly forGood?: boolean;
  /** Code of the error, as `ENOSPC`. */
  readonly code: string;
  /** Only calls whose first argument contains this are counted. */
  readonly on?: string;
}

/** Node's `fs` of which one call fails as the operating system would; `calls` counts what was asked of it. */
export class FailingFileSystem {
  readonly calls = new Map<FileOperation, number>();
  private counted = 0;

  constructor(private readonly failure?: Failure) {}

  /** True once the chosen call was made. */
  get failed(): boolean {
    return this.failure !== undefined && this.counted >= this.failure.call;
  }

  get fileSystem(): FileSystem {
    return {
      ...nodeFileSystem,
      ...Object.fromEntries(
        (Object.keys(OPERATIONS) as FileOperation[]).map(operation => [operation, this.watched(operation)]),
      ),
    };
  }

  private watched(operation: FileOperation): (...parameters: unknown[]) => unknown {
    const original = nodeFileSystem[operation] as (...parameters: unknown[]) => unknown;
    return (...parameters) => {
      this.calls.set(operation, (this.calls.get(operation) ?? 0) + 1);
      this.failIfChosen(operation, parameters[0]);
      return original(...parameters);
    };
  }

  private failIfChosen(operation: FileOperation, target: unknown): void {
    const { failure } = this;
    if (failure?.operation !== operation || !String(target).includes(failure.on ?? '')) return;
    this.counted += 1;
    if (this.counted !== failure.call && !(failure.forGood && this.counted > failure.call)) return;
    const text = `${failure.code}: made to fail, ${operation} '${String(target)}'`;
    throw Object.assign(new Error(text), { code: failure.code });
  }
}

const OPERATIONS = {
  closeSync: true,
  fstatSync: true,
  linkSync: true,
  lstatSync: true,
  mkdirSync: true,
  openSync: true,
  readFileSync: true,
  readdirSync: true,
  renameSync: true,
  unlinkSync: true,
  writeFileSync: true,
} as const satisfies Record<FileOperation, true>;
