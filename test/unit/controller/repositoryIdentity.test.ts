import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { findGitCheckout, type GitCheckout, originUrl } from '../../../src/core/controller/gitCheckout';
import type { RegisteredRepository } from '../../../src/core/controller/registry';
import { identifyRepository } from '../../../src/core/controller/repositoryIdentity';
import { checkoutId, remoteRepositoryId, worktreeId } from '../../../src/core/controller/repositoryIds';
import { nodeFileSystem } from '../../../src/core/storage/fileSystem';
import { git, makeRepository } from '../../support/gitRepository';

const DEPENDENCIES = { fileSystem: nodeFileSystem, realPath: realpathSync.native };

describe('identity of a checkout', () => {
  let scratch: string;
  let app: string;
  before(() => {
    scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'lh-identity-')));
    app = makeRepository(path.join(scratch, 'app'));
    git(app, 'worktree', 'add', '--quiet', '-b', 'fix', path.join(scratch, 'app-fix'));
  });
  after(() => rmSync(scratch, { recursive: true, force: true }));

  function find(directory: string): GitCheckout {
    const checkout = findGitCheckout(directory, DEPENDENCIES);
    assert.ok(checkout, `${directory} lies in no checkout`);
    return checkout;
  }
  const identify = (directory: string, repositories: readonly RegisteredRepository[] = []) =>
    identifyRepository(find(directory), repositories, DEPENDENCIES);
  const registered = (root: string, members: Partial<RegisteredRepository> = {}): RegisteredRepository => ({
    repoId: 'repo_registered',
    canonicalRoot: root,
    checkouts: [{ checkoutId: 'checkout_registered', canonicalRoot: root }],
    ...members,
  });
  const localId = (commonDirectory: string) =>
    `repo_local_${createHash('sha256').update(commonDirectory).digest('hex').slice(0, 32)}`;

  describe('as git describes it', () => {
    it('the main checkout', () => {
      const wanted = { root: app, commonDirectory: path.join(app, '.git'), linked: false, branch: 'main' };
      assert.deepEqual(find(app), wanted);
    });

    it('a directory below it', () => assert.equal(find(path.join(app, 'src')).root, app));

    it('a symbolic link to it', () => {
      symlinkSync(app, path.join(scratch, 'link'));
      assert.equal(find(path.join(scratch, 'link/src')).root, app);
    });

    it('a linked worktree', () => {
      const root = path.join(scratch, 'app-fix');
      assert.deepEqual(find(root), { root, commonDirectory: path.join(app, '.git'), linked: true, branch: 'fix' });
    });

    it('a submodule, which is a repository of its own', () => {
      const outer = makeRepository(path.join(scratch, 'outer'));
      git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', app, 'inner');
      const inner = find(path.join(outer, 'inner'));
      assert.equal(inner.root, path.join(outer, 'inner'));
      assert.equal(inner.commonDirectory, path.join(outer, '.git/modules/inner'));
      assert.equal(inner.linked, false);
    });

    it('a detached head has no branch', () => {
      const detached = makeRepository(path.join(scratch, 'detached'));
      git(detached, 'checkout', '--quiet', '--detach');
      assert.equal(find(detached).branch, undefined);
    });

    it('a branch with slashes', () => {
      const branched = makeRepository(path.join(scratch, 'branched'));
      git(branched, 'checkout', '--quiet', '-b', 'feature/login/2');
      assert.equal(find(branched).branch, 'feature/login/2');
    });

    it('nothing outside a repository and nothing where nothing is', () => {
      assert.equal(findGitCheckout(scratch, DEPENDENCIES), undefined);
      assert.equal(findGitCheckout(path.join(scratch, 'nowhere'), DEPENDENCIES), undefined);
    });

    it('a repository whose own files lead nowhere is no checkout', () => {
      const broken = path.join(scratch, 'broken-common');
      mkdirSync(path.join(broken, '.git'), { recursive: true });
      writeFileSync(path.join(broken, '.git/commondir'), '/nowhere/at/all\n');
      assert.equal(findGitCheckout(broken, DEPENDENCIES), undefined);
    });

    it('a .git file that leads nowhere is no checkout', () => {
      const broken = path.join(scratch, 'broken');
      mkdirSync(broken);
      writeFileSync(path.join(broken, '.git'), 'gitdir: /nowhere/at/all\n');
      assert.equal(findGitCheckout(broken, DEPENDENCIES), undefined);
    });
  });

  describe('by the registry', () => {
    it('the path of a registered checkout', () => {
      const identity = identify(path.join(app, 'src'), [registered(app, { displayName: 'The App' })]);
      assert.deepEqual(
        [identity.repoId, identity.checkoutId, identity.displayName, identity.registered],
        ['repo_registered', 'checkout_registered', 'The App', true],
      );
      assert.equal(identity.worktreeId, worktreeId('repo_registered', app));
    });

    it('a linked worktree that is not registered itself', () => {
      const root = path.join(scratch, 'app-fix');
      const identity = identify(root, [registered(app)]);
      assert.deepEqual(
        [identity.repoId, identity.checkoutId, identity.registered],
        ['repo_registered', checkoutId('repo_registered', root), true],
      );
    });

    it('a registered worktree by its own path', () => {
      const root = path.join(scratch, 'app-fix');
      const checkouts = [
        { checkoutId: 'c_main', canonicalRoot: app },
        { checkoutId: 'c_fix', canonicalRoot: root, worktree: true },
      ];
      assert.equal(identify(root, [registered(app, { checkouts })]).checkoutId, 'c_fix');
    });

    it('another repository in another place does not count', () => {
      assert.equal(identify(app, [registered(path.join(scratch, 'elsewhere'))]).registered, false);
    });

    it('a repository whose path is gone does not count', () => {
      const root = path.join(scratch, 'app-fix');
      const identity = identify(root, [registered(path.join(scratch, 'gone')), registered(app, { repoId: 'repo_2' })]);
      assert.equal(identity.repoId, 'repo_2');
    });
  });

  describe('not registered', () => {
    it('without a remote: by the shared git directory, alike in all its worktrees', () => {
      const wanted = localId(path.join(app, '.git'));
      assert.deepEqual([identify(app).repoId, identify(path.join(scratch, 'app-fix')).repoId], [wanted, wanted]);
      assert.equal(identify(app).registered, false);
      assert.equal(identify(app).checkoutId, checkoutId(wanted, app));
      assert.equal(identify(app).displayName, 'app');
    });

    const SPELLINGS = [
      'git@example.com:Team/Cloned.git',
      'ssh://git@example.com/team/cloned.git/',
      'https://user:secret@example.com/team/cloned?x=1',
    ];
    for (const [index, url] of SPELLINGS.entries()) {
      it(`with a remote: by it, however it is spelled (${index + 1})`, () => {
        const cloned = makeRepository(path.join(scratch, `cloned-${index}`));
        git(cloned, 'remote', 'add', 'other', 'https://example.com/not/this.git');
        git(cloned, 'remote', 'add', 'origin', url);
        assert.equal(identify(cloned).repoId, remoteRepositoryId('example.com/team/cloned'));
      });
    }

    it('ids that files of the checkout claim are not read', () => {
      const claiming = makeRepository(path.join(scratch, 'claiming'));
      mkdirSync(path.join(claiming, '.ai/harness'), { recursive: true });
      const claimed = { repoId: 'repo_victim', checkoutId: 'checkout_victim', worktreeId: 'worktree_victim' };
      writeFileSync(path.join(claiming, '.ai/harness/repository.json'), JSON.stringify(claimed));
      const { repoId, checkoutId: checkout, worktreeId: worktree } = identify(claiming);
      const wanted = localId(path.join(claiming, '.git'));
      assert.deepEqual(
        [repoId, checkout, worktree],
        [wanted, checkoutId(wanted, claiming), worktreeId(wanted, claiming)],
      );
    });

    it('the id is a safe name whatever the remote says', () => {
      const hostile = makeRepository(path.join(scratch, 'hostile'));
      git(hostile, 'remote', 'add', 'origin', '../../../etc/passwd');
      assert.match(identify(hostile).repoId, /^repo_[0-9a-f]{24}$/);
    });
  });

  describe('address of origin', () => {
    const urlOf = (config: string) => {
      const directory = mkdtempSync(path.join(scratch, 'config-'));
      writeFileSync(path.join(directory, 'config'), config);
      return originUrl(directory, nodeFileSystem);
    };
    const CONFIGS: readonly (readonly [what: string, config: string, url: string | undefined])[] = [
      ['none', '[core]\n\tbare = false\n', undefined],
      ['only another remote', '[remote "other"]\n\turl = x:y\n', undefined],
      ['after other sections', '[remote "other"]\n\turl = a:b\n[remote "origin"]\n\tfetch = +x\n\turl = c:d\n', 'c:d'],
      ['ended by the next section', '[remote "origin"]\n[branch "main"]\n\turl = a:b\n', undefined],
      ['in quotes', '[remote "origin"]\n\turl = "a b"\n', 'a b'],
      ['in other cases, with a comment', '[Remote "origin"] ; ours\n\tURL = a:b # theirs\n', 'a:b'],
      ['on the line of its section', '[remote "origin"] url = a:b\n', 'a:b'],
      ['with Windows line ends', '[remote "origin"]\r\n\turl = a:b\r\n', 'a:b'],
    ];
    for (const [what, config, url] of CONFIGS) it(what, () => assert.equal(urlOf(config), url));

    it('is none without a configuration', () => assert.equal(originUrl(scratch, nodeFileSystem), undefined));
  });
});
