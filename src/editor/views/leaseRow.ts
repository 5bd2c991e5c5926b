import path from 'node:path';
import { holderName } from '../../core/leases/holderName';
import type { LeaseFile } from '../../core/leases/leaseDirectory';
import type { Resource, ResourceKind } from '../../core/leases/resource';
import { resourceWords } from '../../core/leases/resourceWords';
import { plainText } from '../../core/plainText';
import type { ProcessProbe } from '../../core/process/liveness';
import { timeOfDay } from '../../core/timeOfDay';
import { leaseTooltip } from './leaseTooltip';
import type { Row } from './row';

interface LeaseRowInput {
  readonly ours: ReadonlySet<string>;
  readonly now: number;
  readonly probe: ProcessProbe;
}

const ICONS: Partial<Record<ResourceKind, string>> = {
  workspace: 'lock',
  index: 'list-tree',
  head: 'git-commit',
  ref: 'git-branch',
  content: 'repo',
  release: 'rocket',
};

/** Rows that nothing changed in are the same objects again, so that telling old from new stays cheap. */
const rowsByLease = new WeakMap<LeaseFile, { readonly row: Row; readonly left: string; readonly own: boolean }>();

export function leaseRow(lease: LeaseFile, left: string, { ours, now, probe }: LeaseRowInput): Row {
  const { record, resource, file } = lease;
  const own = ours.has(record.ownerJobId);
  const known = rowsByLease.get(lease);
  if (known?.left === left && known.own === own) return known.row;
  const label = resourceWords(resource);
  const mode = plainText(record.mode, 20);
  const until = timeOfDay(lease.expiry.wall, now);
  const row: Row = {
    id: `lease:${file}`,
    label,
    description: `${mode}, ${left}`,
    icon: resourceIcon(resource),
    contextValue: `lease.${own ? 'own' : 'other'}`,
    spoken: `${own ? 'You hold' : `${holderName(record.ownerJobId)} holds`} ${label}, ${mode}, until ${until}.`,
    subject: lease,
    tooltip: () => leaseTooltip(lease, Date.now(), probe),
    file,
    children: [],
  };
  rowsByLease.set(lease, { row, left, own });
  return row;
}

export function resourceIcon(resource: Resource): string {
  return resource.kind === 'path' ? pathIcon(resource.path) : (ICONS[resource.kind] ?? 'key');
}

function pathIcon(claimed: string): string {
  return path.posix.extname(claimed) === '' || claimed.endsWith('/') ? 'folder' : 'file';
}
