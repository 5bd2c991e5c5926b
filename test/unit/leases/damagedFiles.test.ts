import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { FileSystem } from '../../../src/core/storage/fileSystem';
import { FailingFileSystem } from '../../support/failingFileSystem';
import { leaseText } from '../../support/leaseRecordFixture';
import { StoreScenario } from '../../support/storeScenario';

const NAME = 'LEASE-1767268800000-00000001.json';

/** What can lie among the leases without saying whom it stands for. */
const DAMAGED: Readonly<Record<string, (scenario: StoreScenario, file: string) => void>> = {
  'an empty file': (_, file) => writeFileSync(file, ''),
  'half a record': (_, file) => writeFileSync(file, leaseText().slice(0, 200)),
  'an empty object': (_, file) => writeFileSync(file, '{}'),
  'another version': (_, file) => writeFileSync(file, leaseText({ schemaVersion: 2 })),
  'an expiry of digits only': (_, file) => writeFileSync(file, leaseText({ expiresAt: '1767268830000' })),
  'token null': (_, file) => writeFileSync(file, leaseText({ fencingToken: null })),
  'a token beyond exact numbers': (_, file) => writeFileSync(file, leaseText({ fencingToken: 2 ** 53 })),
  'an incomplete identity': (_, file) => writeFileSync(file, leaseText({ ownerIdentity: { branch: 'main' } })),
  'another lease’s id': (_, file) => writeFileSync(file, leaseText({ leaseId: 'LEASE-2' })),
  'an id that leaves': (_, file) => writeFileSync(file, leaseText({ leaseId: '../../victim' })),
  'a directory': (_, file) => mkdirSync(file),
  'a link to a good record': (scenario, file) => symlinkSync(scenario.plant('target', leaseText()), file),
  'a file larger than any record': (_, file) => {
    writeFileSync(file, leaseText());
    truncateSync(file, 5 * 2 ** 20);
  },
};

describe('an acquire beside damaged files', () => {
  let scenario: StoreScenario;
  let file: string;
  beforeEach(() => {
    scenario = new StoreScenario();
    file = path.join(scenario.paths.activeLeases, NAME);
    mkdirSync(scenario.paths.activeLeases, { recursive: true });
  });
  afterEach(() => scenario.dispose());

  const elsewhere = { claims: [{ resourceKey: 'path:other:x', mode: 'read' as const }] };
  const refusedByName = async (fileSystem?: FileSystem) => {
    const before = scenario.tree();
    const refused = await scenario.acquire(elsewhere, scenario.store(fileSystem));
    assert.ok(!refused.acquired);
    assert.deepEqual(
      refused.blockers.map(blocker => [blocker.kind, blocker.kind === 'unreadable' && blocker.file]),
      [['unreadable', file]],
    );
    assert.deepEqual(scenario.tree(), before);
  };

  for (const [what, plant] of Object.entries(DAMAGED)) {
    it(`is refused by the name of ${what}, whatever it claims, and removes nothing`, async () => {
      plant(scenario, file);
      await refusedByName();
    });
  }

  for (const code of ['EACCES', 'EPERM', 'EMFILE', 'EIO']) {
    it(`is refused by the name of a file that cannot be opened (${code})`, async () => {
      scenario.plantLease();
      await refusedByName(
        new FailingFileSystem({ operation: 'openSync', call: 1, forGood: true, code, on: NAME }).fileSystem,
      );
    });

    it(`fails, and is not granted, when the directory cannot be listed (${code})`, async () => {
      scenario.plantLease();
      const before = scenario.tree();
      const disk = new FailingFileSystem({ operation: 'readdirSync', call: 1, forGood: true, code });
      await assert.rejects(scenario.acquire({}, scenario.store(disk.fileSystem)), { code: 'LEASE_UNREADABLE' });
      assert.deepEqual(scenario.tree(), before);
    });

    it(`fails, and is not granted, when the directory cannot be listed under the lock (${code})`, async () => {
      scenario.plantLease();
      const before = scenario.tree();
      const disk = new FailingFileSystem({ operation: 'readdirSync', call: 2, code });
      await assert.rejects(scenario.acquire({}, scenario.store(disk.fileSystem)), { code: 'LEASE_UNREADABLE' });
      assert.deepEqual(scenario.tree(), before);
    });
  }

  it('is granted as soon as the damaged file is whole or gone, by the same store', async () => {
    const store = scenario.store();
    writeFileSync(file, leaseText().slice(0, 100));
    assert.equal((await scenario.acquire(elsewhere, store)).acquired, false);
    writeFileSync(file, leaseText());
    await scenario.granted({ ...elsewhere, owner: 'fast:1' }, store);
    const another = scenario.plant('LEASE-x.json', '');
    assert.equal((await scenario.acquire({ ...elsewhere, owner: 'fast:2' }, store)).acquired, false);
    rmSync(another);
    await scenario.granted({ ...elsewhere, owner: 'fast:2' }, store);
  });

  for (const missing of ['ownerIdentity', 'ownerIdentityDigest', 'visibility', 'checkoutId', 'workId']) {
    it(`is blocked by a record without ${missing}`, async () => {
      scenario.plantLease({ [missing]: undefined });
      const refused = await scenario.acquire();
      assert.deepEqual(!refused.acquired && refused.blockers.map(({ kind }) => kind), ['lease']);
    });
  }

  it('is blocked, as a reader, by a mode that nobody knows', async () => {
    scenario.plantLease({ mode: 'borrow' });
    assert.equal((await scenario.acquire({ claims: [{ resourceKey: 'workspace:c1', mode: 'read' }] })).acquired, false);
  });
});
