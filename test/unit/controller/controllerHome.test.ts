import assert from 'node:assert/strict';
import * as path from 'node:path';
import {
  type HomeSurroundings,
  ownControllerHome,
  resolveControllerHome,
} from '../../../src/core/controller/controllerHome';

const around = (members: Partial<HomeSurroundings> = {}): HomeSurroundings => ({
  environment: {},
  homeDirectory: '/home/dev',
  platform: 'linux',
  ...members,
});
const ALL = { FORGE_CONTROLLER_HOME: '/forge/home', XDG_STATE_HOME: '/state' };

describe('controller home', () => {
  const cases: readonly (readonly [what: string, given: Partial<HomeSurroundings>, path: string, source: string])[] = [
    ['the setting before all else', { setting: '/set', environment: ALL }, '/set', 'setting'],
    ['the variable before the state directory', { environment: ALL }, '/forge/home', 'FORGE_CONTROLLER_HOME'],
    [
      'the state directory before the default',
      { environment: { XDG_STATE_HOME: '/state' } },
      '/state/forge/controller',
      'XDG_STATE_HOME',
    ],
    ['the default', {}, '/home/dev/.forge/controller', 'default'],
    ['a blank setting counts as none', { setting: ' \t' }, '/home/dev/.forge/controller', 'default'],
    [
      'empty variables count as none',
      { environment: { FORGE_CONTROLLER_HOME: '', XDG_STATE_HOME: '' } },
      '/home/dev/.forge/controller',
      'default',
    ],
    ['white space around the setting is cut', { setting: ' /set ' }, '/set', 'setting'],
    ['a setting may start with ~', { setting: '~/agents' }, '/home/dev/agents', 'setting'],
    ['a setting may be ~ alone', { setting: '~' }, '/home/dev', 'setting'],
    ['~ inside a name is a name', { setting: '/a/~b' }, '/a/~b', 'setting'],
    ['.. is resolved', { setting: '/a/../b/' }, '/b', 'setting'],
  ];
  for (const [what, given, wanted, source] of cases) {
    it(what, () => assert.deepEqual(resolveControllerHome(around(given)), { path: wanted, source }));
  }

  it('~name is a relative name and not a home of somebody', () => {
    assert.equal(resolveControllerHome(around({ setting: '~bob/x' })).path, path.resolve('~bob/x'));
  });

  it('a relative variable is made absolute', () => {
    const environment = { FORGE_CONTROLLER_HOME: 'rel' };
    assert.equal(resolveControllerHome(around({ environment })).path, path.resolve('rel'));
  });
});

describe('own controller home', () => {
  const cases: readonly (readonly [what: string, given: Partial<HomeSurroundings>, wanted: string])[] = [
    ['Linux', {}, '/home/dev/.local/state/leasehold/controller'],
    ['macOS', { platform: 'darwin' }, '/home/dev/Library/Application Support/leasehold/controller'],
    ['the state directory, anywhere', { environment: ALL, platform: 'darwin' }, '/state/leasehold/controller'],
    ['Windows', { environment: { LOCALAPPDATA: '/local' }, platform: 'win32' }, '/local/leasehold/controller'],
    ['Windows without its variable', { platform: 'win32' }, '/home/dev/AppData/Local/leasehold/controller'],
    ['never the one of the setting', { setting: '/set' }, '/home/dev/.local/state/leasehold/controller'],
  ];
  for (const [what, given, wanted] of cases) it(what, () => assert.equal(ownControllerHome(around(given)), wanted));
});
