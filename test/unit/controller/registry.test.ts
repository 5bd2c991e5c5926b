import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { readRegistry } from '../../../src/core/controller/registry';
import { nodeFileSystem } from '../../../src/core/storage/fileSystem';
import { FailingFileSystem } from '../../support/failingFileSystem';

describe('registry', () => {
  let home: string;
  let file: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'lh-registry-'));
    file = path.join(home, 'repositories.json');
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const entry = (members: Readonly<Record<string, unknown>> = {}) => ({
    repoId: 'repo_1',
    displayName: 'app',
    canonicalRoot: '/home/dev/app',
    checkouts: [{ checkoutId: 'c1', canonicalRoot: '/home/dev/app' }],
    ...members,
  });
  const write = (...repositories: readonly unknown[]) =>
    writeFileSync(file, JSON.stringify({ schemaVersion: 1, repositories, updatedAt: 'x' }));
  const read = () => readRegistry(nodeFileSystem, home);
  const readRepositories = () => {
    const registry = read();
    assert.ok(registry.kind === 'read');
    return registry;
  };

  it('gives repositories and checkouts, whatever else they carry', () => {
    write(entry({ remote: 'x', checkouts: [{ checkoutId: 'c1', canonicalRoot: '/a', branch: null, more: 1 }] }));
    const { repositories, invalidEntries } = readRepositories();
    assert.equal(invalidEntries, 0);
    assert.deepEqual(repositories, [entry({ checkouts: [{ checkoutId: 'c1', canonicalRoot: '/a', branch: null }] })]);
  });

  it('is absent when there is no file and when there is no home', () => {
    assert.deepEqual(read(), { kind: 'absent' });
    rmSync(home, { recursive: true });
    assert.deepEqual(read(), { kind: 'absent' });
  });

  const UNREADABLE: Readonly<Record<string, () => void>> = {
    'no JSON': () => writeFileSync(file, '{'),
    'an empty file': () => writeFileSync(file, ''),
    'a list': () => writeFileSync(file, '[]'),
    'another version': () => writeFileSync(file, JSON.stringify({ schemaVersion: 2, repositories: [] })),
    'no list of repositories': () => writeFileSync(file, JSON.stringify({ schemaVersion: 1 })),
    'a directory': () => mkdirSync(file),
    'a symbolic link': () => symlinkSync('/dev/null', file),
  };
  for (const [what, make] of Object.entries(UNREADABLE)) {
    it(`is unreadable, not absent: ${what}`, () => {
      make();
      const registry = read();
      assert.ok(registry.kind === 'unreadable');
      assert.equal(registry.file, file);
      assert.notEqual(registry.reason, '');
    });
  }

  for (const code of ['EACCES', 'EIO', 'EMFILE']) {
    it(`is unreadable, not absent: ${code}`, () => {
      write(entry());
      const failing = new FailingFileSystem({ operation: 'openSync', call: 1, code });
      assert.equal(readRegistry(failing.fileSystem, home).kind, 'unreadable');
    });
  }

  const INVALID: Readonly<Record<string, unknown>> = {
    null: null,
    text: 'repo_2',
    'no id': entry({ repoId: undefined }),
    'no checkouts': entry({ checkouts: undefined }),
    'a checkout without an id': entry({ checkouts: [{ canonicalRoot: '/a' }] }),
    'an id that leaves the home': entry({ repoId: '../../etc' }),
    'an id that is ..': entry({ repoId: '..' }),
    'an id that is .': entry({ repoId: '.' }),
    'an id with a slash': entry({ repoId: 'a/b' }),
    'an id with a backslash': entry({ repoId: 'a\\b' }),
    'an id with NUL': entry({ repoId: 'a\0b' }),
    'an empty id': entry({ repoId: '' }),
  };
  for (const [what, invalid] of Object.entries(INVALID)) {
    it(`counts and leaves out an entry that is not valid: ${what}`, () => {
      write(invalid, entry());
      const { repositories, invalidEntries } = readRepositories();
      assert.deepEqual([invalidEntries, repositories.map(({ repoId }) => repoId)], [1, ['repo_1']]);
    });
  }

  it('leaves out what was removed', () => {
    write(entry({ removedAt: '2026-01-01T00:00:00.000Z' }), entry({ repoId: 'repo_2', removedAt: null }));
    const { repositories, invalidEntries } = readRepositories();
    assert.deepEqual([invalidEntries, repositories.map(({ repoId }) => repoId)], [0, ['repo_2']]);
  });

  it('leaves out checkouts that are not active', () => {
    const checkouts = ['active', 'archived', 'removed', undefined].map((lifecycle, index) => ({
      checkoutId: `c${index}`,
      canonicalRoot: `/${index}`,
      lifecycle,
    }));
    write(entry({ checkouts }));
    const [repository] = readRepositories().repositories;
    assert.deepEqual(
      repository?.checkouts.map(({ checkoutId }) => checkoutId),
      ['c0', 'c3'],
    );
  });
});
