import path from 'node:path';

/** Where a controller home was named, first that applies. */
export type HomeSource = 'setting' | 'FORGE_CONTROLLER_HOME' | 'XDG_STATE_HOME' | 'default';

export interface ControllerHome {
  readonly path: string;
  readonly source: HomeSource;
}

export interface HomeSurroundings {
  /** The setting `leasehold.controllerHome`; blank counts as not set. */
  readonly setting?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  readonly platform: NodeJS.Platform;
}

/** The agents' controller home: made absolute, symbolic links not resolved; whether it exists is another question. */
export function resolveControllerHome({ setting, environment, homeDirectory }: HomeSurroundings): ControllerHome {
  const named = setting?.trim();
  if (named) return { path: path.resolve(expandTilde(named, homeDirectory)), source: 'setting' };
  const { FORGE_CONTROLLER_HOME, XDG_STATE_HOME } = environment;
  if (FORGE_CONTROLLER_HOME) return { path: path.resolve(FORGE_CONTROLLER_HOME), source: 'FORGE_CONTROLLER_HOME' };
  if (XDG_STATE_HOME) return { path: path.resolve(XDG_STATE_HOME, 'forge', 'controller'), source: 'XDG_STATE_HOME' };
  return { path: path.join(homeDirectory, '.forge', 'controller'), source: 'default' };
}

/** Leasehold's own home, used where there is no agents' home; it keeps editor windows apart. */
export function ownControllerHome({ environment, homeDirectory, platform }: HomeSurroundings): string {
  return path.join(stateDirectory(environment, homeDirectory, platform), 'leasehold', 'controller');
}

function stateDirectory(
  environment: HomeSurroundings['environment'],
  homeDirectory: string,
  platform: NodeJS.Platform,
): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = environment;
  if (XDG_STATE_HOME) return path.resolve(XDG_STATE_HOME);
  if (platform === 'darwin') return path.join(homeDirectory, 'Library', 'Application Support');
  if (platform === 'win32') return LOCALAPPDATA ?? path.join(homeDirectory, 'AppData', 'Local');
  return path.join(homeDirectory, '.local', 'state');
}

function expandTilde(named: string, homeDirectory: string): string {
  return named === '~' || /^~[\\/]/.test(named) ? path.join(homeDirectory, named.slice(1)) : named;
}
