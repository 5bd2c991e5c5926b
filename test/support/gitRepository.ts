import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

/** Runs git in a repository that a test made, with an identity of its own and nobody's settings. */
export function git(root: string, ...args: string[]): string {
  const environment = {
    PATH: process.env.PATH,
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Dev',
    GIT_AUTHOR_EMAIL: 'dev@example.com',
    GIT_COMMITTER_NAME: 'Dev',
    GIT_COMMITTER_EMAIL: 'dev@example.com',
  };
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', env: environment, stdio: 'pipe' });
}

/** Makes a repository with one commit on `main` and returns its real path. */
export function makeRepository(directory: string): string {
  mkdirSync(path.join(directory, 'src'), { recursive: true });
  const root = realpathSync(directory);
  git(root, 'init', '--quiet', '--initial-branch=main');
  // For whoever commits here with a HOME of its own, as an editor does: an identity, and no signature to ask for.
  git(root, 'config', 'user.name', 'Dev');
  git(root, 'config', 'user.email', 'dev@example.com');
  git(root, 'config', 'commit.gpgSign', 'false');
  writeFileSync(path.join(root, 'README.md'), '# App\n');
  writeFileSync(path.join(root, 'src/login.ts'), 'export const login = () => true;\n');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '--message', 'First');
  return root;
}
