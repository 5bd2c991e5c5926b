import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import type { Claim } from '../../../src/core/leases/claim';
import { counterFileName } from '../../../src/core/leases/fencingCounter';
import { jsonText } from '../../../src/core/storage/atomicJson';
import { referencesOf, StoreScenario } from '../../support/storeScenario';

const WORKSPACE: Claim = { resourceKey: 'workspace:c1', mode: 'write' };
const INDEX: Claim = { resourceKey: 'git-index:c1', mode: 'write' };

describe('acquire', () => {
  let scenario: StoreScenario;
  beforeEach(() => {
    scenario = new StoreScenario();
  });
  afterEach(() => scenario.dispose());

  const plantCounter = (resourceKey: string, text: string) => {
    mkdirSync(scenario.paths.counters, { recursive: true });
    writeFileSync(path.join(scenario.paths.counters, counterFileName(resourceKey)), text);
  };

  it('grants each claim a lease of its own, claims of one call not compared', async () => {
    const claims: readonly Claim[] = [
      WORKSPACE,
      INDEX,
      { resourceKey: 'path:c1:src', mode: 'write', checkoutId: ' c1 ' },
    ];
    const leases = await scenario.granted({ claims });
    assert.deepEqual(
      leases.map(lease => [lease.resourceKey, lease.mode, lease.fencingToken, lease.checkoutId, lease.ownerJobId]),
      [
        ['workspace:c1', 'write', 1, undefined, 'fast:a'],
        ['git-index:c1', 'write', 1, undefined, 'fast:a'],
        ['path:c1:src', 'write', 1, 'c1', 'fast:a'],
      ],
    );
    const files = Object.values(scenario.leases()).map(text => JSON.parse(text) as unknown);
    const byKey = (records: readonly unknown[]) => records.map(record => JSON.stringify(record)).sort();
    assert.deepEqual(byKey(files), byKey(leases));
  });

  it('grants an empty list with no lease', async () => {
    assert.deepEqual(await scenario.acquire({ claims: [] }), { acquired: true, leases: [] });
    assert.deepEqual(scenario.leases(), {});
  });

  it('refuses with every conflicting pair, and writes nothing', async () => {
    await scenario.granted({ owner: 'fast:other' });
    const before = scenario.tree();
    const refused = await scenario.acquire({ claims: [INDEX, { resourceKey: 'path:c1:a', mode: 'read' }] });
    assert.ok(!refused.acquired);
    assert.deepEqual(
      refused.blockers.map(
        blocker => blocker.kind === 'lease' && [blocker.claim.resourceKey, blocker.lease.ownerJobId],
      ),
      [
        ['git-index:c1', 'fast:other'],
        ['path:c1:a', 'fast:other'],
      ],
    );
    assert.deepEqual(scenario.tree(), before);
  });

  it('lets readers in together and no writer beside them', async () => {
    const reading: readonly Claim[] = [{ resourceKey: 'workspace:c1', mode: 'read' }];
    await scenario.granted({ owner: 'fast:1', claims: reading });
    await scenario.granted({ owner: 'fast:2', claims: reading });
    assert.equal((await scenario.acquire({ owner: 'fast:3' })).acquired, false);
  });

  it('refuses an owner that holds something already, whatever it claims', async () => {
    await scenario.granted();
    const elsewhere: readonly Claim[] = [{ resourceKey: 'path:c2:x', mode: 'read' }];
    await assert.rejects(scenario.acquire({ claims: elsewhere }), { code: 'LEASE_OWNER_HOLDS_ALREADY' });
    scenario.clock.advance(30_000);
    await scenario.granted({ claims: elsewhere });
  });

  for (const timeToLiveMs of [4_999, 0, -1, 86_400_001, 5_000.5, Number.NaN, Number.POSITIVE_INFINITY, 1e15]) {
    it(`refuses a time to live of ${timeToLiveMs} ms, and a renewal to it`, async () => {
      await assert.rejects(scenario.acquire({ timeToLiveMs }), { code: 'TIME_TO_LIVE_INVALID' });
      assert.deepEqual(scenario.tree(), {});
      const leases = await scenario.granted();
      const before = scenario.tree();
      const renewing = scenario.store().renew('fast:a', referencesOf(leases), timeToLiveMs);
      await assert.rejects(renewing, { code: 'TIME_TO_LIVE_INVALID' });
      assert.deepEqual(scenario.tree(), before);
    });
  }

  for (const timeToLiveMs of [5_000, 86_400_000]) {
    it(`grants ${timeToLiveMs} ms exactly`, async () => {
      const [lease] = await scenario.granted({ timeToLiveMs });
      assert.equal(lease?.expiresAt, new Date(scenario.clock.wall() + timeToLiveMs).toISOString());
    });
  }

  it('refuses claims and identities that belong elsewhere, before anything is written', async () => {
    const cases: readonly (readonly [string, Parameters<StoreScenario['acquire']>[0]])[] = [
      ['LEASE_REPOSITORY_SCOPE_MISMATCH', { claims: [{ ...WORKSPACE, repoId: 'repo_b' }] }],
      ['LEASE_WORK_SCOPE_INCOMPLETE', { claims: [{ ...WORKSPACE, workId: 'w' }] }],
      [
        'LEASE_CHECKOUT_SCOPE_AMBIGUOUS',
        {
          claims: [
            { ...WORKSPACE, checkoutId: 'a' },
            { ...INDEX, checkoutId: 'b' },
          ],
        },
      ],
      [
        'LEASE_WORK_SCOPE_AMBIGUOUS',
        { claims: ['v', 'w'].map(workId => ({ ...WORKSPACE, repoId: 'repo_a', checkoutId: 'a', workId })) },
      ],
      ['LEASE_OWNER_REPOSITORY_MISMATCH', { ownerIdentity: { repositoryId: 'repo_b' } }],
      [
        'LEASE_OWNER_CHECKOUT_MISMATCH',
        { claims: [{ ...WORKSPACE, checkoutId: 'a' }], ownerIdentity: { checkoutId: 'b' } },
      ],
    ];
    for (const [code, request] of cases) await assert.rejects(scenario.acquire(request), { code });
    assert.deepEqual(scenario.tree(), {});
  });

  it('is fenced out by an agent runtime, also one that appears while it waits for the lock', async () => {
    const owner = path.join(scenario.home, 'runtime/active-runtime-owner.json');
    mkdirSync(path.dirname(owner), { recursive: true });
    mkdirSync(scenario.paths.locks, { recursive: true });
    const lock = {
      scope: 'repository',
      repoId: 'repo_a',
      lockId: 'l',
      owner: 'o',
      pid: 1,
      acquiredAt: '',
      heartbeatAt: '',
    };
    const expiresAt = new Date(scenario.clock.wall() + 1_000).toISOString();
    writeFileSync(scenario.paths.lockFile, jsonText({ ...lock, expiresAt, path: '' }));
    scenario.clock.timer(500, () => writeFileSync(owner, '{}'));
    const refused = await scenario.acquire();
    assert.deepEqual(!refused.acquired && refused.blockers.map(({ kind }) => kind), ['fence']);
    assert.deepEqual(await scenario.acquire(), refused);
    assert.deepEqual(scenario.leases(), {});
  });

  it('draws tokens that grow across releases, and none when refused', async () => {
    const tokens: (number | undefined)[] = [];
    for (const owner of ['fast:1', 'fast:2', 'fast:3']) {
      const store = scenario.store();
      const leases = await scenario.granted({ owner }, store);
      assert.equal((await scenario.acquire({ owner: 'fast:refused' })).acquired, false);
      tokens.push(leases[0]?.fencingToken);
      await scenario.settle(store.releaseExactly(owner, referencesOf(leases)));
    }
    assert.deepEqual(tokens, [1, 2, 3]);
  });

  for (const text of ['', '{}', 'null', '{"value":null}', '{"value":-1}', '{"value":1.5}', '{"value":"3"}', '{"val']) {
    it(`does not use a counter that holds ${text || 'nothing'}`, async () => {
      plantCounter('workspace:c1', text);
      await assert.rejects(scenario.acquire(), { code: 'COUNTER_UNREADABLE' });
      assert.deepEqual(scenario.leases(), {});
      assert.equal(readFileSync(path.join(scenario.paths.counters, counterFileName('workspace:c1')), 'utf8'), text);
    });
  }

  it('draws no token twice at the end of exact numbers', async () => {
    plantCounter('workspace:c1', jsonText({ value: Number.MAX_SAFE_INTEGER - 1 }));
    const [lease] = await scenario.granted();
    assert.equal(lease?.fencingToken, Number.MAX_SAFE_INTEGER);
    scenario.clock.advance(30_000);
    const before = scenario.tree();
    await assert.rejects(scenario.acquire({ owner: 'fast:b' }), { code: 'COUNTER_UNREADABLE' });
    assert.deepEqual(scenario.tree(), before);
  });

  for (const counter of [undefined, jsonText({ value: 0 }), jsonText({ value: 3 })]) {
    it(`draws a token above a live one when the counter ${counter ? 'is lower' : 'is lost'}`, async () => {
      scenario.plantLease({ mode: 'read', fencingToken: 7 });
      if (counter) plantCounter('workspace:c1', counter);
      const [lease] = await scenario.granted({ claims: [{ resourceKey: 'workspace:c1', mode: 'read' }] });
      assert.equal(lease?.fencingToken, 8);
      const after = readFileSync(path.join(scenario.paths.counters, counterFileName('workspace:c1')), 'utf8');
      assert.equal((JSON.parse(after) as { value: number }).value, 8);
    });
  }
});
