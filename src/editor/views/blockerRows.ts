import type { Blocker } from '../../core/leases/blocker';
import { parseResource } from '../../core/leases/resource';
import { resourceWords } from '../../core/leases/resourceWords';
import { plainText } from '../../core/plainText';
import { timeOfDay } from '../../core/timeOfDay';
import type { Refusal } from '../gateState';
import { ownerWords } from './owner';
import { unreadableRow } from './problemRows';
import type { Row, Rows } from './row';

const NOT_OURS: ReadonlySet<string> = new Set();

/** *Blockers*: each refused operation of this window and, below it, what refuses it and by which rule. */
export function blockerRows(refusals: readonly Refusal[], now: number): Rows {
  return { rows: refusals.map(refusal => refusalRow(refusal, now)), changesInMs: Number.POSITIVE_INFINITY };
}

function refusalRow(refusal: Refusal, now: number): Row {
  const id = `refusal:${refusal.id}`;
  const children = refusal.blockers.flatMap(blocker => blockerRow(id, blocker, now));
  return {
    id,
    label: `Your ${refusal.operation} did not run`,
    description: `in ${plainText(refusal.repository)}, ${timeOfDay(refusal.at, now)}`,
    icon: 'warning',
    color: 'list.warningForeground',
    contextValue: 'refusal',
    spoken: refusal.sentence,
    subject: refusal,
    tooltip: () => ({ title: refusal.sentence, lines: [] }),
    children: [...new Map(children.map(row => [row.id, row])).values()],
  };
}

function blockerRow(parentId: string, blocker: Blocker, now: number): Row[] {
  if (blocker.kind === 'unreadable') {
    return [unreadableRow(parentId, { kind: 'unreadable', file: blocker.file, reason: blocker.reason })];
  }
  if (blocker.kind !== 'lease') return [];
  const { lease, claim, file } = blocker;
  const owner = ownerWords(lease.ownerJobId, NOT_OURS);
  const held = resourceWords(parseResource(lease.resourceKey));
  const asked = resourceWords(parseResource(claim.resourceKey));
  const until = timeOfDay(Date.parse(lease.expiresAt), now);
  const rule = `${plainText(lease.mode, 20)} on ${held} overlaps your ${claim.mode} on ${asked}`;
  return [
    {
      id: `${parentId}/${lease.leaseId}`,
      label: owner.label,
      description: `holds ${held}, ${plainText(lease.mode, 20)}, until ${until}`,
      icon: owner.icon,
      contextValue: 'blocker.lease',
      spoken: `${owner.label} holds ${held} until ${until}: ${rule}.`,
      subject: lease,
      tooltip: () => ({
        title: `${owner.label} holds ${held}`,
        lines: [
          ['Rule', rule],
          ['Since', timeOfDay(Date.parse(lease.acquiredAt), now)],
          ['Until', until],
          ['File', plainText(file, 300)],
        ],
      }),
      file,
      children: [],
    },
  ];
}
