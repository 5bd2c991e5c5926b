import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { git } from '../support/gitRepository';
import { THEMES, UiWindow } from './window';

const VIEW = 'Active Leases';

for (const theme of Object.keys(THEMES) as (keyof typeof THEMES)[]) {
  describe(`what a person sees, ${theme}`, () => {
    let window: UiWindow;
    let lease: string;
    before(async () => {
      window = await UiWindow.open(theme);
    });
    after(async () => window.close());
    afterEach(async function () {
      if (this.currentTest?.isFailed()) await window.keepScreenshot(`${theme} ${this.currentTest.title}`);
    });

    it('says why there is nothing', async () => {
      const text = window.code.welcome(VIEW).getByText('Nothing is held in the open repositories');
      await text.waitFor();
      assert.equal(await window.code.status('leasehold.status').count(), 0, 'the status bar is quiet');
    });

    it('shows a row when another program takes a lease, and the count in the status bar', async () => {
      lease = window.scenario.home.writeLease({ owner: 'JOB-1842', timeToLiveMs: 600_000 });
      await window.code.row(VIEW, 'workspace').waitFor();
      const rows = await window.code.rows(VIEW);
      assert.deepEqual(
        rows.map(({ label, level }) => [label, level]),
        [
          ['app', 1],
          ['main checkout', 2],
          ['JOB-1842', 3],
          ['workspace', 4],
        ],
      );
      assert.match(rows[3]?.spoken ?? '', /^JOB-1842 holds workspace, write, until /);
      await window.code.status('leasehold.status').getByText('1').waitFor();
    });

    it('gives the record in the tooltip', async () => {
      const text = await window.code.hover(
        window.code.row(VIEW, 'workspace').locator('.label-name'),
        /Fencing token: 1/,
      );
      assert.match(text, /Owner: JOB-1842/);
    });

    it('refuses a commit, says who holds what until when, warns in the status bar, and shows the blocker', async () => {
      const { workspace } = window.scenario;
      appendFileSync(path.join(workspace, 'README.md'), 'More.\n');
      git(workspace, 'add', 'README.md');
      await window.code.run('Leases: Commit (Gated)');
      await window.code.type('Second');
      const sentence = window.code.notification('Commit did not run: JOB-1842 holds workspace (write) since');
      await sentence.waitFor();
      const status = window.code.status('leasehold.status');
      await status.getByText('JOB-1842 holds workspace').waitFor();
      assert.match((await status.getAttribute('class')) ?? '', /warning-kind/);
      await window.code.answer('Commit did not run', 'Show Blocker');
      await window.code.row('Blockers', 'Your commit did not run').waitFor();
      await window.code.row('Blockers', 'JOB-1842').waitFor();
      assert.equal(git(workspace, 'rev-list', '--count', 'HEAD').trim(), '1');
    });

    it('takes the row and the warning away when the lease is given back, and then the commit works', async () => {
      const { home, workspace } = window.scenario;
      home.remove(lease);
      await window.code.row(VIEW, 'workspace').waitFor({ state: 'detached' });
      await window.code.status('leasehold.status').waitFor({ state: 'detached' });
      await window.code.run('Leases: Commit (Gated)');
      await window.code.type('Second');
      await window.code.page.locator('.statusbar-item').getByText('Committed').waitFor();
      assert.equal(git(workspace, 'log', '-1', '--format=%s').trim(), 'Second');
    });

    it('tries again from the message, when the blocker has gone meanwhile', async () => {
      const { home, workspace } = window.scenario;
      const file = home.writeLease({ owner: 'process:proc_1' });
      await window.code.row(VIEW, 'process:proc_1').waitFor();
      appendFileSync(path.join(workspace, 'README.md'), 'Even more.\n');
      git(workspace, 'add', 'README.md');
      await window.code.run('Leases: Commit (Gated)');
      await window.code.type('Third');
      await window.code.notification('process:proc_1 holds workspace').waitFor();
      home.remove(file);
      const before = git(workspace, 'rev-parse', '--short=8', 'HEAD').trim();
      await window.code.answer('Commit did not run', 'Try Again');
      const committed = window.code.page
        .locator('.statusbar-item')
        .filter({ hasText: 'Committed', hasNotText: before });
      await committed.waitFor();
      assert.equal(git(workspace, 'log', '-1', '--format=%s').trim(), 'Third');
    });

    it('passes on what a hook says that refuses the commit', async () => {
      const { home, workspace } = window.scenario;
      const hook = path.join(workspace, '.git/hooks/pre-commit');
      writeFileSync(hook, '#!/bin/sh\necho "README.md: a key was found." >&2\nexit 1\n');
      chmodSync(hook, 0o755);
      appendFileSync(path.join(workspace, 'README.md'), 'Key.\n');
      git(workspace, 'add', 'README.md');
      await window.code.run('Leases: Commit (Gated)');
      await window.code.type('Refused');
      await window.code.notification('The commit failed: README.md: a key was found.').waitFor();
      // Not by Show Log: the log takes the focus when it has come, and closes the palette of the next test.
      await window.code.run('Notifications: Clear All Notifications');
      rmSync(hook);
      assert.deepEqual(readdirSync(home.activeLeases), []);
    });

    it('tells at once when the lease is taken away while git runs', async () => {
      const { home, workspace } = window.scenario;
      const hook = path.join(workspace, '.git/hooks/pre-commit');
      const go = path.join(workspace, '.git/go');
      writeFileSync(hook, '#!/bin/sh\nwhile [ ! -e .git/go ]; do sleep 0.02; done\n');
      chmodSync(hook, 0o755);
      await window.code.run('Leases: Commit (Gated)');
      await window.code.type('Lost');
      await window.code.row(VIEW, 'You').waitFor();
      for (const name of readdirSync(home.activeLeases)) home.remove(path.join(home.activeLeases, name));
      const told = window.code.notification('The commit lost its lease at');
      await told.waitFor({ timeout: 20_000 });
      assert.notEqual(git(workspace, 'log', '-1', '--format=%s').trim(), 'Lost', 'git still runs');
      writeFileSync(go, '');
      await window.code.status('leasehold.status').waitFor({ state: 'detached' });
      rmSync(hook);
    });

    it('writes nothing in a home that an agent runtime fences, and says so', async () => {
      const { home, workspace } = window.scenario;
      const fence = home.at('runtime', 'active-runtime-owner.json');
      mkdirSync(path.dirname(fence));
      writeFileSync(fence, '{}');
      appendFileSync(path.join(workspace, 'README.md'), 'Fenced.\n');
      git(workspace, 'add', 'README.md');
      await window.code.run('Leases: Commit (Gated)');
      await window.code.type('Fourth');
      await window.code.answer('the controller home takes no leases from this editor', 'Show Log');
      assert.notEqual(git(workspace, 'log', '-1', '--format=%s').trim(), 'Fourth');
      assert.deepEqual(readdirSync(home.activeLeases), []);
    });
  });
}
