// Builds the extension into dist/ and, with --tests, every TypeScript file below test/ into out/test/.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import esbuild from 'esbuild';

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  sourcemap: true,
  logLevel: 'warning',
};

const extension = {
  ...shared,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  external: ['vscode'],
  minify: true,
};

const tests = () => ({
  ...shared,
  entryPoints: readdirSync('test', { recursive: true })
    .filter(file => file.endsWith('.ts') && !file.includes('node_modules'))
    .map(file => path.join('test', file)),
  outbase: '.',
  outdir: 'out',
  packages: 'external',
  external: ['vscode'],
});

if (process.argv.includes('--watch')) {
  await (await esbuild.context({ ...extension, logLevel: 'info' })).watch();
} else {
  await esbuild.build(extension);
  if (process.argv.includes('--tests')) {
    rmSync('out', { recursive: true, force: true });
    await esbuild.build(tests());
  }
}
