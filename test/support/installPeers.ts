import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { projectRoot } from './projectRoot';

/** Installs the peer, a dependency of `test/peers` alone, unless it is there and as new as its lock file. */
export function installPeers(): void {
  const directory = path.join(projectRoot, 'test/peers');
  const stamp = path.join(directory, 'node_modules/.package-lock.json');
  const lock = path.join(directory, 'package-lock.json');
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs) return;
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefix', directory], { cwd: projectRoot, stdio: 'inherit' });
}
