import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import * as path from 'node:path';
import { ChildScenario } from './childScenario';

describe('several processes that find one expired lock', () => {
  let scenario: ChildScenario;
  before(() => {
    scenario = new ChildScenario();
  });
  after(() => scenario.dispose());

  it('reap it once and are inside one at a time, time after time', async () => {
    const witness = path.join(scenario.home, 'witness');
    const children = await Promise.all([scenario.child(), scenario.child(), scenario.child()]);
    const entries = await Promise.all(children.map(child => child.ask<number>('reapRace', { witness, forMs: 6_000 })));
    console.log(`      entries: ${entries.join(', ')}`);
    assert.ok(entries.filter(count => count > 50).length >= 2, 'at least two really took part');
    assert.equal(existsSync(witness), false);
    const left = readdirSync(scenario.paths.locks).filter(name => name !== path.basename(scenario.paths.lockFile));
    assert.deepEqual(left, []);
  });
});
