import { type ChildProcess, spawn } from 'node:child_process';
import * as path from 'node:path';
import { HostDirectory, type HostDirectoryOptions } from './hostDirectory';
import { installHost } from './installHost';

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

export interface ServerHostOptions extends HostDirectoryOptions {
  /** The project's own directory; the host lies in its `.vscode-test/`. */
  readonly root: string;
  /** Variables of the server; its extension hosts inherit them. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Further flags of the server. */
  readonly flags?: readonly string[];
  readonly nodeArguments?: readonly string[];
}

/** One isolated VS Code server: its data, its HOME and its temporary files lie in one directory that goes with it. */
export class ServerHost {
  /** Holds all that the server keeps; short, since socket paths are bounded. */
  readonly directory: string;
  readonly userData: string;
  private output = '';
  private port = 0;
  private readonly exited: Promise<void>;
  private readonly kill = () => this.killGroup('SIGKILL');
  private readonly endAtExit = () => {
    this.kill();
    this.data.remove();
  };

  private constructor(
    private readonly data: HostDirectory,
    private readonly server: ChildProcess,
  ) {
    this.directory = data.path;
    this.userData = data.at('ud');
    for (const stream of [server.stdout, server.stderr]) stream?.on('data', chunk => (this.output += chunk));
    this.exited = new Promise(resolve => server.once('exit', () => resolve()));
    process.once('exit', this.endAtExit);
  }

  static async start(options: ServerHostOptions): Promise<ServerHost> {
    const program = path.join(installHost(options.root), 'out/server-main.js');
    const data = new HostDirectory(options);
    // A group of its own: the server, its extension hosts and their children end together.
    const server = spawn(
      process.execPath,
      [...(options.nodeArguments ?? []), program, ...data.flags, ...FLAGS, ...(options.flags ?? [])],
      { env: data.environment(options.environment), stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    const host = new ServerHost(data, server);
    try {
      await host.listening();
    } catch (error) {
      await host.stop();
      throw error;
    }
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
    process.off('exit', this.endAtExit);
    this.data.remove();
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
