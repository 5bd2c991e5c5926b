import assert from 'node:assert/strict';
import type { LeaseRecord } from '../../../src/core/leases/leaseRecord';
import type { LeasePicture } from '../../../src/core/picture/leasePicture';
import { leaseRows } from '../../../src/editor/views/leaseRows';
import { flatRows, HOSTILE, harmfulTexts, leaseFile, NOW, outline, pictureOf, repository } from './pictureFixture';

describe('lease rows', () => {
  const rowsOf = (picture: LeasePicture, ours: readonly string[] = [], now = NOW) =>
    leaseRows({ picture, ours: new Set(ours), now, probe: () => 'unknown', homeDirectory: '/home/dev' });
  const held = (...leases: Partial<LeaseRecord>[]) =>
    leases.map((members, index) => leaseFile({ leaseId: `LEASE-${index}`, ...members }));

  it('are repository, checkout, owner and lease', () => {
    assert.deepEqual(outline(rowsOf(pictureOf([repository(held({}))])).rows), [
      'app: 1 held',
      '  main checkout: main · ~/app',
      '    JOB-1842: job, 1 lease',
      '      workspace: write, 20 s left',
    ]);
  });

  it('are grouped by checkout, in the order of the registry, others after it, by owner', () => {
    const leases = held(
      { resourceKey: 'workspace:c9', ownerJobId: 'JOB-9' },
      { resourceKey: 'workspace:c2', ownerJobId: 'JOB-2' },
      { resourceKey: 'path:c1:src/login.ts', ownerJobId: 'process:77' },
      { resourceKey: 'git-index:c1', ownerJobId: 'JOB-1' },
      { resourceKey: 'git-head:c1', ownerJobId: 'JOB-1', mode: 'exclusive' },
      { resourceKey: 'repo-content:*', ownerJobId: 'plugin:x', mode: 'read' },
    );
    assert.deepEqual(outline(rowsOf(pictureOf([repository(leases)])).rows), [
      'app: 6 held',
      '  main checkout: main · ~/app',
      '    JOB-1: job, 2 leases',
      '      index: write, 20 s left',
      '      head: exclusive, 20 s left',
      '    process:77: process, 1 lease',
      '      src/login.ts: write, 20 s left',
      '  worktree app-fix: fix · ~/app-fix',
      '    JOB-2: job, 1 lease',
      '      workspace: write, 20 s left',
      '  whole repository: ',
      '    plugin:x: plugin, 1 lease',
      '      all content: read, 20 s left',
      '  c9: ',
      '    JOB-9: job, 1 lease',
      '      workspace: write, 20 s left',
    ]);
  });

  it("call this window's own gate You", () => {
    const own = 'fast:leasehold-commit-1';
    const rows = rowsOf(pictureOf([repository(held({ ownerJobId: own }, { ownerJobId: 'fast:x' }))]), [own]).rows;
    const [, , first, lease, second] = flatRows(rows);
    assert.deepEqual([first?.label, first?.contextValue, lease?.contextValue], ['You', 'owner.own', 'lease.own']);
    assert.match(lease?.spoken ?? '', /^You hold workspace, write, until 12:00:23\.$/);
    assert.deepEqual([second?.label, second?.contextValue], ['fast:x', 'owner.gate']);
  });

  it('leave out repositories where nothing is held', () =>
    assert.deepEqual(rowsOf(pictureOf([repository([])])).rows, []));

  it('tell that a repository is not registered', () => {
    const [row] = rowsOf(pictureOf([repository(held({}), { registered: false })])).rows;
    assert.equal(row?.description, '1 held, not registered');
    assert.ok(row?.tooltip().lines.some(([name]) => name === 'Registered'));
  });

  it('put what is in the way first', () => {
    const unreadable = [{ kind: 'unreadable' as const, file: '/h/leases/active/broken.json', reason: 'it is empty' }];
    const stuckLock = { kind: 'unreadable' as const, file: '/h/locks/repository.lock.json', reason: 'it is empty' };
    const rows = rowsOf(pictureOf([repository([], { unreadable, stuckLock })])).rows;
    assert.deepEqual(outline(rows), [
      'app: 0 held, 1 unreadable',
      '  repository lock: cannot be read: it is empty',
      '  broken.json: cannot be read: it is empty',
    ]);
  });

  it('start collapsed below an owner of more than 50 leases', () => {
    const many = (count: number) => held(...Array.from({ length: count }, () => ({})));
    const ownerOf = (count: number) => flatRows(rowsOf(pictureOf([repository(many(count))])).rows)[2];
    assert.equal(ownerOf(50)?.collapsed, false);
    assert.equal(ownerOf(51)?.collapsed, true);
  });

  it('say when they will read differently', () => {
    const picture = pictureOf([repository(held({}, { expiresAt: new Date(NOW + 62_000).toISOString() }))]);
    const { changesInMs } = rowsOf(picture);
    assert.equal(changesInMs, 5_000);
    const texts = (now: number) => outline(rowsOf(picture, [], now).rows);
    assert.deepEqual(texts(NOW + changesInMs - 1), texts(NOW));
    assert.notDeepEqual(texts(NOW + changesInMs), texts(NOW));
    assert.equal(rowsOf(pictureOf([])).changesInMs, Number.POSITIVE_INFINITY);
  });

  it('are the same objects as long as they read the same', () => {
    const picture = pictureOf([repository(held({}))]);
    const leaf = (now: number) => flatRows(rowsOf(picture, [], now).rows)[3];
    assert.equal(leaf(NOW), leaf(NOW + 1_000));
    assert.notEqual(leaf(NOW), leaf(NOW + 10_000));
  });

  it('have ids of their own', () => {
    const twice = [repository(held({}, {})), repository(held({ leaseId: 'other' }), { repoId: 'repo_2' })];
    const ids = flatRows(rowsOf(pictureOf(twice)).rows).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('show hostile records as plain, bounded text', () => {
    const record = {
      leaseId: HOSTILE,
      resourceKey: `path:c1:${HOSTILE}`,
      mode: HOSTILE,
      ownerJobId: HOSTILE,
      ownerIdentityDigest: HOSTILE,
      workId: HOSTILE,
    };
    const checkouts = [{ checkoutId: 'c1', root: `/home/dev/${HOSTILE}`, branch: HOSTILE, linked: true }];
    const others = [{ resourceKey: `workspace:${HOSTILE}` }, { resourceKey: HOSTILE, checkoutId: HOSTILE }];
    const picture = pictureOf([repository(held(record, ...others), { displayName: HOSTILE, checkouts })]);
    assert.deepEqual(flatRows(rowsOf(picture).rows).flatMap(harmfulTexts), []);
  });
});
