/** Files that a command names, as they are given to the readers, and the mission file that is made of them. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Json } from '../../base/canonical-json.js';
import { sources_max } from '../../base/limits.js';
import { RefusalError } from '../../base/refusal.js';
import { standard_stream } from '../../base/text.js';
import { createOutput, inputName, readNamed, requireAbsent } from '../../home/files.js';
import { input_file_bytes_max } from '../../intake/process/reading.js';
import type { InputFile } from '../../intake/types.js';

/** Reads files, the files of directories by their names, and standard input by `-`. @throws RefusalError */
export function inputFiles(named: readonly string[]): InputFile[] {
  const files = named.flatMap((name) =>
    isDirectory(name) ? filesBelow(name) : [name].map((file) => ({ file, shown: path.basename(file) })),
  );
  if (files.length > sources_max)
    throw new RefusalError('too_large', `${files.length} files are too many: at most ${sources_max}`);
  return files.map(({ file, shown }) => ({
    name: file === standard_stream ? inputName(file) : shown,
    bytes: readNamed(file, input_file_bytes_max),
  }));
}

const isDirectory = (name: string): boolean =>
  name !== standard_stream && fs.statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;

/** Returns the files below a directory, sorted by name, without those that are hidden or reached by a link. */
function filesBelow(directory: string): { readonly file: string; readonly shown: string }[] {
  const entries = fs.readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ file, shown: path.relative(directory, file).replaceAll(path.sep, '/') }))
    .filter(({ shown }) => !/(?:^|\/)\./.test(shown));
  if (files.length === 0) throw new RefusalError('invalid', `${directory} has no files`);
  return files.toSorted((a, b) => (a.shown < b.shown ? -1 : 1));
}

export const missionText = (draft: Json): string => `${JSON.stringify(draft, null, 2)}\n`;

/** @throws RefusalError `exists` before anything is read or asked for a file that could not be written */
export const requireNew = (file: string): void => {
  if (file !== standard_stream) requireAbsent(file);
};

/** Writes a mission file that must not exist. */
export const writeMission = (file: string, draft: Json): void => createOutput(file, missionText(draft));
