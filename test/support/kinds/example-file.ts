/** The example mission of a kind as a file, for commands that read one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kind } from '../../../src/codec/kinds.js';
import { exampleText } from '../../../src/app/missions/examples.js';

let folder: string | null = null;

function made(): string {
  const path = mkdtempSync(join(tmpdir(), 'agent-examples-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function exampleFile(kind: Kind): string {
  folder ??= made();
  const file = join(folder, `${kind}.json`);
  writeFileSync(file, exampleText(kind));
  return file;
}
