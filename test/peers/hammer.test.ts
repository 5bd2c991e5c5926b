import assert from 'node:assert/strict';
import { closeSync, openSync, unlinkSync } from 'node:fs';
import * as path from 'node:path';
import type { AcquireResult } from '../../src/core/leases/leaseStore';
import type { LineProcess } from '../support/lineProcess';
import { type ForgeAcquire, PeerScenario, referencesTo } from './peerScenario';

const DURATION_MS = 20_000;

describe('four processes, two of forge and two of ours, on one checkout', () => {
  let scenario: PeerScenario;
  before(() => {
    scenario = new PeerScenario();
  });
  after(() => scenario.dispose());

  it('never has two holders at once in 20 s', async () => {
    const witness = path.join(scenario.directory, 'witness');
    const until = performance.now() + DURATION_MS;
    const claims = ['workspace', 'git-index', 'git-head'].map(kind => scenario.claim(kind));
    const tokens: number[] = [];

    /** Between grant and release the witness must not exist; creating it fails when somebody else is in. */
    const beTheOnlyOne = (token: number | undefined) => {
      closeSync(openSync(witness, 'wx'));
      tokens.push(token ?? 0);
      unlinkSync(witness);
    };

    const runForge = async (process_: LineProcess, name: string) => {
      let grants = 0;
      for (let round = 0; performance.now() < until; round++) {
        const owner = `JOB-${name}-${round}`;
        const input = { repo: scenario.repoId, owner, claims, options: { visibility: 'ephemeral' } };
        const { acquired, leases } = await process_.ask<ForgeAcquire>('acquire', input);
        if (!acquired) continue;
        beTheOnlyOne(leases[0]?.fencingToken);
        grants += 1;
        await releaseUntilDone(() => process_.ask('release', { repo: scenario.repoId, owner }));
      }
      return grants;
    };

    const runOurs = async (process_: LineProcess, name: string) => {
      let grants = 0;
      for (let round = 0; performance.now() < until; round++) {
        const owner = `fast:${name}-${round}`;
        const result = await process_.ask<AcquireResult>('acquire', { owner, claims, timeToLiveMs: 30_000 });
        if (!result.acquired) continue;
        beTheOnlyOne(result.leases[0]?.fencingToken);
        grants += 1;
        await process_.ask('release', { owner, references: referencesTo(result.leases) });
      }
      return grants;
    };

    const [forgeA, forgeB, oursA, oursB] = await Promise.all([
      scenario.forge(),
      scenario.forge(),
      scenario.ourChild(),
      scenario.ourChild(),
    ]);
    const grants = await Promise.all([
      runForge(forgeA, 'a'),
      runForge(forgeB, 'b'),
      runOurs(oursA, 'a'),
      runOurs(oursB, 'b'),
    ]);
    console.log(`      grants: forge ${grants[0]} and ${grants[1]}, ours ${grants[2]} and ${grants[3]}`);
    assert.ok(grants[0] + grants[1] > 10 && grants[2] + grants[3] > 10, 'both really took part');
    const ascending = tokens.every((token, index) => index === 0 || token > (tokens[index - 1] ?? 0));
    assert.ok(ascending, 'tokens strictly grow');
  });
});

/** The peer tries its lock once only; a holder that was refused tries again, it still holds. */
async function releaseUntilDone(release: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await release();
      return;
    } catch (error) {
      if (!/^LOCK_HELD/.test(error instanceof Error ? error.message : '')) throw error;
    }
  }
}
