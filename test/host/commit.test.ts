import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { GitRepository } from '../../src/editor/git/gitExtension';
import { COMMANDS } from '../../src/editor/ids';
import { git } from '../support/gitRepository';
import { openedRepository, openScenario, rowLabelled, type Scenario, whenTree } from './scenario';

describe('gated commit', () => {
  let scenario: Scenario;
  let repository: GitRepository;
  before(async () => {
    scenario = await openScenario();
    repository = await openedRepository();
  });

  const head = () => git(scenario.workspace, 'rev-parse', 'HEAD').trim();
  const subject = () => git(scenario.workspace, 'log', '-1', '--format=%s').trim();
  const heldFiles = () => readdirSync(scenario.home.activeLeases);

  function stageChange(message: string): void {
    appendFileSync(path.join(scenario.workspace, 'README.md'), `${message}\n`);
    git(scenario.workspace, 'add', 'README.md');
    repository.inputBox.value = message;
  }

  it('commits what is staged under a lease and gives the lease back', async () => {
    const before = head();
    stageChange('Second');
    await vscode.commands.executeCommand(COMMANDS.commit);
    assert.notEqual(head(), before);
    assert.equal(subject(), 'Second');
    assert.deepEqual(heldFiles(), []);
  });

  it('holds workspace, index, head and refs while git runs, and no repository lock', async () => {
    const { home, views, workspace } = scenario;
    const hook = path.join(workspace, '.git/hooks/pre-commit');
    const go = path.join(workspace, '.git/go');
    writeFileSync(hook, '#!/bin/sh\nwhile [ ! -e .git/go ]; do sleep 0.02; done\n');
    chmodSync(hook, 0o755);
    stageChange('Third');
    const committing = vscode.commands.executeCommand(COMMANDS.commit);
    const owner = await whenTree(views.activeLeases, rows =>
      rows.find(row => row.contextValue === 'owner.own' && row.children.length === 5),
    );
    assert.equal(owner.label, 'You');
    assert.deepEqual(owner.children.map(row => row.label).sort(), [
      'head',
      'index',
      'ref HEAD',
      'refs/heads/*',
      'workspace',
    ]);
    assert.ok(owner.children.every(row => row.contextValue === 'lease.own'));
    assert.equal(existsSync(home.lockFile), false, 'the repository lock is not held while git runs');
    writeFileSync(go, '');
    await committing;
    rmSync(hook);
    rmSync(go);
    assert.equal(subject(), 'Third');
    assert.deepEqual(heldFiles(), []);
  });

  it('runs nothing while another owner holds the checkout, names the blocker, and works when it is gone', async () => {
    const { home, views } = scenario;
    const before = head();
    const file = home.writeLease({ owner: 'JOB-99' });
    await whenTree(views.activeLeases, rowLabelled('JOB-99'));
    stageChange('Fourth');
    await vscode.commands.executeCommand(COMMANDS.commit);
    const row = await whenTree(views.blockers, rows => rows.find(candidate => candidate.contextValue === 'refusal'));
    assert.match(
      row.spoken,
      /^Commit did not run: JOB-99 holds workspace \(write\) since \d\d:\d\d:\d\d, until \d\d:\d\d:\d\d\.$/,
    );
    assert.deepEqual(
      row.children.map(child => child.label),
      ['JOB-99'],
    );
    assert.equal(head(), before);
    assert.equal(views.activeLeases.view.badge?.value, 1);

    home.remove(file);
    await whenTree(views.blockers, rows => (rows.length === 0 ? true : undefined));
    await vscode.commands.executeCommand(COMMANDS.commit);
    assert.equal(subject(), 'Fourth');
    assert.equal(views.activeLeases.view.badge?.value, 0);
  });

  it('runs nothing while a lease file cannot be read, and names the file', async () => {
    const { home, views } = scenario;
    const before = head();
    const file = home.writeAmongLeases('LEASE-3-bad.json', '{"schemaVersion":1}');
    stageChange('Fifth');
    await vscode.commands.executeCommand(COMMANDS.commit);
    const row = await whenTree(views.blockers, rows => rows.find(candidate => candidate.contextValue === 'refusal'));
    assert.match(row.spoken, /^Commit did not run: the lease file LEASE-3-bad\.json cannot be read/);
    assert.equal(head(), before);
    home.remove(file);
    await whenTree(views.blockers, rows => (rows.length === 0 ? true : undefined));
  });

  it('holds nothing after a commit that a hook refused', async () => {
    const hook = path.join(scenario.workspace, '.git/hooks/pre-commit');
    writeFileSync(hook, '#!/bin/sh\necho A key was found. >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    const before = head();
    await vscode.commands.executeCommand(COMMANDS.commit);
    assert.equal(head(), before);
    assert.deepEqual(heldFiles(), []);
    rmSync(hook);
    await vscode.commands.executeCommand(COMMANDS.commit);
    assert.equal(subject(), 'Fifth');
  });
});
