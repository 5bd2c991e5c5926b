import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { quietSettings } from './quietSettings';

export interface HostDirectoryOptions {
  /** Settings of the user. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings of the machine that runs the extension host; they win over those of the user. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** Directories of extensions that are installed before the start. */
  readonly installed?: readonly string[];
  /** A directory that stays after the host has stopped; without it, a temporary one that goes. */
  readonly directory?: string;
}

/** Sockets lie below the host's directory and their paths are bounded: on macOS os.tmpdir() alone is half of that. */
const SHORT_TEMPORARY_DIRECTORY = process.platform === 'win32' ? os.tmpdir() : '/tmp';
const GIT_CONFIG = '[user]\n\tname = Dev\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n';

/** All that one VS Code server keeps: settings, data, extensions, HOME and temporary files. */
export class HostDirectory {
  readonly path: string;
  private readonly temporary: boolean;

  constructor({ settings, machineSettings = {}, installed = [], directory }: HostDirectoryOptions) {
    this.temporary = directory === undefined;
    this.path = directory ?? fs.mkdtempSync(path.join(SHORT_TEMPORARY_DIRECTORY, 'lh-'));
    for (const name of ['ud/User', 'ud/Machine', 'home', 'ext', 'tmp']) {
      fs.mkdirSync(this.at(name), { recursive: true });
    }
    for (const extension of installed) {
      fs.cpSync(extension, this.at(`ext/${path.basename(extension)}`), { recursive: true });
    }
    fs.writeFileSync(this.at('ud/User/settings.json'), JSON.stringify({ ...quietSettings, ...settings }, null, 2));
    fs.writeFileSync(this.at('ud/Machine/settings.json'), JSON.stringify(machineSettings, null, 2));
    fs.writeFileSync(this.at('home/.gitconfig'), GIT_CONFIG);
  }

  at(name: string): string {
    return path.join(this.path, name);
  }

  /** Flags that send a server here. */
  get flags(): string[] {
    return [
      `--server-data-dir=${this.at('sd')}`,
      `--user-data-dir=${this.at('ud')}`,
      `--extensions-dir=${this.at('ext')}`,
    ];
  }

  /** This process's variables without those that steer git, Node or another VS Code, then `own`. */
  environment(own: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    const steering = /^(VSCODE_|ELECTRON_|NODE_OPTIONS$|GIT_)/;
    const inherited = Object.entries(process.env).filter(([name]) => !steering.test(name));
    return {
      ...Object.fromEntries(inherited),
      HOME: this.at('home'),
      TMPDIR: this.at('tmp'),
      EXTENSIONS_GALLERY: '{"serviceUrl":""}',
      ...own,
    };
  }

  remove(): void {
    if (this.temporary) fs.rmSync(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
