/** The packages with native code: what to do when npm did not install their code, or installed it for another version of Node. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { errorCode } from '../base/fault.js';
import type { Refusal } from '../base/refusal.js';

/** Returns the refusal for an error that means that native code cannot be loaded, or null. */
export function bindingRefusal(error: unknown): Refusal | null {
  const message = error instanceof Error ? `${error.message}\n${error.cause instanceof Error ? error.cause.message : ''}` : '';
  const machine = `Node ${process.version} on ${process.platform} ${process.arch}`;
  if (errorCode(error) === 'ADDON_NOT_FOUND')
    return { code: 'engine_unavailable', detail: `sodium-native has no native build for ${machine}` };
  const older = olderLibrary.exec(message);
  if (older !== null) return olderLibraryRefusal(older[1] ?? '', older[2] ?? '');
  if (errorCode(error) === 'CANNOT_LOAD' && message.includes('sodium-native'))
    return { code: 'engine_unavailable', detail: `the native code of the package sodium-native cannot be loaded by ${machine}` };
  const isSqlite = /Could not locate the bindings file/.test(message) || /better_sqlite3\.node/.test(message);
  if (!isSqlite) return null;
  const detail = `better-sqlite3 has no native build for ${machine}`;
  return { code: 'engine_unavailable', detail, hint: `npm run install --prefix "${directoryOf('better-sqlite3')}"` };
}

/** The message of the dynamic loader about a symbol version that no library of the system has. */
const olderLibrary = /version `(GLIBC\w*_[\w.]+)' not found \(required by [^)]*\b(better.sqlite3|sodium-native)\.node\)/;

function olderLibraryRefusal(version: string, file: string): Refusal {
  const name = file.replace('better_', 'better-');
  const detail = `the native build of ${name} needs ${version}, which this system does not have`;
  const directory = directoryOf(name);
  // Only when the package has its sources; the portable folder leaves them out.
  const hint = existsSync(path.join(directory, 'binding.gyp')) ? `npm run build-release --prefix "${directory}"` : null;
  return { code: 'engine_unavailable', detail, ...(hint === null ? {} : { hint }) };
}

/** npm runs an install script that it is given by name, whatever its settings allow packages to run by themselves. */
const directoryOf = (name: string): string => path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
