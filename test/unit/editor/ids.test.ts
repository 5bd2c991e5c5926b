import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { COMMANDS, CONTAINER_ID, EMPTY_REASON_KEY, EXTENSION_ID, VIEWS } from '../../../src/editor/ids';

interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string }[] };
    readonly viewsWelcome: readonly { readonly view: string; readonly when?: string; readonly contents: string }[];
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(text) as Manifest;
const { commands, menus, views, viewsContainers, viewsWelcome } = manifest.contributes;
const commandIds = Object.values(COMMANDS).sort();
const viewIds = Object.values(VIEWS).sort();

describe('names that package.json contributes', () => {
  it('the extension', () => assert.equal(`${manifest.publisher}.${manifest.name}`, EXTENSION_ID));

  it('the commands, all of them and no others', () => {
    assert.deepEqual(commands.map(({ command }) => command).sort(), commandIds);
  });

  it('the views, all of them and no others', () => {
    const contributed = Object.values(views).flat();
    assert.deepEqual(contributed.map(({ id }) => id).sort(), viewIds);
  });

  it('the container of the views', () => {
    assert.deepEqual(Object.keys(views), [CONTAINER_ID]);
    assert.deepEqual(
      viewsContainers.activitybar.map(({ id }) => id),
      [CONTAINER_ID],
    );
  });

  it('menus and links run commands that exist', () => {
    const used = [
      ...Object.values(menus)
        .flat()
        .map(({ command }) => command),
      ...[...text.matchAll(/\(command:([\w.]+)\)/g)].map(match => match[1] ?? ''),
    ];
    assert.deepEqual(
      used.filter(command => !commandIds.some(id => id === command)),
      [],
    );
  });

  it('every view says why it is empty', () => {
    assert.deepEqual(new Set(viewsWelcome.map(({ view }) => view)), new Set<string>(viewIds));
  });

  it('the tree of active leases has a text for every reason but that of the first reading', () => {
    const reasons = viewsWelcome.flatMap(({ when }) => (when === undefined ? [] : [when]));
    const wanted = ['nothingHeld', 'noHome', 'noRepository', 'notRegistered', 'ownHome', 'problem'];
    assert.equal(reasons.length, wanted.length);
    assert.deepEqual(new Set(reasons), new Set(wanted.map(reason => `${EMPTY_REASON_KEY} == ${reason}`)));
  });
});
