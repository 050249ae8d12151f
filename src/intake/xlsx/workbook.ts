/**
 * Reads an Excel workbook (ECMA-376, Office Open XML): each sheet with the values that the file stores. Formulas are not computed, links not followed
 * and macros not run.
 */
import * as path from 'node:path/posix';
import { office_limits, unpackWithin } from '../../archive/foreign.js';
import { ok, refuse, RefusalError, type Result } from '../../base/result.js';
import type { Sheet, Workbook } from '../types.js';
import { formatOf, type NumberFormat } from './formats.js';
import { readSheet, type SheetContext } from './sheet.js';
import { damaged, readXml } from './xml.js';

const reader_version = 1;

type Parts = ReadonlyMap<string, Buffer>;

export async function readXlsx(bytes: Uint8Array): Promise<Result<Workbook>> {
  const names: string[] = [];
  const isWanted = (name: string): boolean =>
    names.push(name) > 0 && /\.(?:xml|rels)$/i.test(name) && !/\/(?:theme|drawings)\//.test(name);
  try {
    const parts = await unpackWithin(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      'the workbook',
      office_limits,
      isWanted,
    );
    const main = mainPart(parts, names);
    return ok({ type: 'table', reader: 'xlsx', version: reader_version, sheets: sheetsOf(parts, main), notes: [] });
  } catch (error) {
    if (error instanceof RefusalError) return refuse(error.refusal);
    throw error;
  }
}

/** Returns the name of the part that lists the sheets; names the format of an archive that is no workbook. */
function mainPart(parts: Parts, names: readonly string[]): string {
  const has = (pattern: RegExp): boolean => names.some((name) => pattern.test(name));
  if (has(/^xl\/workbook\.bin$/)) throw damaged('is a binary workbook (.xlsb); save it as .xlsx');
  if (has(/^word\//)) throw damaged('is a Word document (.docx), which has no sheets; give a workbook (.xlsx) or a CSV file');
  if (has(/^ppt\//)) throw damaged('is a presentation (.pptx), which has no sheets; give a workbook (.xlsx) or a CSV file');
  if (has(/^content\.xml$/)) throw damaged('is an OpenDocument file; save it as .xlsx or CSV');
  const main = [...relationsOf(parts, '').values()].find(({ type }) => type === 'officeDocument');
  if (main === undefined) throw damaged('is a ZIP archive and no workbook (.xlsx); unpack it and give the file inside');
  return main.target;
}

interface Relation {
  /** The last word of its type. */
  readonly type: string;
  /** The name of a part. */
  readonly target: string;
}

/** Returns the relations of a part by their ids; `''` is the package. */
function relationsOf(parts: Parts, part: string): ReadonlyMap<string, Relation> {
  const folder = path.dirname(part);
  const name = path.join(folder, '_rels', `${path.basename(part)}.rels`);
  const relations = new Map<string, Relation>();
  const bytes = parts.get(name);
  if (bytes === undefined) return relations;
  const open = (tag: string, { Id = '', Type = '', Target = '', TargetMode }: Readonly<Record<string, string>>): void => {
    if (tag !== 'Relationship' || TargetMode === 'External') return;
    const target = Target.startsWith('/') ? Target.slice(1) : path.join(folder, Target);
    relations.set(Id, { type: path.basename(Type), target });
  };
  readXml(bytes, name, { open, close: () => {} });
  return relations;
}

function sheetsOf(parts: Parts, main: string): readonly Sheet[] {
  const relations = relationsOf(parts, main);
  const partOf = (type: string): string => [...relations.values()].find((each) => each.type === type)?.target ?? '';
  const { listed, isMac } = readWorkbook(partNamed(parts, main), main);
  const strings = stringsOf(parts, partOf('sharedStrings'));
  const context: SheetContext = { strings, formats: formatsOf(parts, partOf('styles')), isMac };
  return listed.flatMap(({ name, id, isHidden }) => {
    const relation = relations.get(id);
    // A sheet may be a chart.
    if (relation !== undefined && relation.type !== 'worksheet') return [];
    const target = relation?.target ?? '';
    const sheet = readSheet(partNamed(parts, target), target, name, context);
    return isHidden ? [{ ...sheet, notes: [`The sheet ${name} is hidden.`, ...sheet.notes] }] : [sheet];
  });
}

function partNamed(parts: Parts, name: string): Buffer {
  const bytes = parts.get(name);
  if (bytes === undefined) throw damaged(`the workbook is damaged: it lacks ${name === '' ? 'the part of a sheet' : name}`);
  return bytes;
}

interface Listed {
  readonly name: string;
  /** The id of the relation to its part. */
  readonly id: string;
  readonly isHidden: boolean;
}

function readWorkbook(bytes: Buffer, part: string): { readonly listed: readonly Listed[]; readonly isMac: boolean } {
  const listed: Listed[] = [];
  let isMac = false;
  const open = (tag: string, attributes: Readonly<Record<string, string>>): void => {
    if (tag === 'workbookPr') isMac = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
    if (tag !== 'sheet') return;
    const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? '';
    listed.push({ name: attributes['name'] ?? '', id, isHidden: (attributes['state'] ?? 'visible') !== 'visible' });
  };
  readXml(bytes, part, { open, close: () => {} });
  return { listed, isMac };
}

/** Returns the texts that cells refer to by their number: the runs of each, without the pronunciation beside it. */
function stringsOf(parts: Parts, part: string): readonly string[] {
  const strings: string[] = [];
  let text = '';
  let isSpoken = false;
  readXml(parts.get(part) ?? empty, part, {
    open: (tag) => {
      if (tag === 'si') text = '';
      if (tag === 'rPh') isSpoken = true;
    },
    close: (tag, held) => {
      if (tag === 't' && !isSpoken) text += held;
      if (tag === 'rPh') isSpoken = false;
      if (tag === 'si') strings.push(text);
    },
  });
  return strings;
}

const empty = Buffer.from('<none/>');

/** Returns the formats of numbers that cells refer to by the number of their style. */
function formatsOf(parts: Parts, part: string): readonly NumberFormat[] {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let isOfCells = false;
  readXml(parts.get(part) ?? empty, part, {
    open: (tag, { numFmtId = '0', formatCode }) => {
      if (tag === 'numFmt' && formatCode !== undefined) codes.set(Number(numFmtId), formatCode);
      if (tag === 'cellXfs') isOfCells = true;
      if (tag === 'xf' && isOfCells) formats.push(formatOf(Number(numFmtId), codes.get(Number(numFmtId))));
    },
    close: (tag) => {
      if (tag === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}
