/** Colour on a terminal only, and never with NO_COLOR (no-color.org). */
import type { Colour } from '../pictures/screen.js';

const codes: Readonly<Record<Colour, number>> = { red: 31, green: 32, yellow: 33, blue: 34, grey: 90, bold: 1 };

const coloured = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb';
const wrap = (colour: Colour, text: string): string => `\u001b[${codes[colour]}m${text}\u001b[0m`;

export const paint = {
  out: (colour: Colour, text: string): string => (coloured(process.stdout) ? wrap(colour, text) : text),
  err: (colour: Colour, text: string): string => (coloured(process.stderr) ? wrap(colour, text) : text),
};
