/** `examples`: writes example missions to edit, one of each kind. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { errorCode } from '../../base/fault.js';
import { RefusalError } from '../../base/result.js';
import { kinds, type Kind } from '../../codec/kinds.js';
import { createFile, fileError, fsyncDirectory } from '../../home/files.js';
import { missionKind } from '../../kinds/table.js';

export interface ExamplesReport {
  readonly output: string;
  readonly files: readonly string[];
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
  const files = kinds.map((kind) => {
    const file = path.join(directory, `${kind}.json`);
    createFile(file, Buffer.from(exampleText(kind)), 0o644);
    return file;
  });
  fsyncDirectory(path.dirname(directory));
  return { output: directory, files };
}
