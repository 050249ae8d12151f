/** Texts by the columns that they fill on a terminal. Where terminals differ, the wider reading counts: a line never overflows. */
import { printable } from '../base/text.js';

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d08}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f265}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const nothing = /[\p{Mn}\p{Me}\u200c\u200d]/u;
/** Asks for the coloured form of a character, which is wide. */
const emojiForm = '\ufe0f';

function columnsOfPoint(point: string): number {
  if (point >= ' ' && point <= '~') return 1;
  if (point === emojiForm) return 1;
  if (nothing.test(point)) return 0;
  return wide.test(point) ? 2 : 1;
}

export function columnsOf(text: string): number {
  let columns = 0;
  for (const point of text) columns += columnsOfPoint(point);
  return columns;
}

/** One line of a text that others wrote, as `printable`, without blanks around it. */
export const clean = (text: string): string => printable(text.replace(/[\p{Zs}\t\r\n]+/gu, ' ')).trim();

const sequence = /\u001b\[[0-9;]*m/g;

/** Cuts a line that is wider than the screen. Its colours stay, and end with it. */
export function clip(line: string, columns: number, more: string): string {
  const text = line.replace(sequence, '');
  if (columnsOf(text) <= columns) return line;
  const kept = fit(text, columns, more);
  if (kept === text || text.length === line.length) return kept;
  let room = kept.length - more.length;
  const parts = line.split(/(\u001b\[[0-9;]*m)/).map((part, i) => {
    if (i % 2 === 1) return part;
    const shown = part.slice(0, room);
    room -= shown.length;
    return shown;
  });
  return `${parts.join('')}${more}`;
}

/** The longest beginning that fits, and the rest. */
function split(text: string, columns: number): readonly [string, string] {
  let used = 0;
  let at = 0;
  for (const point of text) {
    used += columnsOfPoint(point);
    if (used > columns) break;
    at += point.length;
  }
  return [text.slice(0, at), text.slice(at)];
}

export function fit(text: string, columns: number, more: string): string {
  if (columnsOf(text) <= columns) return text;
  return `${split(text, columns - more.length)[0].trimEnd()}${more}`;
}

export const padEnd = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - columnsOf(text)));

/** Breaks between words, and within a word that is wider than a line. */
export function wrapTo(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (columnsOf(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (columnsOf(line) > columns) {
      const [head, rest] = split(line, columns);
      lines.push(head);
      line = rest;
    }
  }
  return [...lines, line];
}
