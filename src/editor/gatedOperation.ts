import { userInfo } from 'node:os';
import type { Clock } from '../core/clock';
import { ownControllerHome } from '../core/controller/controllerHome';
import type { RepositoryIdentity } from '../core/controller/repositoryIdentity';
import type { Ownership } from '../core/gate/mutationClaims';
import { type GateHelpers, type GateOutcome, withMutationGate } from '../core/gate/mutationGate';
import { refusalSentence } from '../core/gate/refusalSentence';
import { LeaseError } from '../core/leaseError';
import { LeaseStore } from '../core/leases/leaseStore';
import type { LivePicture } from '../core/picture/livePicture';
import type { ProcessProbe } from '../core/process/liveness';
import type { FileSystem } from '../core/storage/fileSystem';
import type { ActivityLog } from './activityLog';
import type { GateState, Refusal } from './gateState';
import { homeSurroundings } from './settings';

interface Dependencies {
  readonly clock: Clock;
  readonly fileSystem: FileSystem;
  readonly probe: ProcessProbe;
  readonly live: LivePicture;
  readonly gateState: GateState;
  readonly activity: ActivityLog;
  readonly version: string;
}

export interface GatedRequest {
  readonly repository: RepositoryIdentity;
  /** A lower-case noun: "commit". */
  readonly operation: string;
  readonly ownership: Ownership;
  readonly git: string;
  readonly signal: AbortSignal;
}

export type GatedOutcome<T> = Exclude<GateOutcome<T>, { kind: 'refused' }> | { kind: 'refused'; refusal: Refusal };

/** Runs operations of this window under the mutation gate and keeps what the views show of them. */
export class GatedOperation {
  constructor(private readonly dependencies: Dependencies) {}

  async run<T>(request: GatedRequest, operation: (helpers: GateHelpers) => Promise<T>): Promise<GatedOutcome<T>> {
    const { clock, fileSystem, probe, live, gateState, version } = this.dependencies;
    const { repository } = request;
    if (!repository.registered && live.registryProblem) {
      const { file, reason } = live.registryProblem;
      throw new LeaseError('REGISTRY_UNREADABLE', `${file}: ${reason}.`);
    }
    const { home } = live.current;
    const place = home.kind === 'absent' ? ownControllerHome(homeSurroundings()) : home.path;
    const environment = process.env;
    const processId = process.pid;
    const store = new LeaseStore(place, repository.repoId, { fileSystem, clock, environment, processId });
    let owner: string | undefined;
    try {
      const outcome = await withMutationGate(
        {
          store,
          checkoutId: repository.checkoutId,
          root: repository.checkout.root,
          operation: request.operation,
          ownership: request.ownership,
          ownerIdentity: {
            worktreeId: repository.worktreeId,
            principalId: `editor:${userName()}`,
            controllerInstanceId: `process:${processId}`,
            controllerGeneration: `leasehold-${version}`,
            ...(repository.checkout.branch ? { branch: repository.checkout.branch } : {}),
          },
          signal: request.signal,
        },
        { clock, git: request.git, probe, environment, processId },
        async helpers => {
          owner = helpers.getGate().owner;
          const { operation: name } = request;
          gateState.began({ owner, operation: name, repository: repository.displayName, since: clock.wall() });
          return await operation(helpers);
        },
      );
      return outcome.kind === 'refused'
        ? { kind: 'refused', refusal: await this.refuse(request, outcome.blockers) }
        : outcome;
    } finally {
      if (owner !== undefined) gateState.ended(owner);
      if (home.kind === 'absent') live.refresh().catch(() => undefined);
    }
  }

  /** Ties a refusal to its operation and repository, so that the next attempt replaces it. */
  static refusalId({ repository, operation }: GatedRequest): string {
    return `${operation}:${repository.repoId}:${repository.checkoutId}`;
  }

  private async refuse(request: GatedRequest, blockers: Refusal['blockers']): Promise<Refusal> {
    const { clock, live, gateState, activity } = this.dependencies;
    const { operation, repository } = request;
    const at = clock.wall();
    const sentence = refusalSentence(capitalised(operation), blockers, at);
    const { repoId, displayName } = repository;
    const refusal = {
      id: GatedOperation.refusalId(request),
      operation,
      repoId,
      repository: displayName,
      blockers,
      sentence,
      at,
    };
    // The blocker may be newer than the picture, which decides when a refusal is over.
    await live.refresh();
    gateState.wasRefused(refusal);
    gateState.forgetUnblocked(live.current);
    activity.add([{ at, kind: 'refused', text: sentence.replace(/\.$/, ''), repository: displayName }]);
    return refusal;
  }
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
