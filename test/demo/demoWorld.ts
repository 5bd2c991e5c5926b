import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { checkoutId } from '../../src/core/controller/repositoryIds';
import { TestHome } from '../support/controllerHome';
import { git, makeRepository } from '../support/gitRepository';

const FILES: Readonly<Record<string, string>> = {
  'src/auth/session.ts': [
    'export interface Session {',
    '  readonly user: string;',
    '  readonly expiresAt: number;',
    '}',
    '',
    'export function isAlive(session: Session, now: number): boolean {',
    '  return session.expiresAt > now;',
    '}',
    '',
  ].join('\n'),
  'src/api/routes.ts': "export const routes = ['/login', '/logout', '/me'];\n",
  'docs/login.md': '# Login\n\nA session lasts eight hours.\n',
  'test/session.test.ts': "import { isAlive } from '../src/auth/session';\n",
};

/** A repository with a linked worktree, and a controller home that knows both; all of it goes with `dispose`. */
export class DemoWorld {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'leasehold-demo-'));
  readonly workspace: string;
  readonly home: TestHome;
  readonly worktreeCheckoutId: string;

  constructor() {
    this.workspace = makeRepository(path.join(this.directory, 'leasehold-demo'));
    for (const [name, text] of Object.entries(FILES)) {
      const file = path.join(this.workspace, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    git(this.workspace, 'add', '.');
    git(this.workspace, 'commit', '--quiet', '--message', 'Sessions');
    const linked = path.join(this.directory, 'leasehold-demo-review');
    git(this.workspace, 'worktree', 'add', '--quiet', '-b', 'review/login', linked);
    const worktree = realpathSync(linked);
    this.home = new TestHome(path.join(this.directory, 'controller'), this.workspace);
    this.worktreeCheckoutId = checkoutId(this.home.repoId, worktree);
    const entry = this.home.entry();
    const checkouts = [
      ...(Array.isArray(entry.checkouts) ? entry.checkouts : []),
      {
        checkoutId: this.worktreeCheckoutId,
        localRoot: worktree,
        canonicalRoot: worktree,
        worktree: true,
        branch: 'review/login',
        lifecycle: 'active',
      },
    ];
    this.home.register([{ ...entry, checkouts }]);
  }

  /** Changes a file and stages it, so that there is something to commit. */
  stageChange(): void {
    writeFileSync(path.join(this.workspace, 'docs/login.md'), '# Login\n\nA session lasts four hours.\n');
    git(this.workspace, 'add', 'docs/login.md');
  }

  dispose(): void {
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
