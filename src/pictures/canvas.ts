/** A field of characters with colours, drawn over and then read row by row. */
import type { Colour, Screen } from './screen.js';

interface Cell {
  readonly glyph: string;
  readonly colour: Colour | null;
}
const blank: Cell = { glyph: ' ', colour: null };

export class Canvas {
  private readonly cells: Cell[];
  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.cells = Array.from({ length: width * height }, () => blank);
  }

  /** Draws a character; ignores positions outside the field. */
  put(x: number, y: number, glyph: string, colour: Colour | null = null): void {
    if (x >= 0 && x < this.width && y >= 0 && y < this.height) this.cells[y * this.width + x] = { glyph, colour };
  }

  text(x: number, y: number, text: string, colour: Colour | null = null): void {
    Array.from(text).forEach((glyph, i) => this.put(x + i, y, glyph, colour));
  }

  /** Returns one row without trailing blanks; adjacent characters of one colour share an escape sequence. */
  row(y: number, { paint }: Screen): string {
    const cells = this.cells.slice(y * this.width, (y + 1) * this.width);
    const runs: { text: string; colour: Colour | null }[] = [];
    for (const { glyph, colour } of cells.slice(0, cells.findLastIndex((cell) => cell.glyph !== ' ') + 1)) {
      const run = runs.at(-1);
      if (run !== undefined && run.colour === colour) run.text += glyph;
      else runs.push({ text: glyph, colour });
    }
    return runs.map(({ text, colour }) => (colour === null ? text : paint(colour, text))).join('');
  }

  rows(screen: Screen): string[] {
    return Array.from({ length: this.height }, (_, y) => this.row(y, screen));
  }
}
