import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../src/editor/ids';
import { allRows, noRowLabelled, openScenario, rowLabelled, type Scenario, whenTree } from './scenario';

describe('active leases', () => {
  let scenario: Scenario;
  before(async () => {
    scenario = await openScenario();
  });

  it('shows a lease that another program wrote, grouped by repository, checkout and owner, until it is given back', async () => {
    const { views, home } = scenario;
    const file = home.writeLease({ owner: 'JOB-7', resourceKey: `path:${home.checkoutId}:src/auth` });
    const row = await whenTree(views.activeLeases, rowLabelled('src/auth'));
    assert.equal(row.contextValue, 'lease.other');
    assert.match(row.spoken, /^JOB-7 holds src\/auth, write, until \d\d:\d\d:\d\d\.$/);
    const labels = allRows(views.activeLeases).map(({ label }) => label);
    assert.deepEqual(labels, ['app', 'main checkout', 'JOB-7', 'src/auth']);
    home.remove(file);
    await whenTree(views.activeLeases, noRowLabelled('src/auth'));
  });

  it('lets a lease go when it expires, without any file changing', async () => {
    const { views, home } = scenario;
    const file = home.writeLease({ owner: 'JOB-8', timeToLiveMs: 900 });
    await whenTree(views.activeLeases, rowLabelled('JOB-8'));
    await whenTree(views.activeLeases, noRowLabelled('JOB-8'));
    assert.ok(existsSync(file), 'nothing is deleted');
    home.remove(file);
  });

  it('gives the whole record in the tooltip, with the owner process as it is', async () => {
    const { views, home } = scenario;
    const file = home.writeLease({ owner: 'JOB-9', resourceKey: 'build-cache:all' });
    const element = await whenTree(views.activeLeases, () => views.activeLeases.tree.find(row => row.file === file));
    const item = views.activeLeases.tree.resolveTreeItem(new vscode.TreeItem(''), element);
    assert.ok(item.tooltip instanceof vscode.MarkdownString);
    const text = item.tooltip.value.replaceAll('&nbsp;', ' ').replaceAll('\\', '');
    for (const line of [
      'Owner: JOB-9',
      'Mode: write',
      'Fencing token: 1',
      `${process.pid} is running`,
      'Branch: main',
    ]) {
      assert.ok(text.includes(line), `${line} in ${text}`);
    }
    assert.equal(item.tooltip.isTrusted, undefined);
    home.remove(file);
  });

  it('lists what cannot be read as unreadable, and deletes nothing', async () => {
    const { views, home } = scenario;
    const bad: readonly [name: string, make: (file: string) => void, reason: RegExp][] = [
      ['LEASE-1-json.json', () => home.writeAmongLeases('LEASE-1-json.json', '{'), /not valid JSON/],
      ['LEASE-1-empty.json', () => home.writeAmongLeases('LEASE-1-empty.json', ''), /it is empty/],
      ['LEASE-1-directory.json', file => mkdirSync(file), /it is a directory/],
      ['LEASE-1-link.json', file => symlinkSync('/etc/hosts', file), /symbolic link/],
    ];
    for (const [name, make, reason] of bad) {
      const file = path.join(home.activeLeases, name);
      make(file);
      const row = await whenTree(views.activeLeases, rowLabelled(name));
      assert.equal(row.contextValue, 'unreadable');
      assert.match(row.description, reason);
      assert.equal(views.activeLeases.view.badge?.value, 1);
      rmSync(file, { recursive: true });
      await whenTree(views.activeLeases, noRowLabelled(name));
    }
    assert.equal(views.activeLeases.view.badge?.value, 0);
  });

  it('shows hostile text as text', async () => {
    const { views, home } = scenario;
    const owner = '$(zap) [x](command:evil) \u001b[31mred\u001b[0m \u202egnp\n# big';
    const file = home.writeLease({ owner, resourceKey: 'temp:\u202e`**x**' });
    const row = await whenTree(views.activeLeases, rows =>
      rows.find(candidate => candidate.contextValue === 'owner.other'),
    );
    assert.equal(row.label, '$ (zap) [x] (command:evil) red  gnp # big');
    home.remove(file);
    await whenTree(views.activeLeases, rows => (rows.length === 0 ? true : undefined));
  });

  it('copies a record as it lies on disk', async () => {
    const { views, home } = scenario;
    const file = home.writeLease({ owner: 'JOB-10' });
    const element = await whenTree(views.activeLeases, () => views.activeLeases.tree.find(row => row.file === file));
    await vscode.commands.executeCommand(COMMANDS.copyRecord, element);
    assert.equal(JSON.parse(await vscode.env.clipboard.readText()).ownerJobId, 'JOB-10');
    home.remove(file);
  });

  it('keeps the row of a lease that is renewed', async () => {
    const { views, home } = scenario;
    const file = home.writeLease({ owner: 'JOB-11', timeToLiveMs: 30_000 });
    const element = await whenTree(views.activeLeases, () => views.activeLeases.tree.find(row => row.file === file));
    home.renewLease(file, 600_000);
    await whenTree(views.activeLeases, rows =>
      rows.some(row => row.description === 'write, 10 min left') ? true : undefined,
    );
    assert.equal(
      views.activeLeases.tree.find(row => row.file === file),
      element,
    );
    home.remove(file);
  });
});
