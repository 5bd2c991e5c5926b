// node test/support/bootstrap.mjs NAME [ARGS]: on any clone, installs what is missing, builds, and runs out/test/NAME.js.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [name, ...args] = process.argv.slice(2);

function installed() {
  const stamp = path.join(root, 'node_modules/.package-lock.json');
  return existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(path.join(root, 'package-lock.json')).mtimeMs;
}

const wanted = Number(
  />=(\d+)/.exec(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).engines.node)[1],
);
if (Number(process.versions.node.split('.')[0]) < wanted) {
  console.error(`Leasehold needs Node ${wanted} or later; this is Node ${process.versions.node}.`);
  process.exit(1);
}
if (!installed()) {
  console.log('Installing packages...');
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: root, stdio: 'inherit' });
}
execFileSync(process.execPath, ['esbuild.mjs', '--tests'], { cwd: root, stdio: 'inherit' });

// Ctrl-C reaches the child by the terminal as well; it decides when to end, and its exit code is ours.
const child = spawn(process.execPath, ['--enable-source-maps', path.join(root, 'out/test', `${name}.js`), ...args], {
  cwd: root,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
