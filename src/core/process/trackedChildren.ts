import type { Clock } from '../clock';
import type { ProcessProbe } from './liveness';
import { stopProcesses } from './stopProcesses';

interface Dependencies {
  readonly probe: ProcessProbe;
  readonly clock: Clock;
}

/** Processes that an operation started and that end with its lease. */
export class TrackedChildren {
  private readonly running = new Set<number>();
  private stopping: Promise<boolean> | undefined;

  constructor(private readonly dependencies: Dependencies) {}

  /** One that is named after the stop is stopped as well. */
  track(processId: number): void {
    this.running.add(processId);
    const before = this.stopping;
    if (before) this.stopping = this.stopOnes([processId]).then(async ended => (await before) && ended);
  }

  /** Ends all, once; true when some were named and all of them are proven to have ended. */
  async stop(): Promise<boolean> {
    this.stopping ??= this.stopOnes(this.running);
    return (await this.stopping) && this.running.size > 0;
  }

  private stopOnes(processIds: Iterable<number>): Promise<boolean> {
    return stopProcesses(processIds, this.dependencies.probe, this.dependencies.clock);
  }
}
