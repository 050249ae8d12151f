/** `examples`: writes example missions to edit, one of each kind, and the spreadsheets that some could have been made from. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { utf8 } from '../../base/bytes.js';
import { errorCode } from '../../base/fault.js';
import { RefusalError } from '../../base/result.js';
import { templateFormat, templateKind } from '../../codec/api-intake.js';
import { kinds, type Kind } from '../../codec/kinds.js';
import { createFile, fileError, fsyncDirectory } from '../../home/files.js';
import { missionKind } from '../../kinds/table.js';
import { templateBytes } from './example-tables.js';

export interface ExamplesReport {
  readonly output: string;
  /** The mission files. */
  readonly files: readonly string[];
  readonly spreadsheets: readonly string[];
}

/** Returns the file of an example, ready to be edited. */
export const exampleText = (kind: Kind): string => `${JSON.stringify(missionKind(kind).example, null, 2)}\n`;

/** Writes the examples into a directory that must not exist. */
export function writeExamples(output: string): ExamplesReport {
  const directory = path.resolve(output);
  try {
    fs.mkdirSync(directory);
  } catch (error) {
    if (errorCode(error) === 'EEXIST')
      throw new RefusalError({ code: 'exists', detail: `${directory} exists already and is never overwritten` });
    throw fileError(error, directory);
  }
  const write = (name: string, bytes: Uint8Array): string => {
    const file = path.join(directory, name);
    createFile(file, bytes, 0o644);
    return file;
  };
  const files = kinds.map((kind) => write(`${kind}.json`, utf8(exampleText(kind))));
  const spreadsheets: string[] = [];
  for (const kind of templateKind.choices)
    for (const format of templateFormat.choices) spreadsheets.push(write(`${kind}.${format}`, templateBytes(kind, format)));
  fsyncDirectory(path.dirname(directory));
  return { output: directory, files, spreadsheets };
}
