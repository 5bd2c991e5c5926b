import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Which rooms a room below src/ may import from (ARCHITECTURE: arrows run one way). */
const MAY_IMPORT = {
  'core/storage': ['core'],
  'core/process': ['core'],
  'core/controller': ['core', 'core/storage', 'core/process'],
  'core/leases': ['core', 'core/storage', 'core/process', 'core/controller'],
  'core/gate': ['core', 'core/storage', 'core/process', 'core/controller', 'core/leases'],
  'core/picture': ['core', 'core/storage', 'core/process', 'core/controller', 'core/leases'],
} as const satisfies Record<string, readonly string[]>;

interface SourceFile {
  readonly file: string;
  readonly room: string;
  readonly imports: readonly string[];
}

function roomOf(file: string): string {
  const directory = path.dirname(file);
  return directory.startsWith('editor') ? 'editor' : directory;
}

const sources: SourceFile[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => ({
    file,
    room: roomOf(file),
    imports: [...readFileSync(path.join('src', file), 'utf8').matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)/g)].map(
      match => match[1] ?? match[2] ?? '',
    ),
  }));

const allImports = sources.flatMap(source => source.imports.map(target => ({ ...source, target })));

describe('walls between the rooms', () => {
  it('finds the sources', () => assert.ok(sources.some(source => source.file === 'extension.ts')));

  it('keeps vscode out of core and shim', () => {
    const leaks = allImports.filter(
      ({ file, target }) => target === 'vscode' && !/^(editor\/|extension\.ts)/.test(file),
    );
    assert.deepEqual(leaks, []);
  });

  it('lets arrows run one way', () => {
    const wrong = allImports.flatMap(({ file, room, target }) => {
      if (!target.startsWith('.')) return [];
      const to = roomOf(path.join(path.dirname(file), target));
      if (to === room || room === 'editor' || file === 'extension.ts') return [];
      const allowed: readonly string[] = MAY_IMPORT[room as keyof typeof MAY_IMPORT] ?? [];
      return allowed.includes(to) ? [] : [`${file} -> ${target}`];
    });
    assert.deepEqual(wrong, []);
  });

  it('has chokidar in one file', () => {
    assert.ok(new Set(allImports.filter(({ target }) => target === 'chokidar').map(({ file }) => file)).size <= 1);
  });

  it('takes the small entry of zod, and only where records are read', () => {
    const users = allImports.filter(({ target }) => target.startsWith('zod'));
    assert.deepEqual(
      users.filter(({ target, room }) => target !== 'zod/mini' || !/^core\/(storage|controller|leases)$/.test(room)),
      [],
    );
  });

  it('starts programs only from process, gate and shim', () => {
    const users = allImports.filter(({ target }) => /^(node:)?child_process$/.test(target));
    assert.deepEqual(
      users.filter(({ room }) => !/^(core\/process|core\/gate|shim)$/.test(room)),
      [],
    );
  });

  it('exports nothing by default', () => {
    const defaults = sources.filter(({ file }) =>
      /^export default/m.test(readFileSync(path.join('src', file), 'utf8')),
    );
    assert.deepEqual(defaults, []);
  });
});
