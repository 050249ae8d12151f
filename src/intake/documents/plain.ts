/** Reads text without markup: lines up to a blank one are a paragraph. */
import { Outline, plainText } from './outline.js';

/** A first line that is longer, or a sentence, is no title. */
const title_chars_max = 100;

/** Returns the paragraphs of a text, and its title when its first paragraph is one. */
export function readPlain(text: string): { readonly outline: Outline; readonly title: string | null } {
  const outline = new Outline();
  let lines: string[] = [];
  let from = 0;
  let title: string | null = null;
  const end = (): void => {
    if (outline.blocks.length === 0 && lines.length === 1) title = titleIn(lines[0] ?? '');
    outline.add('paragraph', lines.join(' '), { line: from });
    lines = [];
  };
  for (const [i, line] of text.split(/\r\n|[\n\r\f]/).entries()) {
    if (line.trim() === '') end();
    else if (lines.push(line) === 1) from = i + 1;
  }
  end();
  return { outline, title };
}

function titleIn(line: string): string | null {
  const text = plainText(line);
  return text.length <= title_chars_max && !/[.!?;,]$/.test(text) ? text : null;
}
