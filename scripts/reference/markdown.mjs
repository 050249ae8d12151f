/** Parts of Markdown pages. */

/** Returns text that is safe in a cell of a table. */
export const cell = (text) =>
  String(text)
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');
export const code = (text) => `\`${text}\``;

export function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

const separated = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');

/** Returns a number with thin spaces between thousands; exponents stay. */
export const number = (value) => (Number.isInteger(value) && Math.abs(value) < 1e15 ? separated(value) : String(value));
