/** Reads the files of a request again and compares what they say with what it says. */
import { sha256Hex } from '../../base/bytes.js';
import { isRefused } from '../../base/refusal.js';
import { readDocument } from '../documents/read.js';
import { readTable } from '../read.js';
import type { InputFile } from '../types.js';
import { compareDocument } from './documents.js';
import { compareTable } from './table.js';
import type { FileComparison, Found, Origin, Recorded } from './types.js';

/** Returns a comparison for each file of the request, in their order. */
export async function compareFiles(recorded: Recorded, files: readonly InputFile[]): Promise<readonly FileComparison[]> {
  const origins = recorded.request.provenance?.files ?? [];
  const given = matched(origins, files);
  const comparisons: FileComparison[] = [];
  for (const [i, origin] of origins.entries()) {
    const file = given[i];
    comparisons.push(
      file === undefined
        ? { ...unknown(origin.name ?? `file ${i + 1}`, false), reason: 'the file was not given' }
        : await compareFile(recorded, origin, i, file),
    );
  }
  return comparisons;
}

const unknown = (file: string, is_same_file: boolean) => ({ file, same: null, is_same_file, difference: null });

/** Returns the file for each that the request names: by its hash, else by its name, else by its position among the others. */
function matched(origins: readonly Origin[], files: readonly InputFile[]): readonly (InputFile | undefined)[] {
  const left = new Set(files);
  const given: (InputFile | undefined)[] = origins.map(() => undefined);
  const take = (fits: (file: InputFile, origin: Origin) => boolean): void =>
    origins.forEach((origin, i) => {
      const file = given[i] === undefined ? [...left].find((each) => fits(each, origin)) : undefined;
      if (file === undefined) return;
      given[i] = file;
      left.delete(file);
    });
  const hashes = new Map(files.map((file) => [file, sha256Hex(file.bytes)]));
  take((file, { sha256 }) => hashes.get(file) === sha256);
  take(({ name }, origin) => name === origin.name);
  if (left.size === given.filter((file) => file === undefined).length) take(() => true);
  return given;
}

async function compareFile(recorded: Recorded, origin: Origin, index: number, file: InputFile): Promise<FileComparison> {
  const name = origin.name ?? file.name;
  const is_same_file = sha256Hex(file.bytes) === origin.sha256;
  const found = await foundIn(recorded, origin, index, { name, bytes: file.bytes });
  if (typeof found === 'string') {
    const difference = { place: 'the file', recorded: `read by ${origin.reader}`, found };
    return { file: name, same: false, is_same_file, difference, reason: null };
  }
  const { reader, version, ...counts } = found;
  const isSame = counts.difference === null && (counts.quotes === undefined || counts.quotes.same === counts.quotes.all);
  if (!isSame && (reader !== origin.reader || version !== origin.version)) {
    const reason = `read by ${origin.reader} ${origin.version}, this is ${reader} ${version}`;
    return { ...unknown(name, is_same_file), reason };
  }
  return { file: name, same: isSame, is_same_file, ...counts, reason: null };
}

/** Returns what a file says beside the request, or why it is not read. */
async function foundIn(recorded: Recorded, origin: Origin, index: number, file: InputFile): Promise<Found | string> {
  if (recorded.request.work.kind !== 'research') {
    const workbook = await readTable(file.bytes);
    return isRefused(workbook) ? workbook.left.detail : compareTable(recorded.request, origin, file.name, workbook.right);
  }
  const document = await readDocument(file);
  return isRefused(document) ? document.left.detail : compareDocument(recorded, index, origin.name ?? null, document.right);
}
