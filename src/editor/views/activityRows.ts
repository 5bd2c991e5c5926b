import { resourceWords } from '../../core/leases/resourceWords';
import type { LeaseChange } from '../../core/picture/pictureDiff';
import { plainText } from '../../core/plainText';
import { timeOfDay } from '../../core/timeOfDay';
import type { ActivityEntry } from '../activityLog';
import { ownerWords } from './owner';
import type { Row, Rows } from './row';

const ICONS = {
  appeared: 'add',
  gone: 'remove',
  expired: 'history',
  committed: 'git-commit',
  refused: 'circle-slash',
  lost: 'warning',
} as const satisfies Record<ActivityEntry['kind'], string>;

/** *Activity*: what this window saw and did, the newest first. */
export function activityRows(entries: readonly ActivityEntry[], now: number): Rows {
  return { rows: entries.map(entry => activityRow(entry, now)), changesInMs: Number.POSITIVE_INFINITY };
}

/** What changes of the picture are worth an entry: renewals are not. */
export function activityOf(
  changes: readonly LeaseChange[],
  ours: ReadonlySet<string>,
  now: number,
): Omit<ActivityEntry, 'id'>[] {
  return changes.flatMap(({ kind, repository, lease }) => {
    if (kind === 'renewed') return [];
    const owner = ownerWords(lease.record.ownerJobId, ours).label;
    const what = `${resourceWords(lease.resource)} (${plainText(lease.record.mode, 20)})`;
    const expired = kind === 'gone' && lease.expiry.wall <= now;
    const verb = kind === 'appeared' ? 'took' : expired ? 'let expire' : 'gave back';
    return [
      {
        at: now,
        kind: expired ? ('expired' as const) : kind,
        text: `${owner} ${verb} ${what}`,
        repository: plainText(repository.displayName),
      },
    ];
  });
}

function activityRow(entry: ActivityEntry, now: number): Row {
  const at = timeOfDay(entry.at, now);
  return {
    id: `activity:${entry.id}`,
    label: entry.text,
    description: `${at}, ${entry.repository}`,
    icon: ICONS[entry.kind],
    contextValue: 'activity',
    spoken: `${entry.text} in ${entry.repository} at ${at}.`,
    subject: entry,
    tooltip: () => ({
      title: entry.text,
      lines: [
        ['Time', at],
        ['Repository', entry.repository],
      ],
    }),
    children: [],
  };
}
