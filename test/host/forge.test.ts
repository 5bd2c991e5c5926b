import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/editor/ids';
import { git } from '../support/gitRepository';
import { LineProcess } from '../support/lineProcess';
import { openedRepository, openScenario, rowLabelled, type Scenario, whenTree } from './scenario';

interface Acquired {
  readonly acquired: boolean;
  readonly blockers: readonly { readonly ownerJobId: string }[];
}

describe('the real forge beside the editor', () => {
  let scenario: Scenario;
  let forge: LineProcess;
  before(async () => {
    scenario = await openScenario();
    forge = await LineProcess.start(
      path.join(process.env.LEASEHOLD_TEST_PEERS ?? '', 'forgePeer.mjs'),
      scenario.home.path,
    );
  });
  after(() => forge.close());

  const acquire = (owner: string) =>
    forge.ask<Acquired>('acquire', {
      repo: scenario.home.repoId,
      owner,
      claims: [{ resourceKey: `workspace:${scenario.home.checkoutId}`, mode: 'write' }],
      options: {},
    });
  const release = (owner: string) => forge.ask('release', { repo: scenario.home.repoId, owner });
  const subject = () => git(scenario.workspace, 'log', '-1', '--format=%s').trim();

  async function stageChange(message: string): Promise<void> {
    appendFileSync(path.join(scenario.workspace, 'README.md'), `${message}\n`);
    git(scenario.workspace, 'add', 'README.md');
    (await openedRepository()).inputBox.value = message;
  }

  it('is shown while it holds a lease, and its lease refuses our commit until it is given back', async () => {
    assert.equal((await acquire('JOB-forge')).acquired, true);
    const owner = await whenTree(scenario.views.activeLeases, rowLabelled('JOB-forge'));
    assert.equal(owner.contextValue, 'owner.job');
    await stageChange('After forge');
    await vscode.commands.executeCommand(COMMANDS.commit);
    const refusal = await whenTree(scenario.views.blockers, rows => rows.find(row => row.contextValue === 'refusal'));
    assert.match(refusal.spoken, /^Commit did not run: JOB-forge holds workspace \(write\) since/);
    assert.notEqual(subject(), 'After forge');
    await release('JOB-forge');
    await whenTree(scenario.views.blockers, rows => (rows.length === 0 ? true : undefined));
    await vscode.commands.executeCommand(COMMANDS.commit);
    assert.equal(subject(), 'After forge');
  });

  it('is refused while our commit runs, with our lease as blocker, and granted afterwards', async () => {
    const hook = path.join(scenario.workspace, '.git/hooks/pre-commit');
    const go = path.join(scenario.workspace, '.git/go');
    writeFileSync(hook, '#!/bin/sh\nwhile [ ! -e .git/go ]; do sleep 0.02; done\n');
    chmodSync(hook, 0o755);
    await stageChange('During');
    const committing = vscode.commands.executeCommand(COMMANDS.commit);
    await whenTree(scenario.views.activeLeases, rows => rows.find(row => row.contextValue === 'owner.own'));
    const refused = await acquire('JOB-forge');
    assert.equal(refused.acquired, false);
    assert.ok(refused.blockers.every(({ ownerJobId }) => ownerJobId.startsWith('fast:leasehold-commit-')));
    writeFileSync(go, '');
    await committing;
    rmSync(hook);
    rmSync(go);
    assert.equal(subject(), 'During');
    assert.equal((await acquire('JOB-forge')).acquired, true);
    await release('JOB-forge');
  });
});
