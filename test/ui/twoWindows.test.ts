import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { git } from '../support/gitRepository';
import type { WorkbenchPage } from '../support/host/workbenchPage';
import { UiWindow } from './window';

describe('two windows on one repository', () => {
  let window: UiWindow;
  let second: WorkbenchPage;
  before(async () => {
    window = await UiWindow.open('light');
    second = await window.openSecond();
  });
  after(async () => window?.close());
  afterEach(async function () {
    if (this.currentTest?.isFailed()) await window.keepScreenshot(`two windows ${this.currentTest.title}`);
  });

  it('commit one after the other: the second is told of the first, and works when that has ended', async () => {
    const { workspace } = window.scenario;
    const at = (name: string) => path.join(workspace, '.git', name);
    writeFileSync(at('hooks/pre-commit'), '#!/bin/sh\nwhile [ ! -e .git/go ]; do sleep 0.02; done\n');
    chmodSync(at('hooks/pre-commit'), 0o755);
    appendFileSync(path.join(workspace, 'README.md'), 'More.\n');
    git(workspace, 'add', 'README.md');

    await window.code.run('Leases: Commit (Gated)');
    await window.code.type('From the first window');
    await window.code.row('Active Leases', 'You').waitFor();
    await window.code.status('leasehold.status').getByText('commit,').waitFor();
    await second.row('Active Leases', 'a commit in another window').waitFor();

    await second.run('Leases: Commit (Gated)');
    await second.type('From the second window');
    await second.notification('Commit did not run: a commit in another window holds workspace').waitFor();
    assert.equal(git(workspace, 'rev-list', '--count', 'HEAD').trim(), '1');

    writeFileSync(at('go'), '');
    await window.code.row('Active Leases', 'You').waitFor({ state: 'detached' });
    await second.row('Active Leases', 'a commit in another window').waitFor({ state: 'detached' });
    assert.equal(git(workspace, 'log', '-1', '--format=%s').trim(), 'From the first window');

    rmSync(at('hooks/pre-commit'));
    appendFileSync(path.join(workspace, 'README.md'), 'Even more.\n');
    git(workspace, 'add', 'README.md');
    await second.answer('Commit did not run', 'Try Again');
    await second.page.locator('.statusbar-item').filter({ hasText: 'Committed' }).waitFor();
    assert.equal(git(workspace, 'log', '-1', '--format=%s').trim(), 'From the second window');
  });
});
