import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { installHost } from './installHost';

/** Keeps the host quiet: no network, no tips, no trust questions. */
const QUIET = {
  'telemetry.telemetryLevel': 'off',
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'security.workspace.trust.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'git.autofetch': false,
  'window.commandCenter': false,
};

const FLAGS = [
  '--accept-server-license-terms',
  '--host=127.0.0.1',
  '--port=8100-8999',
  '--without-connection-token',
  '--telemetry-level=off',
  '--disable-workspace-trust',
  '--disable-update-check',
  '--disable-getting-started-override',
  '--force-disable-user-env',
  '--without-browser-env-var',
];

export interface ServerHostOptions {
  /** The project's own directory; the host lies in its `.vscode-test/`. */
  readonly root: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly nodeArguments?: readonly string[];
  /** Directories of extensions that are installed before the start. */
  readonly installed?: readonly string[];
}

/** One isolated VS Code server: its data, its HOME and its temporary files lie in one directory that goes with it. */
export class ServerHost {
  readonly userData: string;
  private output = '';
  private port = 0;
  private readonly exited: Promise<void>;
  private readonly kill = () => this.killGroup('SIGKILL');

  private constructor(
    /** Short, since socket paths are bounded. */
    readonly directory: string,
    private readonly server: ChildProcess,
  ) {
    this.userData = path.join(directory, 'ud');
    for (const stream of [server.stdout, server.stderr]) stream?.on('data', chunk => (this.output += chunk));
    this.exited = new Promise(resolve => server.once('exit', () => resolve()));
    process.once('exit', this.kill);
  }

  static async start(options: ServerHostOptions): Promise<ServerHost> {
    const installed = installHost(options.root);
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lh-'));
    const at = (name: string) => path.join(directory, name);
    for (const name of ['ud/User', 'ud/Machine', 'home', 'ext', 'tmp']) fs.mkdirSync(at(name), { recursive: true });
    for (const extension of options.installed ?? []) {
      fs.cpSync(extension, at(`ext/${path.basename(extension)}`), { recursive: true });
    }
    fs.writeFileSync(at('ud/User/settings.json'), JSON.stringify({ ...QUIET, ...options.settings }, null, 2));
    fs.writeFileSync(
      at('home/.gitconfig'),
      '[user]\n\tname = Dev\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n',
    );
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|GIT_)/.test(name),
    );
    const environment = {
      ...Object.fromEntries(inherited),
      HOME: at('home'),
      TMPDIR: at('tmp'),
      EXTENSIONS_GALLERY: '{"serviceUrl":""}',
      ...options.environment,
    };
    const places = [`--server-data-dir=${at('sd')}`, `--user-data-dir=${at('ud')}`, `--extensions-dir=${at('ext')}`];
    // A group of its own: the server, its extension hosts and their children end together.
    const server = spawn(
      process.execPath,
      [...(options.nodeArguments ?? []), path.join(installed, 'out/server-main.js'), ...places, ...FLAGS],
      { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    const host = new ServerHost(directory, server);
    await host.listening();
    return host;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What the workbench calls this host. */
  get authority(): string {
    return `vscode-remote://127.0.0.1:${this.port}`;
  }

  get log(): string {
    return this.output;
  }

  /** The last words about an extension host that ended; undefined while all that were started run. */
  get extensionHostExit(): string | undefined {
    return [...this.output.matchAll(/Extension Host Process exited with code: \S+, signal: \S+/g)].at(-1)?.[0];
  }

  /** Resolves when every extension host ended by itself after its page was left; false after `ms`. */
  async drained(ms = 8_000): Promise<boolean> {
    const count = (words: string) => this.output.split(words).length - 1;
    const done = () =>
      count('Launched Extension Host Process') <= count('Extension Host Process exited with code') ? true : undefined;
    return (await this.when(done, ms)) ?? false;
  }

  async stop(): Promise<void> {
    this.killGroup('SIGTERM', this.server.pid);
    const late = setTimeout(this.kill, 5_000);
    await this.exited;
    clearTimeout(late);
    this.kill();
    process.off('exit', this.kill);
    fs.rmSync(this.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  private async listening(): Promise<void> {
    const port = await this.when(() => {
      if (this.server.exitCode !== null) throw new Error(`VS Code's server ended:\n${this.output}`);
      return /Extension host agent listening on (\d+)/.exec(this.output)?.[1];
    }, 30_000);
    if (!port) throw new Error(`VS Code's server was not ready within 30 s:\n${this.output}`);
    this.port = Number(port);
  }

  /** Asks again at each line that the server prints, until there is an answer. */
  private when<T>(ask: () => T | undefined, ms: number): Promise<T | undefined> {
    const { stdout, stderr } = this.server;
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(deadline);
        for (const stream of [stdout, stderr]) stream?.off('data', look);
        this.server.off('exit', look);
        settle();
      };
      const look = () => {
        try {
          const answer = ask();
          if (answer !== undefined) finish(() => resolve(answer));
        } catch (error) {
          finish(() => reject(error));
        }
      };
      const deadline = setTimeout(() => finish(() => resolve(undefined)), ms);
      for (const stream of [stdout, stderr]) stream?.on('data', look);
      this.server.on('exit', look);
      look();
    });
  }

  private killGroup(signal: NodeJS.Signals, target = -(this.server.pid ?? 0)): void {
    try {
      if (target) process.kill(target, signal);
    } catch {
      // It has ended already.
    }
  }
}
