import { findGitCheckout, type GitCheckout } from '../controller/gitCheckout';
import { type RegisteredRepository, type RegistryRead, readRegistry } from '../controller/registry';
import { identifyRepository, type RepositoryIdentity } from '../controller/repositoryIdentity';
import type { FileSystem } from '../storage/fileSystem';
import type { CheckoutPicture, Problem } from './leasePicture';
import type { RepositorySubject } from './repositoryReader';

interface Dependencies {
  readonly fileSystem: FileSystem;
  readonly realPath: (file: string) => string;
}

/** The repositories that open folders lie in, as one home knows them. */
export interface OpenRepositories {
  /** One for each checkout. */
  readonly identities: readonly RepositoryIdentity[];
  /** By repository id. */
  readonly subjects: ReadonlyMap<string, RepositorySubject>;
  /** The last registered repositories that could be read; they stand while the registry cannot be. */
  readonly registered: readonly RegisteredRepository[];
  /** Why it cannot be told for certain that an unregistered repository is one. */
  readonly registryProblem?: Problem;
}

export function findOpenRepositories(
  home: string,
  folders: readonly string[],
  lastRegistered: readonly RegisteredRepository[],
  dependencies: Dependencies,
): OpenRepositories {
  const registry = readRegistry(dependencies.fileSystem, home);
  const registered =
    registry.kind === 'read' ? registry.repositories : registry.kind === 'absent' ? [] : lastRegistered;
  const checkouts = new Map<string, GitCheckout>();
  for (const folder of folders) {
    const checkout = findGitCheckout(folder, dependencies);
    if (checkout) checkouts.set(checkout.root, checkout);
  }
  const identities = [...checkouts.values()].map(checkout => identifyRepository(checkout, registered, dependencies));
  const subjects = new Map<string, RepositorySubject>();
  // Of a registered checkout and an unregistered clone of the same repository, the registered one gives the name.
  const known = (identity: RepositoryIdentity) => Number(identity.registered);
  for (const { repoId, displayName, registered: isKnown } of [...identities].sort((a, b) => known(a) - known(b))) {
    const open = identities.filter(identity => identity.repoId === repoId).map(openCheckout);
    const others = registered.find(repository => repository.repoId === repoId)?.checkouts ?? [];
    const closed = others
      .filter(other => !open.some(({ checkoutId }) => checkoutId === other.checkoutId))
      .map(({ checkoutId, canonicalRoot, worktree, branch }) => ({
        checkoutId,
        root: canonicalRoot,
        linked: worktree === true,
        ...(branch ? { branch } : {}),
      }));
    subjects.set(repoId, { displayName, registered: isKnown, checkouts: [...open, ...closed] });
  }
  const registryProblem = problemOf(registry);
  return { identities, subjects, registered, ...(registryProblem ? { registryProblem } : {}) };
}

function openCheckout({ checkoutId, checkout }: RepositoryIdentity): CheckoutPicture {
  const { root, branch, linked } = checkout;
  return { checkoutId, root, linked, ...(branch ? { branch } : {}) };
}

function problemOf(registry: RegistryRead): Problem | undefined {
  if (registry.kind === 'unreadable') {
    return { file: registry.file, reason: `the registry of repositories cannot be read: ${registry.reason}` };
  }
  if (registry.kind === 'absent' || registry.invalidEntries === 0) return undefined;
  return { file: registry.file, reason: `${registry.invalidEntries} of its entries are not valid and were left out` };
}
