import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock';
import { codeOf, LeaseError } from '../leaseError';
import type { FileSystem } from '../storage/fileSystem';
import { parseRecord, readText } from '../storage/recordFile';
import { type LeaseRecord, leaseSchema } from './leaseRecord';
import { type ObservedExpiry, observeExpiry } from './observedExpiry';
import { parseResource, type Resource } from './resource';

/** A lease file as it was last read. The same object as long as the file's content is the same. */
export interface LeaseFile {
  readonly kind: 'lease';
  readonly file: string;
  readonly text: string;
  readonly record: LeaseRecord;
  readonly resource: Resource;
  readonly expiry: ObservedExpiry;
}

/** A file that may stand for a holder but does not say which. */
export interface UnreadableFile {
  readonly kind: 'unreadable';
  readonly file: string;
  readonly reason: string;
}

export type LeaseEntry = LeaseFile | UnreadableFile;

interface Dependencies {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
}

/** How long files are read before other work of the process gets a turn, milliseconds. */
const SLICE_MS = 4;

/**
 * What lies in one `leases/active`, kept by file name. It never writes and never deletes. What a lease claims cannot
 * change after it is written (only its times do), so a name that is known needs no reading to be ruled out.
 */
export class LeaseDirectory {
  private entriesByName = new Map<string, LeaseEntry>();

  constructor(
    readonly path: string,
    private readonly dependencies: Dependencies,
  ) {}

  get entries(): Iterable<LeaseEntry> {
    return this.entriesByName.values();
  }

  /**
   * Lists the directory and reads the files that are new or named in `changed`. Takes turns with other work, so the
   * result is what each file held at some moment during the call. Throws LEASE_UNREADABLE when it cannot be listed.
   */
  async readAgain(changed: ReadonlySet<string> | 'all'): Promise<void> {
    let sliceStart = this.dependencies.clock.monotonic();
    for (const name of this.keepListed()) {
      const known = this.entriesByName.get(name);
      if (known && changed !== 'all' && !changed.has(name)) continue;
      this.readFile(name);
      if (this.dependencies.clock.monotonic() - sliceStart < SLICE_MS) continue;
      await setImmediate();
      sliceStart = this.dependencies.clock.monotonic();
    }
  }

  /** Under the repository lock: lists the directory now and reads every name that is new or was not readable. */
  readNew(): void {
    for (const name of this.keepListed()) {
      if (this.entriesByName.get(name)?.kind !== 'lease') this.readFile(name);
    }
  }

  /** Reads one lease file now; undefined when it is gone. */
  readLease(leaseId: string): LeaseEntry | undefined {
    return this.readFile(`${leaseId}.json`);
  }

  fileOf(leaseId: string): string {
    return join(this.path, `${leaseId}.json`);
  }

  /** Forgets what is gone and returns the names that are there. */
  private keepListed(): string[] {
    const names = this.list();
    const listed = new Set(names);
    for (const name of this.entriesByName.keys()) if (!listed.has(name)) this.entriesByName.delete(name);
    return names;
  }

  private list(): string[] {
    try {
      return this.dependencies.fileSystem.readdirSync(this.path).filter(name => name.endsWith('.json'));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT') return [];
      throw new LeaseError('LEASE_UNREADABLE', `${this.path} cannot be listed (${code}).`, { cause: error });
    }
  }

  private readFile(name: string): LeaseEntry | undefined {
    const file = join(this.path, name);
    const read = readText(this.dependencies.fileSystem, file);
    if (read.kind === 'absent') {
      this.entriesByName.delete(name);
      return undefined;
    }
    const known = this.entriesByName.get(name);
    if (read.kind === 'text' && known?.kind === 'lease' && known.text === read.text) return known;
    const entry = read.kind === 'text' ? this.parse(file, name, read.text) : unreadable(file, read.reason);
    if (known?.kind === 'unreadable' && entry.kind === 'unreadable' && known.reason === entry.reason) return known;
    this.entriesByName.set(name, entry);
    return entry;
  }

  private parse(file: string, name: string, text: string): LeaseEntry {
    const parsed = parseRecord(text, leaseSchema);
    if (parsed.kind !== 'record') return unreadable(file, parsed.kind === 'unreadable' ? parsed.reason : 'it is gone');
    const { record } = parsed;
    // The only check that keeps an id inside its directory: it must be a name there, and this file's.
    if (basename(name) !== name || `${record.leaseId}.json` !== name)
      return unreadable(file, 'its leaseId names another file');
    const resource = parseResource(record.resourceKey);
    return {
      kind: 'lease',
      file,
      text,
      record,
      resource,
      expiry: observeExpiry(record.expiresAt, this.dependencies.clock),
    };
  }
}

function unreadable(file: string, reason: string): UnreadableFile {
  return { kind: 'unreadable', file, reason };
}
