/** Large figures on an axis: told in thousands, millions and so on, so that their labels have room. */
import type { Scale, Span } from '../../charts/scale.js';

/** Below it a label has room as it is. */
const plain_max = 1e5;

export interface Unit {
  /** A multiple of three; 0 where figures stand as they are. */
  readonly exponent: number;
  /** The span in the unit, and where a value in the unit stands. */
  readonly span: Span;
  readonly scale: Scale;
}

export function inUnit([from, to]: Span, scale: Scale): Unit {
  const most = Math.max(Math.abs(from), Math.abs(to));
  if (most < plain_max) return { exponent: 0, span: [from, to], scale };
  const exponent = Math.floor(Math.log10(most) / 3) * 3;
  const unit = 10 ** exponent;
  return { exponent, span: [from / unit, to / unit], scale: (value) => scale(value * unit) };
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const tenTo = (exponent: number): string => `×10${Array.from(String(exponent), (digit) => raised[Number(digit)]).join('')}`;

/** "Risk" alone, or "Risk, ×10⁹". */
export const named = (name: string, { exponent }: Unit): string => (exponent === 0 ? name : `${name}, ${tenTo(exponent)}`);

/** From here on a figure in full is no easier to read. */
const full_max = 1e9;
const digits = 6;

/** A figure that may be of any size, to six digits: "32.8722×10²⁴". @param print numbers in the reader's way */
export function sized(value: number, print: (value: number) => string): string {
  if (Math.abs(value) < full_max) return print(value);
  const exponent = Math.floor(Math.log10(Math.abs(value)) / 3) * 3;
  return `${print(Number((value / 10 ** exponent).toPrecision(digits)))}${tenTo(exponent)}`;
}
