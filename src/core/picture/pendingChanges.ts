import type { HomeChange } from './homeWatcher';

/** What is to be read again in one repository. */
export interface RepositoryChanges {
  leases: Set<string> | 'all';
  lock: boolean;
}

/** Gathers changes until they are read; many events become one reading. */
export class PendingChanges {
  private everything = false;
  private byRepository = new Map<string, RepositoryChanges>();

  get isEmpty(): boolean {
    return !this.everything && this.byRepository.size === 0;
  }

  add(change: HomeChange): void {
    if (change.kind === 'everything') {
      this.everything = true;
      return;
    }
    const changes = this.byRepository.get(change.repoId) ?? { leases: new Set<string>(), lock: false };
    this.byRepository.set(change.repoId, changes);
    if (change.kind === 'lock') changes.lock = true;
    else if (change.kind === 'repository') Object.assign(changes, { leases: 'all', lock: true });
    else if (changes.leases !== 'all') changes.leases.add(change.name);
  }

  /** Hands over what was gathered and starts anew. */
  take(): { readonly everything: boolean; of(repoId: string): RepositoryChanges | undefined } {
    const { everything, byRepository } = this;
    this.everything = false;
    this.byRepository = new Map();
    return {
      everything,
      of: repoId => (everything ? { leases: 'all', lock: true } : byRepository.get(repoId)),
    };
  }
}
