import type { Blocker } from '../leases/blocker';
import { holderName } from '../leases/holderName';
import type { LeaseRecord } from '../leases/leaseRecord';
import { parseResource } from '../leases/resource';
import { compareResources } from '../leases/resourceOrder';
import { resourceWords } from '../leases/resourceWords';
import { plainText } from '../plainText';
import { timeOfDay } from '../timeOfDay';

/** What is beyond these is counted, so that a sentence stays one: holders, resources of each, damaged files. */
const MOST_HOLDERS = 10;
const MOST_RESOURCES = 5;
const MOST_OTHERS = 3;

/**
 * Why an operation was refused, in one sentence that names every holder: who, what, since when, until when.
 * `operation` is a capitalised noun ("Commit").
 */
export function refusalSentence(operation: string, blockers: readonly Blocker[], now: number): string {
  const held = holders(blockers).map(leases => holderWords(leases, now));
  const parts = [...atMost(held, MOST_HOLDERS, 'more holders'), ...otherWords(blockers)];
  return `${operation} did not run: ${listWords(parts)}.`;
}

/** Names in the form "a", "a and b", "a, b and c". */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** The blocking leases by owner, each lease once, the widest resource first. */
export function holders(blockers: readonly Blocker[]): readonly (readonly LeaseRecord[])[] {
  const byOwner = new Map<string, Map<string, LeaseRecord>>();
  for (const blocker of blockers) {
    if (blocker.kind !== 'lease') continue;
    const { lease } = blocker;
    const leases = byOwner.get(lease.ownerJobId) ?? new Map<string, LeaseRecord>();
    byOwner.set(lease.ownerJobId, leases.set(lease.leaseId, lease));
  }
  return [...byOwner.values()].map(leases => [...leases.values()].sort(byResource));
}

/** What leases hold, each word once: "workspace, index, head and refs". */
export function heldWords(leases: readonly LeaseRecord[]): string {
  const resources = leases.map(lease => parseResource(lease.resourceKey));
  const words = resources.map(resource => (resource.kind === 'ref' ? 'refs' : resourceWords(resource)));
  return listWords(atMost([...new Set(words)], MOST_RESOURCES, 'more'));
}

function byResource(a: LeaseRecord, b: LeaseRecord): number {
  return compareResources(parseResource(a.resourceKey), parseResource(b.resourceKey));
}

function holderWords(leases: readonly LeaseRecord[], now: number): string {
  const owner = holderName(leases[0]?.ownerJobId ?? '');
  const modes = [...new Set(leases.map(lease => lease.mode))];
  const since = Math.min(...leases.map(lease => Date.parse(lease.acquiredAt)));
  const until = Math.max(...leases.map(lease => Date.parse(lease.expiresAt)));
  const times = `since ${timeOfDay(since, now)}, until ${timeOfDay(until, now)}`;
  return `${owner} holds ${heldWords(leases)} (${modes.map(mode => plainText(mode, 20)).join(', ')}) ${times}`;
}

function otherWords(blockers: readonly Blocker[]): readonly string[] {
  const words = [...new Set(blockers.map(otherWord).filter(word => word !== undefined))];
  return atMost(words, MOST_OTHERS, 'more files cannot be read');
}

function atMost(words: readonly string[], most: number, more: string): readonly string[] {
  return words.length <= most ? words : [...words.slice(0, most), `${words.length - most} ${more}`];
}

function otherWord(blocker: Blocker): string | undefined {
  switch (blocker.kind) {
    case 'lease':
      return undefined;
    case 'unreadable':
      return `the lease file ${plainText(baseName(blocker.file), 60)} cannot be read (${plainText(blocker.reason)})`;
    case 'lock':
      return `the repository lock stayed taken (${plainText(blocker.detail)})`;
    case 'fence':
      return `the controller home takes no leases from this editor (${plainText(blocker.reason)})`;
  }
}

function baseName(file: string): string {
  return file.replace(/^.*[\\/]/, '');
}
