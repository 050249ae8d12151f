/** Figures of any size: told in thousands, millions and so on, or in thousandths, so that their labels have room. */
import type { Scale, Span } from '../../kit/charts/scale.js';

/** Below it a label has room as it is. */
const plain_max = 1e5;
/** From here on downwards leading zeros take the room. */
const plain_min = 1e-3;
/** The smallest numbers have no power of ten of their own to be divided by. */
const exponent_min = -300;

export interface Unit {
  /** A multiple of three; 0 if figures are shown unscaled. */
  readonly exponent: number;
  /** The span in the unit, and the scale for values in the unit. */
  readonly span: Span;
  readonly scale: Scale;
}

const exponentOf = (value: number): number => Math.max(exponent_min, Math.floor(Math.log10(value) / 3) * 3);

/** The power of ten that figures are told in, of which the largest is `most`. */
function unitOf(most: number): number {
  return most === 0 || (most >= plain_min && most < plain_max) ? 0 : exponentOf(most);
}

export function inUnit([from, to]: Span, scale: Scale): Unit {
  const exponent = unitOf(Math.max(Math.abs(from), Math.abs(to)));
  if (exponent === 0) return { exponent, span: [from, to], scale };
  const unit = 10 ** exponent;
  return { exponent, span: [from / unit, to / unit], scale: (value) => scale(value * unit) };
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const ten = (exponent: number): string =>
  `10${Array.from(String(exponent), (digit) => (digit === '-' ? '⁻' : raised[Number(digit)])).join('')}`;

/** "Risk" alone, or "Risk, ×10⁹". */
export const named = (name: string, { exponent }: Pick<Unit, 'exponent'>): string =>
  exponent === 0 ? name : `${name}, ×${ten(exponent)}`;

/** From here on a figure in full is not easier to read. */
const full_max = 1e9;
const digits = 6;

/** A figure that may be of any size, to six digits: "32.8722×10²⁴". @param print numbers in the reader's way */
export function sized(value: number, print: (value: number) => string): string {
  if (Math.abs(value) < full_max) return print(value);
  const exponent = exponentOf(Math.abs(value));
  return `${print(Number((value / 10 ** exponent).toPrecision(digits)))}×${ten(exponent)}`;
}

/** How figures become places on an axis whose library takes only numbers of a moderate size, and how such a place is labelled. */
export interface Drawn {
  readonly place: (value: number) => number;
  readonly label: (place: number, print: (value: number) => string) => string;
  /** What a figure is divided by. */
  readonly unit: number;
}

/** Figures in a unit. @param most the largest of them */
export function drawnIn(most: number): Drawn {
  const exponent = unitOf(most);
  if (exponent === 0) return { unit: 1, place: (value) => value, label: (place, print) => print(place) };
  const unit = 10 ** exponent;
  return {
    unit,
    place: (value) => value / unit,
    label: (place, print) => (place === 0 ? print(0) : `${print(Number(place.toPrecision(digits)))}×${ten(exponent)}`),
  };
}

/** Figures above zero by their power of ten; whole places are labelled. */
export const drawnAsPowers: Drawn = {
  unit: 1,
  place: Math.log10,
  label: (place, print) => (10 ** place < plain_max && 10 ** place >= plain_min ? print(10 ** place) : ten(place)),
};
