import { existsSync } from 'node:fs';
import * as path from 'node:path';

/** The project's directory. Found by its lock file: a file's own depth is lost when it is bundled into another. */
export const projectRoot = findUpwards(__dirname);

function findUpwards(directory: string): string {
  if (existsSync(path.join(directory, 'package-lock.json'))) return directory;
  const parent = path.dirname(directory);
  if (parent === directory) throw new Error(`${__dirname} does not lie in the project.`);
  return findUpwards(parent);
}
