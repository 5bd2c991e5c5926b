import { heldWords, holders } from '../../core/gate/refusalSentence';
import type { Blocker } from '../../core/leases/blocker';
import type { LeaseRecord } from '../../core/leases/leaseRecord';
import { parseResource } from '../../core/leases/resource';
import { resourceWords } from '../../core/leases/resourceWords';
import { plainText } from '../../core/plainText';
import { timeOfDay } from '../../core/timeOfDay';
import type { Refusal } from '../gateState';
import { resourceIcon } from './leaseRow';
import { ownerWords } from './owner';
import { unreadableRow } from './problemRows';
import type { Row, Rows } from './row';

type LeaseBlocker = Extract<Blocker, { kind: 'lease' }>;

const NOT_OURS: ReadonlySet<string> = new Set();

/** *Blockers*: each refused operation of this window, below it its holders, and below each the rules. */
export function blockerRows(refusals: readonly Refusal[], now: number): Rows {
  return { rows: refusals.map(refusal => refusalRow(refusal, now)), changesInMs: Number.POSITIVE_INFINITY };
}

function refusalRow(refusal: Refusal, now: number): Row {
  const id = `refusal:${refusal.id}`;
  const { blockers, sentence } = refusal;
  const unreadable = new Map(
    blockers.flatMap(blocker => (blocker.kind === 'unreadable' ? [[blocker.file, blocker]] : [])),
  );
  return {
    id,
    label: `Your ${refusal.operation} did not run`,
    description: `in ${plainText(refusal.repository)}, ${timeOfDay(refusal.at, now)}`,
    icon: 'warning',
    color: 'list.warningForeground',
    contextValue: 'refusal',
    spoken: sentence,
    subject: refusal,
    tooltip: () => ({ title: sentence, lines: [] }),
    children: [
      ...holders(blockers).map(leases => holderRow(id, leases, blockers, now)),
      ...[...unreadable.values()].map(entry => unreadableRow(id, entry)),
    ],
  };
}

function holderRow(parentId: string, leases: readonly LeaseRecord[], blockers: readonly Blocker[], now: number): Row {
  const [first] = leases;
  const owner = ownerWords(first?.ownerJobId ?? '', NOT_OURS);
  const until = timeOfDay(Math.max(...leases.map(lease => Date.parse(lease.expiresAt))), now);
  const since = timeOfDay(Math.min(...leases.map(lease => Date.parse(lease.acquiredAt))), now);
  const held = heldWords(leases);
  const id = `${parentId}/owner:${JSON.stringify(first?.ownerJobId ?? '')}`;
  return {
    id,
    label: owner.label,
    description: `holds ${held}, until ${until}`,
    icon: owner.icon,
    contextValue: 'holder',
    spoken: `${owner.label} holds ${held} since ${since}, until ${until}.`,
    subject: first,
    tooltip: () => ({
      title: `${owner.label} holds ${held}`,
      lines: [
        ['Since', since],
        ['Until', until],
      ],
    }),
    children: leases.map(lease => leaseRow(id, lease, blockers.filter(isAbout(lease)), now)),
    collapsed: true,
  };
}

function isAbout(lease: LeaseRecord): (blocker: Blocker) => blocker is LeaseBlocker {
  return (blocker): blocker is LeaseBlocker => blocker.kind === 'lease' && blocker.lease.leaseId === lease.leaseId;
}

function leaseRow(parentId: string, lease: LeaseRecord, because: readonly LeaseBlocker[], now: number): Row {
  const resource = parseResource(lease.resourceKey);
  const label = resourceWords(resource);
  const mode = plainText(lease.mode, 20);
  const rules = because.map(
    ({ claim }) =>
      `${mode} on ${label} overlaps your ${claim.mode} on ${resourceWords(parseResource(claim.resourceKey))}`,
  );
  const until = timeOfDay(Date.parse(lease.expiresAt), now);
  const file = because[0]?.file;
  return {
    id: `${parentId}/${JSON.stringify(lease.leaseId)}`,
    label,
    description: rules[0] ?? '',
    icon: resourceIcon(resource),
    contextValue: 'blocker.lease',
    spoken: `${label} until ${until}: ${rules.join(', ')}.`,
    subject: lease,
    tooltip: () => ({
      title: `${label}, ${mode}, until ${until}`,
      lines: [
        ...rules.map(rule => ['Rule', rule] as const),
        ...(file ? [['File', plainText(file, 300)] as const] : []),
      ],
    }),
    ...(file ? { file } : {}),
    children: [],
  };
}
