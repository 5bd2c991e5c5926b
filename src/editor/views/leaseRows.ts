import path from 'node:path';
import type { LeaseFile } from '../../core/leases/leaseDirectory';
import { compareResources } from '../../core/leases/resourceOrder';
import type { CheckoutPicture, LeasePicture, RepositoryPicture } from '../../core/picture/leasePicture';
import { plainText } from '../../core/plainText';
import type { ProcessProbe } from '../../core/process/liveness';
import { timeOfDay } from '../../core/timeOfDay';
import { leaseRow } from './leaseRow';
import { type OwnerWords, ownerWords } from './owner';
import { stuckLockRow, unreadableRow } from './problemRows';
import type { Row, Rows } from './row';
import { timeLeftInStep } from './timeLeft';

export interface LeaseRowsInput {
  readonly picture: LeasePicture;
  /** Owner ids of the gates that this window holds. */
  readonly ours: ReadonlySet<string>;
  readonly now: number;
  readonly probe: ProcessProbe;
  /** The person's home directory, shown as `~`. */
  readonly homeDirectory: string;
}

/** An owner with more leases than this starts collapsed. */
const EXPANDED_UP_TO = 50;

/** The tree of active leases: repository, checkout, owner, lease. Repositories where nothing is held are left out. */
export function leaseRows(input: LeaseRowsInput): Rows {
  let changesInMs = Number.POSITIVE_INFINITY;
  const rowOf = (lease: LeaseFile): Row => {
    const left = timeLeftInStep(lease.expiry.wall, input.now);
    changesInMs = Math.min(changesInMs, left.changesInMs);
    return leaseRow(lease, left.text, input);
  };
  const rows = input.picture.repositories
    .filter(({ leases, unreadable, stuckLock }) => leases.length + unreadable.length > 0 || stuckLock)
    .map(repository => repositoryRow(repository, rowOf, input));
  return { rows, changesInMs };
}

function repositoryRow(repository: RepositoryPicture, rowOf: (lease: LeaseFile) => Row, input: LeaseRowsInput): Row {
  const { repoId, leases, unreadable, stuckLock, registered } = repository;
  const id = `repository:${repoId}`;
  const checkouts = [...groupBy(leases, checkoutOf)].map(([checkoutId, held]) => ({
    checkout: repository.checkouts.find(candidate => candidate.checkoutId === checkoutId),
    checkoutId,
    held,
  }));
  const place = (checkout: CheckoutPicture | undefined) =>
    checkout ? repository.checkouts.indexOf(checkout) : repository.checkouts.length;
  checkouts.sort((a, b) => place(a.checkout) - place(b.checkout) || compare(a.checkoutId, b.checkoutId));
  const label = plainText(repository.displayName);
  const description = [
    `${leases.length} held`,
    ...(unreadable.length > 0 ? [`${unreadable.length} unreadable`] : []),
    ...(registered ? [] : ['not registered']),
  ].join(', ');
  return {
    id,
    label,
    description,
    icon: 'repo',
    contextValue: 'repository',
    spoken: `Repository ${label}: ${description}.`,
    subject: description,
    tooltip: () => ({
      title: label,
      lines: [
        ['Repository', plainText(repoId)],
        ['Controller home', plainText(input.picture.home.path, 300)],
        ...(registered ? [] : [['Registered', 'no; agents do not honour its leases until it is'] as const]),
      ],
    }),
    children: [
      ...(stuckLock ? [stuckLockRow(id, stuckLock, input.now)] : []),
      ...unreadable.map(file => unreadableRow(id, file)),
      ...checkouts.map(group => checkoutRow(id, group.checkoutId, group.checkout, group.held, rowOf, input)),
    ],
  };
}

function checkoutRow(
  parentId: string,
  checkoutId: string,
  checkout: CheckoutPicture | undefined,
  held: readonly LeaseFile[],
  rowOf: (lease: LeaseFile) => Row,
  input: LeaseRowsInput,
): Row {
  const id = `${parentId}/checkout:${JSON.stringify(checkoutId)}`;
  const label = checkoutLabel(checkoutId, checkout);
  const where = checkout ? shortPath(checkout.root, input.homeDirectory) : '';
  const branch = checkout?.branch ? plainText(checkout.branch, 60) : '';
  const owners = [...groupBy(held, lease => lease.record.ownerJobId)].sort(([a], [b]) => compare(a, b));
  return {
    id,
    label,
    description: [branch, where].filter(Boolean).join(' · '),
    icon: checkoutId === '' ? 'repo' : 'root-folder',
    contextValue: 'checkout',
    spoken: `${label}${where && ` at ${where}`}${branch && `, branch ${branch}`}: ${held.length} held.`,
    subject: checkoutId,
    tooltip: () => ({
      title: label,
      lines: [
        ...(checkout ? [['Path', plainText(checkout.root, 300)] as const] : []),
        ...(branch ? [['Branch', branch] as const] : []),
        ...(checkoutId ? [['Checkout', plainText(checkoutId)] as const] : []),
      ],
    }),
    children: owners.map(([owner, leases]) => ownerRow(id, owner, leases, label, rowOf, input)),
  };
}

function ownerRow(
  parentId: string,
  ownerJobId: string,
  leases: readonly LeaseFile[],
  where: string,
  rowOf: (lease: LeaseFile) => Row,
  input: LeaseRowsInput,
): Row {
  const owner = ownerWords(ownerJobId, input.ours);
  const count = leases.length === 1 ? '1 lease' : `${leases.length} leases`;
  return {
    id: `${parentId}/owner:${JSON.stringify(ownerJobId)}`,
    label: owner.label,
    description: `${owner.word}, ${count}`,
    icon: owner.icon,
    contextValue: `owner.${owner.kind}`,
    spoken: `${owner.label} (${owner.word}) holds ${count} in ${where}.`,
    subject: ownerJobId,
    tooltip: () => ownerTooltip(owner, leases, input.now),
    children: [...leases].sort((a, b) => compareResources(a.resource, b.resource)).map(rowOf),
    collapsed: leases.length > EXPANDED_UP_TO,
  };
}

function ownerTooltip(owner: OwnerWords, leases: readonly LeaseFile[], now: number) {
  const since = Math.min(...leases.map(lease => Date.parse(lease.record.acquiredAt)));
  const until = Math.max(...leases.map(lease => lease.expiry.wall));
  return {
    title: `${owner.label} (${owner.word})`,
    lines: [
      ['Owner', plainText(leases[0]?.record.ownerJobId ?? '', 300)],
      ['Leases', String(leases.length)],
      ['Since', timeOfDay(since, now)],
      ['Until', timeOfDay(until, now)],
    ] as const,
  };
}

/** The checkout that a lease is about; empty when it is about the whole repository. */
function checkoutOf({ record, resource }: LeaseFile): string {
  const named = record.checkoutId ?? ('checkoutId' in resource ? resource.checkoutId : undefined);
  const scope = record.ownerIdentity?.checkoutId;
  return named ?? (scope === 'unscoped' ? '' : (scope ?? ''));
}

function checkoutLabel(checkoutId: string, checkout: CheckoutPicture | undefined): string {
  if (checkoutId === '') return 'whole repository';
  if (!checkout) return plainText(checkoutId, 60);
  return checkout.linked ? `worktree ${plainText(path.basename(checkout.root), 60)}` : 'main checkout';
}

function shortPath(root: string, homeDirectory: string): string {
  const below = homeDirectory !== '' && (root === homeDirectory || root.startsWith(homeDirectory + path.sep));
  return plainText(below ? `~${root.slice(homeDirectory.length)}` : root);
}

function groupBy(leases: readonly LeaseFile[], keyOf: (lease: LeaseFile) => string): Map<string, LeaseFile[]> {
  const groups = new Map<string, LeaseFile[]>();
  for (const lease of leases) {
    const key = keyOf(lease);
    const group = groups.get(key);
    if (group) group.push(lease);
    else groups.set(key, [lease]);
  }
  return groups;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
