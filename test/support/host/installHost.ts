import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** The server of VS Code 1.100.3 with the browser workbench, as the npm package `code-server` carries it. */
const VERSION = '4.100.3';
const INTEGRITY = 'sha512-q/Fh2DOxCRNhC/WiG/6sAhSKnj7ZACTVBaeeZ+rWjol//0FCbl/qg1ln5ecZ99jYcfqMxZZAyWcN+YBIo0DgpA==';
/** Raised when this file installs something else. */
const RECIPE = 1;
/** Addons that npm brings as source. All use Node's stable ABI, so one build serves every Node version. */
const ADDONS = ['@vscode/spdlog', 'native-watchdog', 'node-pty'];
/** What node-gyp needs, and the names under which it is content with it. */
const COMPILER = {
  'g++': ['g++', 'c++', 'clang++'],
  make: ['make', 'gmake'],
  python3: ['python3', 'python'],
} as const satisfies Record<string, readonly string[]>;
const NPM_INSTALL = ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];

/** Installs the host below `.vscode-test/` unless it is there, and returns its directory. Takes about a minute. */
export function installHost(root: string): string {
  const cache = path.join(root, '.vscode-test');
  const host = path.join(cache, `code-server-${VERSION}`);
  const stamp = path.join(host, 'installed.json');
  const wanted = JSON.stringify({ recipe: RECIPE, version: VERSION, arch: process.arch });
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return host;
  demandCompiler();
  console.log('Installing VS Code for the browser (once, about a minute)...');
  const temporary = path.join(cache, `.installing-${process.pid}`);
  fs.rmSync(temporary, { recursive: true, force: true });
  fs.mkdirSync(temporary, { recursive: true });
  try {
    unpack(temporary);
    run('npm', NPM_INSTALL, temporary);
    run('npm', NPM_INSTALL, path.join(temporary, 'extensions'));
    fs.symlinkSync('node_modules', path.join(temporary, 'node_modules.asar'));
    for (const addon of ADDONS) buildAddon(path.join(temporary, 'node_modules', addon));
    fs.writeFileSync(path.join(temporary, 'installed.json'), wanted);
    fs.rmSync(host, { recursive: true, force: true });
    fs.renameSync(temporary, host);
    return host;
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

/** Said before anything is downloaded: the addons are compiled last. */
function demandCompiler(): void {
  const directories = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const found = (name: string) => directories.some(directory => fs.existsSync(path.join(directory, name)));
  const missing = Object.entries(COMPILER).flatMap(([wanted, names]) => (names.some(found) ? [] : [wanted]));
  if (missing.length === 0) return;
  const names = missing.join(' ');
  throw new Error(
    `VS Code for the browser is compiled in part: install ${names} (on Debian: apt-get install ${names}).`,
  );
}

function unpack(directory: string): void {
  const [pack] = JSON.parse(
    run('npm', ['pack', '--json', '--ignore-scripts', `code-server@${VERSION}`], directory),
  ) as [{ filename: string; integrity: string }];
  if (pack.integrity !== INTEGRITY) throw new Error(`code-server ${VERSION} has another integrity: ${pack.integrity}`);
  run('tar', ['xzf', pack.filename, '--strip-components=3', '--exclude=*.map', 'package/lib/vscode'], directory);
  fs.rmSync(path.join(directory, pack.filename));
}

function buildAddon(directory: string): void {
  const bin = path.dirname(fs.realpathSync(process.execPath));
  const gyp = path.join(bin, '../lib/node_modules/npm/node_modules/node-gyp/bin/node-gyp.js');
  const headers = process.env.npm_config_nodedir ?? path.dirname(bin);
  const nodedir = fs.existsSync(path.join(headers, 'include/node/node_api.h')) ? { npm_config_nodedir: headers } : {};
  try {
    run(process.execPath, [gyp, 'rebuild', '--jobs=max'], directory, { ...process.env, ...nodedir });
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new Error(`${path.basename(directory)} of VS Code for the browser could not be compiled. ${detail}`);
  }
}

function run(command: string, args: readonly string[], cwd: string, env = process.env): string {
  try {
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio, maxBuffer: 1 << 26 });
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new Error(
      `${command} ${args.slice(0, 2).join(' ')} failed:\n${output.trim().split('\n').slice(-12).join('\n')}`,
    );
  }
}
