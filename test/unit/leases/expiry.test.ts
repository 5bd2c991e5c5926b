import assert from 'node:assert/strict';
import type { Claim } from '../../../src/core/leases/claim';
import type { LeaseReference, LeaseStore } from '../../../src/core/leases/leaseStore';
import { referencesOf, StoreScenario } from '../../support/storeScenario';

const HOUR = 3_600_000;
const INDEX: readonly Claim[] = [{ resourceKey: 'git-index:c1', mode: 'write' }];

describe('when a lease is over', () => {
  let scenario: StoreScenario;
  let observer: LeaseStore;
  let holder: LeaseStore;
  let reference: LeaseReference;

  /** Somebody else's lease on the workspace, seen by the observer; another one of the holder's own. */
  beforeEach(async () => {
    scenario = new StoreScenario();
    scenario.plantLease();
    observer = scenario.store();
    holder = scenario.store();
    assert.equal(await blocked(), true);
    const claims: readonly Claim[] = [{ resourceKey: 'path:c2:x', mode: 'write' }];
    const [own] = referencesOf(await scenario.granted({ owner: 'fast:holder', claims }, holder));
    reference = own ?? assert.fail();
    holder.assertHeld(reference);
  });
  afterEach(() => scenario.dispose());

  let tries = 0;
  async function blocked(store: LeaseStore = observer): Promise<boolean> {
    tries += 1;
    const result = await scenario.acquire({ owner: `fast:observer-${tries}`, claims: INDEX }, store);
    return !result.acquired;
  }
  const held = () => {
    try {
      holder.assertHeld(reference);
      return true;
    } catch (error) {
      assert.match(String(error), /LEASE_EXPIRED/);
      return false;
    }
  };

  it('is the very moment of its expiry, not before', async () => {
    scenario.clock.advance(29_999);
    assert.deepEqual([await blocked(), held()], [true, true]);
    scenario.clock.advance(1);
    assert.deepEqual([held(), await blocked()], [false, false]);
  });

  it('for others only when both clocks say so: a wall clock an hour ahead ends nothing that was seen alive', async () => {
    scenario.clock.stepWall(HOUR);
    assert.deepEqual([await blocked(), held()], [true, false]);
    scenario.clock.advance(29_999);
    assert.equal(await blocked(), true);
    scenario.clock.advance(1);
    assert.equal(await blocked(), false);
  });

  it('for others only when both clocks say so: a wall clock an hour back blocks on, one’s own is over', async () => {
    scenario.clock.stepWall(-HOUR);
    assert.deepEqual([await blocked(), held()], [true, true]);
    scenario.clock.advance(30_000);
    assert.deepEqual([await blocked(), held()], [true, false]);
    scenario.clock.advance(HOUR);
    assert.equal(await blocked(), false);
  });

  it('is at once where it was over by the wall clock when first seen', async () => {
    scenario.clock.stepWall(HOUR);
    assert.equal(await blocked(scenario.store()), false);
  });

  it('starts anew with every renewal that is seen', async () => {
    scenario.clock.advance(20_000);
    scenario.plantLease({ expiresAt: new Date(scenario.clock.wall() + 30_000).toISOString() });
    scenario.clock.advance(20_000);
    assert.equal(await blocked(), true);
    scenario.clock.stepWall(HOUR);
    assert.equal(await blocked(), true);
    scenario.clock.advance(10_000);
    assert.equal(await blocked(), false);
  });

  it('of one’s own is not brought back by a renewal', async () => {
    scenario.clock.stepWall(-HOUR);
    scenario.clock.advance(30_000);
    await assert.rejects(scenario.settle(holder.renew('fast:holder', [reference], 30_000)), { code: 'LEASE_EXPIRED' });
  });
});
