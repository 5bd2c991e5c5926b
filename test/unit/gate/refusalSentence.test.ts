import assert from 'node:assert/strict';
import { holders, listWords, refusalSentence } from '../../../src/core/gate/refusalSentence';
import type { Blocker } from '../../../src/core/leases/blocker';
import type { LeaseRecord } from '../../../src/core/leases/leaseRecord';

const NOW = new Date(2026, 2, 1, 12, 0, 0).getTime();
const iso = (fromNow: number) => new Date(NOW + fromNow).toISOString();

function blockedBy(members: Partial<LeaseRecord> = {}): Blocker {
  const lease: LeaseRecord = {
    schemaVersion: 1,
    leaseId: 'L1',
    repoId: 'repo_1',
    resourceKey: 'workspace:c1',
    mode: 'write',
    ownerJobId: 'JOB-1842',
    fencingToken: 1,
    acquiredAt: iso(-60_000),
    expiresAt: iso(30_000),
    heartbeatAt: iso(-1_000),
    ...members,
  };
  return { kind: 'lease', claim: { resourceKey: 'workspace:c1', mode: 'write' }, lease, file: '/h/L1.json' };
}

describe('refusal sentence', () => {
  const sentence = (...blockers: Blocker[]) => refusalSentence('Commit', blockers, NOW);

  it('names holder, resource, mode and times', () => {
    assert.equal(
      sentence(blockedBy()),
      'Commit did not run: JOB-1842 holds workspace (write) since 11:59:00, until 12:00:30.',
    );
  });

  it('names each holder once with all that it holds, from the first moment to the last', () => {
    const made = sentence(
      blockedBy(),
      blockedBy({ leaseId: 'L2', resourceKey: 'git-index:c1', acquiredAt: iso(-120_000), expiresAt: iso(45_000) }),
      blockedBy(),
      blockedBy({ leaseId: 'L3', ownerJobId: 'fast:x', resourceKey: 'path:c1:src', mode: 'read' }),
    );
    assert.equal(
      made,
      'Commit did not run: JOB-1842 holds workspace and index (write) since 11:58:00, until 12:00:45 ' +
        'and fast:x holds src (read) since 11:59:00, until 12:00:30.',
    );
  });

  it('says the date when it is not that of today', () => {
    assert.match(sentence(blockedBy({ acquiredAt: iso(-86_400_000) })), /since 2026-02-28 12:00:00, until 12:00:30\.$/);
  });

  const OTHERS: readonly (readonly [Blocker, RegExp])[] = [
    [
      { kind: 'unreadable', file: '/h/leases/active/broken.json', reason: 'it is empty' },
      /: the lease file broken\.json cannot be read \(it is empty\)\.$/,
    ],
    [{ kind: 'unreadable', file: 'C:\\h\\broken.json', reason: 'it is empty' }, /the lease file broken\.json cannot/],
    [{ kind: 'lock', detail: 'LOCK_HELD: x' }, /: the repository lock stayed taken \(LOCK_HELD: x\)\.$/],
    [
      { kind: 'fence', reason: 'an agent runtime owns it' },
      /takes no leases from this editor \(an agent runtime owns it\)/,
    ],
  ];
  for (const [blocker, expected] of OTHERS) {
    it(`tells of ${blocker.kind} (${expected.source.slice(0, 30)})`, () => assert.match(sentence(blocker), expected));
  }

  it('is one line without icons or links, whatever the record says', () => {
    const bad = `a\r\nb${String.fromCodePoint(0x202e)}$(trash)[x](command:y)${'z'.repeat(500)}`;
    const members = { ownerJobId: bad, resourceKey: `path:${bad}`, mode: bad };
    const made = sentence(blockedBy(members), { kind: 'unreadable', file: `/${bad}`, reason: bad });
    assert.doesNotMatch(made, /[\p{Cc}\p{Cf}]|\$\(|\]\(/u);
    assert.ok(made.length < 800);
  });
});

describe('holders', () => {
  it('stand in the order in which they were met', () => {
    const blockers = ['B', 'A', 'B'].map((ownerJobId, index) => blockedBy({ ownerJobId, leaseId: `L${index}` }));
    assert.deepEqual(
      holders(blockers).map(leases => leases.map(({ leaseId }) => leaseId)),
      [['L0', 'L2'], ['L1']],
    );
  });
});

describe('list of words', () => {
  it('is made of none, one, two and three', () => {
    assert.deepEqual(
      [[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(words => listWords(words)),
      ['', 'a', 'a and b', 'a, b and c'],
    );
  });
});
