/** Lets Node keep what it compiles, so that the next command loads it in place of compiling it again. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import * as module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Returns the directory for it, which only this user can change: it holds code that is run. Null where there is none. */
function privateDirectory() {
  const named = process.env.XDG_CACHE_HOME || '';
  try {
    const caches = isAbsolute(named) ? named : join(homedir(), '.cache');
    const directory = join(caches, 'agent-cli');
    if (!isAbsolute(directory)) return null;
    // Not recursive, with which Node does not end below /proc.
    for (const path of [caches, directory]) if (!existsSync(path)) mkdirSync(path, 0o700);
    const found = lstatSync(directory);
    const isPrivate = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
    return isPrivate ? directory : null;
  } catch {
    return null;
  }
}

/** Node has this since 22.1. Coverage of code from the cache is less exact. */
export function keepCompiled() {
  const { NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env;
  if (module.enableCompileCache === undefined || (NODE_DISABLE_COMPILE_CACHE ?? NODE_V8_COVERAGE) !== undefined) return;
  const directory = privateDirectory();
  if (directory !== null) module.enableCompileCache(directory);
}
