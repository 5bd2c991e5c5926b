import { type ChildProcess, fork } from 'node:child_process';
import * as path from 'node:path';
import type { DemoWorld } from './demoWorld';

/** Real child processes that take, renew and give back leases of the demo's repository. */
export class DemoAgents {
  private readonly children: readonly ChildProcess[];

  constructor(world: DemoWorld) {
    const main = world.home.checkoutId;
    const linked = world.worktreeCheckoutId;
    this.children = [
      this.start(world, 'JOB-1842', main, [`workspace:${main}`, `path:${main}:src/auth`]),
      // These two wait for each other in the worktree. The main checkout is free whenever JOB-1842 rests.
      this.start(world, 'process:proc_login', linked, [`path:${linked}:docs/login.md`]),
      this.start(world, 'plugin:review-7', linked, [`path:${linked}:docs`, 'build-cache:leasehold-demo']),
    ];
  }

  /** Each gives back what it holds and ends. */
  async stop(): Promise<void> {
    await Promise.all(
      this.children.map(child => {
        if (child.exitCode !== null || child.signalCode !== null) return undefined;
        const ended = new Promise(resolve => child.once('exit', resolve));
        child.kill('SIGTERM');
        return ended;
      }),
    );
  }

  private start(world: DemoWorld, owner: string, checkoutId: string, keys: readonly string[]): ChildProcess {
    const { path: home, repoId } = world.home;
    return fork(path.join(__dirname, 'agent.js'), [home, repoId, owner, checkoutId, ...keys]);
  }
}
