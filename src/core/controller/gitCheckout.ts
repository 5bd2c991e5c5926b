import path from 'node:path';
import { codeOf } from '../leaseError';
import type { FileSystem } from '../storage/fileSystem';
import { readText } from '../storage/recordFile';

/** A checkout as git's own files describe it; no git process is started. */
export interface GitCheckout {
  /** Real path of the top level. */
  readonly root: string;
  /** Real path of the directory that all worktrees of the repository share. */
  readonly commonDirectory: string;
  /** True for a linked worktree. */
  readonly linked: boolean;
  /** Absent when HEAD is detached or cannot be read. */
  readonly branch?: string;
}

interface Dependencies {
  readonly fileSystem: FileSystem;
  /** Resolves symbolic links; throws when the path does not exist. */
  readonly realPath: (file: string) => string;
}

/** Finds the checkout that a directory lies in; undefined when it lies in none. */
export function findGitCheckout(directory: string, dependencies: Dependencies): GitCheckout | undefined {
  let root: string;
  try {
    root = dependencies.realPath(directory);
  } catch {
    return undefined;
  }
  for (;;) {
    const gitDirectory = gitDirectoryOf(root, dependencies);
    if (gitDirectory) return describeOrNone(root, gitDirectory, dependencies);
    const parent = path.dirname(root);
    if (parent === root) return undefined;
    root = parent;
  }
}

/** The `url` of the remote `origin`, as the repository's own configuration spells it. */
export function originUrl(commonDirectory: string, fileSystem: FileSystem): string | undefined {
  const read = readText(fileSystem, path.join(commonDirectory, 'config'));
  if (read.kind !== 'text') return undefined;
  let inOrigin = false;
  for (const line of read.text.split(/\r?\n/)) {
    const [, section, rest = line] = /^\s*\[([^\]]*)\](.*)$/.exec(line) ?? [];
    if (section !== undefined) inOrigin = /^remote\s+"origin"$/i.test(section.trim());
    const url = inOrigin ? /^\s*url\s*=\s*("[^"]*"|[^#;]*?)\s*(?:[#;].*)?$/i.exec(rest)?.[1] : undefined;
    if (url) return url.replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

function gitDirectoryOf(root: string, { fileSystem, realPath }: Dependencies): string | undefined {
  const dotGit = path.join(root, '.git');
  try {
    if (fileSystem.lstatSync(dotGit).isFile()) {
      const read = readText(fileSystem, dotGit);
      const target = read.kind === 'text' ? /^gitdir:\s*(.+?)\s*$/m.exec(read.text)?.[1] : undefined;
      return target && realPath(path.resolve(root, target));
    }
    return realPath(dotGit);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** A repository whose own files lead nowhere is none; it must not keep others from being found. */
function describeOrNone(root: string, gitDirectory: string, dependencies: Dependencies): GitCheckout | undefined {
  try {
    return describe(root, gitDirectory, dependencies);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

function describe(root: string, gitDirectory: string, { fileSystem, realPath }: Dependencies): GitCheckout {
  const shared = lineOf(fileSystem, path.join(gitDirectory, 'commondir'));
  const branch = /^ref: refs\/heads\/(.+)$/.exec(lineOf(fileSystem, path.join(gitDirectory, 'HEAD')) ?? '')?.[1];
  return {
    root,
    commonDirectory: shared ? realPath(path.resolve(gitDirectory, shared)) : gitDirectory,
    linked: shared !== undefined,
    ...(branch ? { branch } : {}),
  };
}

function lineOf(fileSystem: FileSystem, file: string): string | undefined {
  const read = readText(fileSystem, file);
  return read.kind === 'text' ? read.text.trim() : undefined;
}
