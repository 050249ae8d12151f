/**
 * From the bytes of files to the draft of a mission: what a file is shows its content, never its name. Each reader is loaded when there is something
 * for it to read, because to load the libraries of all of them takes longer than to read most files.
 */
import { sha256Hex } from '../base/bytes.js';
import { isRefused, refuse, type Result } from '../base/refusal.js';
import type { Kind } from '../codec/kinds.js';
import { contentOf } from './content.js';
import { readCsv } from './csv.js';
import { draftFromDocuments } from './documents/draft.js';
import { draftFromTable } from './mapping/draft.js';
import { isTableKind } from './mapping/synonyms.js';
import { fileFault, invalidFile } from './members.js';
import type { IntakeFault, IntakeOptions } from '../codec/api-intake.js';
import type { InputFile, Outcome, TextDocument, Workbook } from './types.js';

/** Returns the draft of a mission, a choice that only the owner of the files can make, or what is wrong with them. */
export async function readFiles(kind: Kind, files: readonly InputFile[], options: IntakeOptions): Promise<Outcome> {
  const [file, second] = files;
  if (file === undefined) return invalidFile('', 'there is no file');
  if (kind === 'research') return await readDocuments(files, options);
  if (!isTableKind(kind)) return invalidFile('', `a ${kind} mission is not made from files; write a mission file`);
  if (second !== undefined)
    return invalidFile(second.name, `a mission of the kind ${kind} is made from one table; give one file`);
  const workbook = await readTable(file.bytes);
  if (isRefused(workbook)) return invalidFile(file.name, workbook.left.detail);
  return draftFromTable(
    kind,
    { name: file.name, sha256: sha256Hex(file.bytes), bytes: file.bytes.length },
    workbook.right,
    options,
  );
}

/** Returns the draft that documents give, or what is wrong with each that is not read. */
async function readDocuments(files: readonly InputFile[], options: IntakeOptions): Promise<Outcome> {
  const documents: TextDocument[] = [];
  const errors: IntakeFault[] = [];
  const { readDocument } = await import('./documents/read.js');
  for (const file of files) {
    const document = await readDocument(file);
    if (isRefused(document)) errors.push(fileFault(file.name, document.left.detail));
    else documents.push(document.right);
  }
  return errors.length > 0 ? { outcome: 'invalid', errors, notes: [] } : draftFromDocuments(files, documents, options);
}

/** Returns the table that a file holds, whatever its format. */
export async function readTable(bytes: Uint8Array): Promise<Result<Workbook>> {
  const content = contentOf(bytes);
  const wanted = 'give a workbook (.xlsx) or a CSV file';
  if (content.type === 'zip') return (await import('./xlsx/workbook.js')).readXlsx(bytes);
  if (content.type === 'html') return (await import('./html-table.js')).readHtmlTables(bytes);
  if (content.type === 'pdf') return refuse({ code: 'invalid', detail: `this is a PDF, whose tables are not read; ${wanted}` });
  if (content.type === 'other') return refuse({ code: 'invalid', detail: `this is ${content.name}, not a table; ${wanted}` });
  return readCsv(bytes);
}
