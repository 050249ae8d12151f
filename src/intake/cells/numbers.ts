/**
 * Numbers of a column: thousands and decimal marks of any locale, signs, parentheses for negative amounts, currencies and units. A column in which
 * every mark stands before exactly three digits is ambiguous, however many rows agree.
 */
import { FaultList, isMissing, textOf, type Column, type ColumnCell, type ColumnReading } from './column.js';
import { isCurrency, unitOf, unitOfHeader, type Unit } from './units.js';

export type DecimalMark = '.' | ',';

/** The parts of a cell that is a number in some locale. */
interface NumberParts {
  /** Digits and marks, with every kind of space as a space and every apostrophe as '. */
  readonly core: string;
  readonly negative: boolean;
  readonly exponent: string;
  readonly unit: Unit | null;
}

/** No number is as long as a text that would cost time. */
const number_chars_max = 400;

type NumberFault = 'letters' | 'text' | 'two units';

const pattern = /^(?<lead>[^\d.,]*)(?<core>\d[\d.,' ]*|[.,]\d+)(?:[eE](?<exponent>[+-]?\d{1,3})(?![\p{L}\d]))?(?<tail>[^]*)$/u;

/** Returns the text with one kind of space, apostrophe and minus sign. A line break or tab separates two numbers, so it stays. */
const plain = (text: string): string =>
  text
    .trim()
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[’ʼ`´]/g, "'")
    .replace(/^'/, '')
    .replace(/[−‒–—﹣－]/g, '-')
    .replace(/(?<=\d[.,])--?(?!\d)/, '00')
    .replace(/(?<=\d)\/-$/, '')
    .replace(/^(-?)(Fr|Rs|kr)\. ?(?=\d)/i, '$1$2 ');

/** Returns the parts of a number, or why a text is not one. */
export function numberParts(text: string): NumberParts | NumberFault {
  if (text.length > number_chars_max) return 'text';
  let rest = plain(text);
  const inParentheses = /^(?<before>[^()\d]*)\((?<inner>[^()]*)\)(?<after>[^()\d]*)$/.exec(rest)?.groups;
  if (inParentheses !== undefined) rest = `${inParentheses['before']}${inParentheses['inner']}${inParentheses['after']}`;
  const found = pattern.exec(rest)?.groups;
  if (found === undefined) return /\d/.test(rest) ? 'letters' : 'text';
  const { lead = '', tail = '', exponent = '' } = found;
  const before = lead.replace(/[-+]/, '').trim();
  const isTrailing = /^ ?-/.test(tail) && !lead.includes('-');
  const after = (isTrailing ? tail.replace('-', '') : tail).trim();
  const units = [before, after].filter((part) => part !== '').map(unitOf);
  if (before !== '' && !isCurrency(before)) return 'letters';
  if (units.includes(null) || isLetterForDigit(tail)) return 'letters';
  if (units.length === 2 && units[0]?.name !== units[1]?.name && !multiples.has(after)) return 'two units';
  const signs = [inParentheses !== undefined, lead.includes('-'), isTrailing].filter(Boolean).length;
  if (signs > 1) return 'letters';
  return { core: (found['core'] ?? '').trim(), negative: signs === 1, exponent, unit: unitOfParts(units) };
}

/** Letters that stand for thousands, millions or billions. The number stays as it is written: they are part of the unit. */
const multiples = new Set(['k', 'K', 'm', 'M', 'bn', 'B', 'Mio', 'Mio.', 'Mrd', 'Mrd.', 'Tsd', 'Tsd.']);

function unitOfParts(units: readonly (Unit | null)[]): Unit | null {
  const [first = null, second = null] = units;
  if (first === null || second === null || first.name === second.name) return first;
  return { name: `${second.name} ${first.name}`, known: true };
}

/** Returns whether a letter that looks like a digit follows the digits at once, as in `3O`. */
const isLetterForDigit = (tail: string): boolean => /^[OoIlSB]$/.test(tail);

/** Returns whether a text is a number by one of the marks. */
export function isNumberText(text: string): boolean {
  const parts = numberParts(text);
  return typeof parts === 'object' && (['.', ','] as const).some((mark) => magnitudeOf(parts.core, mark) !== null);
}

/** Returns the digits and the thousands mark, null without one, if the decimal mark is this one; null if they cannot be. */
function magnitudeOf(core: string, decimal: DecimalMark) {
  const [whole = '', fraction, ...more] = core.split(decimal);
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return null;
  if (whole === '') return fraction === undefined ? null : { digits: `0.${fraction}`, separator: null };
  const separator = /[^\d]/.exec(whole)?.[0] ?? null;
  // Groups of two digits are those of India: 12,34,567.
  if (separator !== null && !/^[1-9](?:\d{0,2}(?:[., ']\d{3})+|\d?(?:,\d\d)+,\d{3})$/.test(whole)) return null;
  const digits = separator === null ? whole : whole.split(separator).join('');
  if (!/^\d+$/.test(digits)) return null;
  return { digits: fraction === undefined ? digits : `${digits}.${fraction}`, separator };
}

type Decision =
  | { readonly decision: 'mark'; readonly decimal: DecimalMark }
  /** Both marks fit and give different values, first here. */
  | { readonly decision: 'ambiguous'; readonly index: number }
  | { readonly decision: 'none'; readonly misfits: readonly number[] };

/** Returns which decimal mark fits all of the digits with marks. A column has one thousands mark. */
export function decimalOf(cores: readonly string[], option: DecimalMark | undefined): Decision {
  const [point, comma] = [misfits(cores, '.'), misfits(cores, ',')];
  if (point.length > 0 && comma.length > 0) return { decision: 'none', misfits: point.length <= comma.length ? point : comma };
  if (comma.length > 0) return { decision: 'mark', decimal: '.' };
  if (point.length > 0) return { decision: 'mark', decimal: ',' };
  const index = cores.findIndex((core) => magnitudeOf(core, '.')?.digits !== magnitudeOf(core, ',')?.digits);
  if (index < 0 || option !== undefined) return { decision: 'mark', decimal: option ?? '.' };
  return { decision: 'ambiguous', index };
}

function misfits(cores: readonly string[], decimal: DecimalMark): number[] {
  const list: number[] = [];
  let separator: string | null = null;
  cores.forEach((core, i) => {
    const magnitude = magnitudeOf(core, decimal);
    if (magnitude === null || (magnitude.separator ?? separator) !== (separator ?? magnitude.separator)) list.push(i);
    else separator ??= magnitude.separator;
  });
  return list;
}

/** Returns the value of digits and marks; NaN where they do not fit the decimal mark. */
export const magnitude = (core: string, decimal: DecimalMark): number => Number(magnitudeOf(core, decimal)?.digits ?? 'none');

function valueOf({ core, negative, exponent }: NumberParts, decimal: DecimalMark): number {
  const digits = magnitudeOf(core, decimal)?.digits ?? 'none';
  const value = Number(exponent === '' ? digits : `${digits}e${exponent}`);
  return negative && value !== 0 ? -value : value;
}

interface ReadCell {
  readonly entry: ColumnCell;
  readonly at: number;
  readonly parts: NumberParts;
}

const letterAdvice = 'Write these cells with digits only.';
const faultTexts: Readonly<Record<NumberFault, readonly [cause: string, advice: string]>> = {
  letters: ['letters or signs in a number', letterAdvice],
  text: ['text, not a number', 'Write numbers there, or leave the cells blank.'],
  'two units': ['two units in a cell', 'Write one unit in all cells.'],
};

/** Reads a column of numbers. Its unit is the one that all cells have, or that its header has in parentheses. */
export function readNumbers(column: Column, { decimal }: { readonly decimal?: DecimalMark | undefined }): ColumnReading<number> {
  const list = new FaultList();
  const typed = new Map<number, number>();
  const cells: ReadCell[] = [];
  const bare: ReadCell[] = [];
  column.cells.forEach((entry, at) => {
    if (isMissing(entry.cell) || list.addFaultCell(entry)) return;
    const parts = partsOf(entry);
    if (typeof parts === 'string') list.add(entry, ...faultTexts[parts]);
    else if (entry.cell.type === 'number') {
      typed.set(at, Number(entry.cell.text));
      (parts.unit === null ? bare : cells).push({ entry, at, parts: { ...parts, core: '0' } });
    } else cells.push({ entry, at, parts });
  });
  // A workbook has 0.12 for both 12 % and 0.12.
  if (cells.some(({ parts }) => parts.unit?.name === '%')) cells.push(...bare.filter(({ at }) => typed.get(at) !== 0));
  const unit = unitOfColumn(column, cells, list);
  const decided = decimalOf(
    cells.map(({ parts }) => parts.core),
    decimal,
  );
  if (decided.decision === 'none') addMisfits(decided.misfits, cells, list);
  if (list.faults.length > 0) return { outcome: 'faulty', faults: list.faults };
  const unclear = decided.decision === 'ambiguous' ? cells[decided.index] : undefined;
  if (unclear !== undefined)
    return markQuestion(unclear.entry, textOf(unclear.entry.cell).trim(), (mark) => valueOf(unclear.parts, mark));
  const values: (number | null)[] = column.cells.map((_, at) => typed.get(at) ?? null);
  if (decided.decision === 'mark') {
    for (const { at, parts } of cells) values[at] ??= valueOf(parts, decided.decimal);
  }
  const huge = column.cells.filter((_, at) => values[at] === Infinity || values[at] === -Infinity);
  if (huge.length > 0) {
    for (const entry of huge) list.add(entry, 'numbers that are too large', 'Check them.');
    return { outcome: 'faulty', faults: list.faults };
  }
  const notes = unit === '%' ? [`Column "${column.name}" is in percent: 12 % is read as 12 with the unit %.`] : [];
  return { outcome: 'read', values, unit, notes };
}

function partsOf({ cell }: ColumnCell): NumberParts | NumberFault {
  if (cell.type === 'date') return 'text';
  if (cell.type !== 'number') return numberParts(cell.type === 'blank' ? '' : cell.text);
  return { core: '', negative: false, exponent: '', unit: cell.unit === undefined ? null : unitOf(cell.unit) };
}

function addMisfits(misfitting: readonly number[], cells: readonly ReadCell[], list: FaultList): void {
  for (const index of misfitting) {
    const entry = cells[index]?.entry;
    if (entry !== undefined)
      list.add(
        entry,
        'thousands and decimal marks that differ from the other cells',
        'Write all numbers of the column in one way.',
      );
  }
}

/** Each list begins with a sign as it is read ($ as USD), before the currencies that it may mean; the codes at the end stand alone. */
const currencies = (
  'USD ARS AUD BBD BMD BND BSD BZD CAD CLP COP DOP FJD GYD HKD JMD KYD LRD MXN NAD NZD SBD SGD SRD TTD TWD UYU XCD,' +
  '¥ CNY JPY,₹ INR,Rs INR LKR MUR NPR PKR SCR,kr DKK ISK NOK SEK,Fr CHF XAF XOF,R$ BRL,NT$ TWD,zł PLN,Kč CZK,₽ RUB,₺ TRY,₩ KRW,' +
  '₪ ILS,₫ VND,₴ UAH,₦ NGN,₱ PHP,฿ THB,EUR,GBP,AED,BGN,EGP,HUF,IDR,KES,KWD,MAD,MYR,PEN,QAR,RON,SAR,ZAR'
)
  .split(',')
  .map((list) => list.split(' '));

/** Returns whether a unit is a currency, unlike the three letters of NET and YTD. */
const isMoney = (name: string): boolean => name.endsWith('$') || currencies.some((list) => list.includes(name));

/** Returns whether a sign such as kr, $ or CA$ may be that of a currency. */
const isSignOf = (sign: string, name: string): boolean =>
  currencies.some(([first, ...codes]) => first === sign && (codes.includes(name) || (sign === 'USD' && name.endsWith('$')))) ||
  (sign.endsWith('$') && name.startsWith(sign.slice(0, -1)) && isSignOf('USD', name));

/** Returns the currency of which a unit such as M€ is a multiple, otherwise the unit. */
const wholeOf = (unit: string): string =>
  unitOf(unit.replace(/^(?:[kKmMBT]|bn|Mio\.?|Mrd\.?|Tsd\.?) ?(?=(?:\p{Sc}|[A-Z]{3})$)|(?<=^\p{Sc})[kKM]$/u, ''))?.name ?? unit;

/** Returns the unit of a column, and lists the cells that have another one, or letters that are none. */
function unitOfColumn(column: Column, cells: readonly ReadCell[], list: FaultList): string | null {
  const names = new Set(cells.map(({ parts }) => parts.unit?.name ?? null));
  const inHeader = unitOfHeader(column.name);
  const first = cells.find(({ parts }) => parts.unit?.known !== false)?.parts.unit ?? null;
  if (names.size <= 1) {
    const unit = cells[0]?.parts.unit?.name ?? null;
    if (unit === null || inHeader === null) return unit ?? inHeader;
    const [inCells, named] = [wholeOf(unit), wholeOf(inHeader)];
    if (!isMoney(inCells) || !isMoney(named) || (named !== 'USD' && isSignOf(named, inCells))) return unit;
    // Cells in € below k€ are the thousands that the header says.
    if (inCells === named || isSignOf(inCells, named)) return unit === inCells ? inHeader : unit;
    for (const { entry } of cells)
      list.add(entry, `another currency than ${inHeader} in the header`, 'Correct the header or the cells.');
    return null;
  }
  for (const { entry, parts } of cells) {
    if (parts.unit?.known === false) list.add(entry, ...faultTexts.letters);
    else if ((parts.unit?.name ?? null) !== (first?.name ?? null)) {
      const other =
        first === null ? 'a unit or currency that the first cell does not have' : `another unit or currency than ${first.name}`;
      list.add(entry, other, 'Convert them, or split the column: a column has one unit.');
    }
  }
  return null;
}

/** Returns the question which mark is the decimal mark of a cell. @param text the part of it that has the mark @param read its value by a mark */
export function markQuestion(entry: ColumnCell, text: string, read: (decimal: DecimalMark) => number): ColumnReading<number> {
  const reading = (decimal: DecimalMark) => ({ label: `Read ${text} as ${read(decimal)}`, option: { decimal } });
  const readings = text.includes(',') ? [reading('.'), reading(',')] : [reading(','), reading('.')];
  return { outcome: 'choice', choice: { about: 'decimal', cell: textOf(entry.cell).trim(), row: entry.row, readings } };
}
