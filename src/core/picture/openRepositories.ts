import { findGitCheckout, type GitCheckout } from '../controller/gitCheckout';
import { type RegistryRead, readRegistry } from '../controller/registry';
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
  readonly problems: readonly Problem[];
}

export function findOpenRepositories(
  home: string,
  folders: readonly string[],
  dependencies: Dependencies,
): OpenRepositories {
  const registry = readRegistry(dependencies.fileSystem, home);
  const registered = registry.kind === 'read' ? registry.repositories : [];
  const checkouts = new Map<string, GitCheckout>();
  for (const folder of folders) {
    const checkout = findGitCheckout(folder, dependencies);
    if (checkout) checkouts.set(checkout.root, checkout);
  }
  const identities = [...checkouts.values()].map(checkout => identifyRepository(checkout, registered, dependencies));
  const subjects = new Map<string, RepositorySubject>();
  for (const { repoId, displayName, registered: known } of identities) {
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
    subjects.set(repoId, { displayName, registered: known, checkouts: [...open, ...closed] });
  }
  return { identities, subjects, problems: registryProblems(registry) };
}

function openCheckout({ checkoutId, checkout }: RepositoryIdentity): CheckoutPicture {
  const { root, branch, linked } = checkout;
  return { checkoutId, root, linked, ...(branch ? { branch } : {}) };
}

function registryProblems(registry: RegistryRead): Problem[] {
  if (registry.kind === 'unreadable') {
    return [{ file: registry.file, reason: `the registry of repositories cannot be read: ${registry.reason}` }];
  }
  if (registry.kind === 'absent' || registry.invalidEntries === 0) return [];
  return [{ file: registry.file, reason: `${registry.invalidEntries} of its entries are not valid and were left out` }];
}
