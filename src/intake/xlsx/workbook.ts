/**
 * Reads an Excel workbook (ECMA-376, Office Open XML): each sheet with the values that the file stores. Formulas are not computed, links not followed
 * and macros not run.
 */
import * as path from 'node:path/posix';
import { office_limits, unpackWithin } from '../../archive/foreign.js';
import { ok, refuse, RefusalError, type Result } from '../../base/refusal.js';
import type { Sheet, Workbook } from '../types.js';
import { formatOf, type NumberFormat } from './formats.js';
import { readSheet, type SheetContext } from './sheet.js';
import { damaged, readXml, RunText } from './xml.js';

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

/** Returns the elements of a part by their tags, in their order, without their text; none where the workbook lacks the part. */
function elementsOf(parts: Parts, part: string): readonly Element[] {
  const elements: Element[] = [];
  const open = (tag: string, attributes: Element['attributes']): void => void elements.push({ tag, attributes });
  readXml(parts.get(part) ?? empty, part, { open, close: () => {} });
  return elements;
}

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Returns the relations of a part by their ids; `''` is the package. */
function relationsOf(parts: Parts, part: string): ReadonlyMap<string, Relation> {
  const folder = path.dirname(part);
  const elements = elementsOf(parts, path.join(folder, '_rels', `${path.basename(part)}.rels`));
  const inside = elements.filter(({ tag, attributes }) => tag === 'Relationship' && attributes['TargetMode'] !== 'External');
  return new Map(
    inside.map(({ attributes: { Id = '', Type = '', Target = '' } }) => {
      const target = Target.startsWith('/') ? Target.slice(1) : path.join(folder, Target);
      return [Id, { type: path.basename(Type), target }];
    }),
  );
}

function sheetsOf(parts: Parts, main: string): readonly Sheet[] {
  const relations = relationsOf(parts, main);
  const partOf = (type: string): string => [...relations.values()].find((each) => each.type === type)?.target ?? '';
  partNamed(parts, main);
  const elements = elementsOf(parts, main);
  const has = (element: string, attribute: string): boolean =>
    elements.some(({ tag, attributes }) => tag === element && /^(?:1|true)$/.test(attributes[attribute] ?? ''));
  const strings = stringsOf(parts, partOf('sharedStrings'));
  const context: SheetContext = {
    strings,
    formats: formatsOf(parts, partOf('styles')),
    isMac: has('workbookPr', 'date1904'),
    isUncomputed: has('calcPr', 'fullCalcOnLoad'),
  };
  const listed = elements.filter(({ tag }) => tag === 'sheet');
  const sheets = listed.flatMap(({ attributes }) => {
    const { name = '', state = 'visible' } = attributes;
    const relation = relations.get(Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '');
    // A sheet may be a chart.
    if (relation !== undefined && relation.type !== 'worksheet') return [];
    const target = relation?.target ?? '';
    const sheet = readSheet(partNamed(parts, target), target, name, context);
    const hidden = state === 'visible' ? [] : [`The sheet ${name} is hidden.`];
    return [{ hidden, sheet: { ...sheet, notes: [...hidden, ...sheet.notes] } }];
  });
  // What people see is read before what is hidden.
  return sheets.toSorted((a, b) => a.hidden.length - b.hidden.length).map(({ sheet }) => sheet);
}

function partNamed(parts: Parts, name: string): Buffer {
  const bytes = parts.get(name);
  if (bytes === undefined) throw damaged(`the workbook is damaged: it lacks ${name === '' ? 'the part of a sheet' : name}`);
  return bytes;
}

/** Returns the texts that cells refer to by their number: the runs of each. */
function stringsOf(parts: Parts, part: string): readonly string[] {
  const strings: string[] = [];
  const runs = new RunText();
  readXml(parts.get(part) ?? empty, part, {
    open: (tag, attributes) => runs.open(tag, attributes),
    close: (tag, held) => {
      runs.close(tag, held);
      if (tag === 'si') strings.push(runs.text);
    },
  });
  return strings;
}

const empty = Buffer.from('<none/>');

/** Returns the formats of numbers that cells refer to by the number of their style. */
function formatsOf(parts: Parts, part: string): readonly NumberFormat[] {
  const elements = elementsOf(parts, part);
  const idOf = ({ attributes: { numFmtId = '0' } }: Element): number => Number(numFmtId);
  const codes = new Map(
    elements.filter(({ tag }) => tag === 'numFmt').map((each) => [idOf(each), each.attributes['formatCode']]),
  );
  // Those before belong to named styles.
  const ofCells = elements.slice(elements.findIndex(({ tag }) => tag === 'cellXfs') + 1);
  return ofCells.filter(({ tag }) => tag === 'xf').map((each) => formatOf(idOf(each), codes.get(idOf(each))));
}
