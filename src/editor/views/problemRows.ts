import path from 'node:path';
import type { UnreadableFile } from '../../core/leases/leaseDirectory';
import type { LeasePicture, Problem, StuckLock } from '../../core/picture/leasePicture';
import { plainText } from '../../core/plainText';
import { timeOfDay } from '../../core/timeOfDay';
import type { Row, Rows } from './row';

/** *Needs Attention*: what cannot be read or stays in the way, each with what it blocks. */
export function problemRows(picture: LeasePicture, now: number): Rows {
  const rows = picture.repositories.flatMap(({ repoId, unreadable, stuckLock }) => [
    ...(stuckLock ? [stuckLockRow(repoId, stuckLock, now)] : []),
    ...unreadable.map(file => unreadableRow(repoId, file)),
  ]);
  return { rows: [...picture.problems.map(problemRow), ...rows], changesInMs: Number.POSITIVE_INFINITY };
}

function problemRow({ file, reason }: Problem): Row {
  const name = plainText(path.basename(file), 80);
  const why = plainText(reason, 300);
  return {
    id: `problem:${file}:${why}`,
    label: name,
    description: why,
    icon: 'warning',
    color: 'list.warningForeground',
    contextValue: 'problem',
    spoken: `${name}: ${why}.`,
    subject: why,
    tooltip: () => ({
      title: name,
      lines: [
        ['Reason', why],
        ['File', plainText(file, 300)],
      ],
    }),
    file,
    children: [],
  };
}

export function unreadableRow(parentId: string, entry: UnreadableFile): Row {
  const name = plainText(path.basename(entry.file), 80);
  const reason = plainText(entry.reason);
  return {
    id: `${parentId}/unreadable:${entry.file}`,
    label: name,
    description: `cannot be read: ${reason}`,
    icon: 'warning',
    color: 'list.warningForeground',
    contextValue: 'unreadable',
    spoken: `The lease file ${name} cannot be read: ${reason}. It blocks every gated operation in this repository.`,
    subject: entry,
    tooltip: () => ({
      title: `${name} cannot be read`,
      lines: [
        ['Reason', reason],
        ['Blocks', 'every gated operation in this repository: the file may stand for a holder'],
        ['File', plainText(entry.file, 300)],
      ],
    }),
    file: entry.file,
    children: [],
  };
}

export function stuckLockRow(parentId: string, lock: StuckLock, now: number): Row {
  const held = lock.kind === 'held';
  const what = held
    ? `taken by ${plainText(lock.record.owner, 80)} since ${timeOfDay(Date.parse(lock.record.acquiredAt), now)}`
    : `cannot be read: ${plainText(lock.reason)}`;
  return {
    id: `${parentId}/lock`,
    label: 'repository lock',
    description: what,
    icon: 'warning',
    color: 'list.warningForeground',
    contextValue: 'lock',
    spoken: `The repository lock is not free: ${what}. Nobody can take or give back a lease meanwhile.`,
    subject: what,
    tooltip: () => ({
      title: 'The repository lock is not free',
      lines: [
        ['Lock', what],
        ['Blocks', 'every acquire, renewal and release in this repository'],
        ['File', plainText(lock.file, 300)],
      ],
    }),
    file: lock.file,
    children: [],
  };
}
