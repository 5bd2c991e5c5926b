import * as fs from 'node:fs';

/** The file operations that stores use, all synchronous; Node's `fs` is one, a failing one is used in tests. */
export type FileSystem = Pick<
  typeof fs,
  | 'closeSync'
  | 'fstatSync'
  | 'linkSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readFileSync'
  | 'readdirSync'
  | 'renameSync'
  | 'unlinkSync'
  | 'writeFileSync'
>;

export const nodeFileSystem: FileSystem = fs;
