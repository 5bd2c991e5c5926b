import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { StoreScenario } from '../../support/storeScenario';

const MINUTE = 60_000;
/** The lease that a scenario plants is over after half a minute. */
const PLANTED_MS = 30_000;

describe('leases that crashed holders left behind', () => {
  let scenario: StoreScenario;
  let left: string;
  beforeEach(() => {
    scenario = new StoreScenario();
    left = scenario.plantLease();
  });
  afterEach(() => scenario.dispose());

  it('are removed by the next grant when they have been over for ten minutes, not before', async () => {
    scenario.clock.advance(PLANTED_MS + 10 * MINUTE - 1_000);
    await scenario.granted({ owner: 'fast:a' });
    assert.ok(existsSync(left));
    scenario.clock.advance(2_000);
    await scenario.granted({ owner: 'fast:b', claims: [{ resourceKey: 'temp:b', mode: 'write' }] });
    assert.equal(existsSync(left), false);
  });

  it('stay while a clock of a store that saw them alive says that they are not over', async () => {
    const store = scenario.store();
    await scenario.acquire({ owner: 'fast:a' }, store);
    scenario.clock.stepWall(60 * MINUTE);
    await scenario.granted({ owner: 'fast:b', claims: [{ resourceKey: 'temp:b', mode: 'write' }] }, store);
    assert.ok(existsSync(left));
  });

  it('stay when the acquire is refused', async () => {
    scenario.clock.advance(PLANTED_MS + 11 * MINUTE);
    scenario.plant('LEASE-1-bad.json', '{');
    assert.equal((await scenario.acquire({ owner: 'fast:a' })).acquired, false);
    assert.ok(existsSync(left));
  });

  it('are removed at most fifty at once', async () => {
    const leaseIds = Array.from({ length: 60 }, (_, index) => `LEASE-1-${String(index).padStart(8, '0')}`);
    const files = leaseIds.map(leaseId => scenario.plantLease({ leaseId }));
    scenario.clock.advance(PLANTED_MS + 11 * MINUTE);
    const remaining = () => [left, ...files].filter(file => existsSync(file)).length;
    await scenario.granted({ owner: 'fast:a' });
    assert.equal(remaining(), 11);
    await scenario.granted({ owner: 'fast:b', claims: [{ resourceKey: 'temp:b', mode: 'write' }] });
    assert.equal(remaining(), 0);
  });
});
