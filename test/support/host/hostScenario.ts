import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { TestHome } from '../controllerHome';
import { makeRepository } from '../gitRepository';
import { projectRoot } from '../projectRoot';

/** A repository, a controller home that knows it, and a place for results: what a window under test is given. */
export class HostScenario {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'lh-scenario-'));
  readonly workspace: string;
  readonly home: TestHome;
  readonly out = path.join(this.directory, 'out');

  private readonly disposeAtExit = () => this.dispose();

  constructor() {
    process.once('exit', this.disposeAtExit);
    mkdirSync(this.out);
    this.workspace = makeRepository(path.join(this.directory, 'app'));
    this.home = new TestHome(path.join(this.directory, 'home'), this.workspace);
  }

  /** Variables for the window; the extension host inherits those of the server. */
  get environment(): Record<string, string> {
    return {
      FORGE_CONTROLLER_HOME: this.home.path,
      LEASEHOLD_TEST_HOME: this.home.path,
      LEASEHOLD_TEST_WORKSPACE: this.workspace,
      LEASEHOLD_TEST_OUT: this.out,
      LEASEHOLD_TEST_PEERS: path.join(projectRoot, 'test/peers'),
    };
  }

  read(name: string): string | undefined {
    const file = path.join(this.out, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  dispose(): void {
    process.off('exit', this.disposeAtExit);
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
