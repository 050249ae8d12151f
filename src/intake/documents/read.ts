/** Reads a document of any kind that is known here as blocks; its content decides which reader does, and only that one is loaded. */
import { isRefused, RefusalError, ok, refuse, type Result } from '../../base/refusal.js';
import { contentOf, decodeText } from '../content.js';
import { readCsv } from '../csv.js';
import type { InputFile, TextDocument } from '../types.js';
import { LeftOut, Outline, plainText } from './outline.js';

/** The versions of the readers. Another version of a reader may give other blocks of the same file. */
const versions = { text: 1, markdown: 1, html: 1, pdf: 1, docx: 1 } as const;

/** Returns the blocks of a file, with a title where it has one of its own, or why it has none. It reads nothing but the bytes that it is given. */
export async function readDocument(file: InputFile): Promise<Result<TextDocument>> {
  const content = contentOf(file.bytes);
  try {
    switch (content.type) {
      case 'empty':
        return invalid('the file is empty');
      case 'other':
        return invalid(`this is ${content.name}; documents are read from PDF, Word (.docx), HTML, Markdown and text files`);
      case 'pdf':
        return await readPdfFile(file);
      case 'zip':
        return await readDocxFile(file);
      case 'html':
        return await readHtml(file);
      case 'text':
        return await readText(file);
    }
  } catch (error) {
    if (error instanceof RefusalError) return refuse(error.refusal);
    throw error;
  }
}

const invalid = (detail: string): Result<never> => refuse({ code: 'invalid', detail });
const damaged = invalid('the text is damaged: it is marked as Unicode and is not; save it again in UTF-8');

/** Lines that only Markdown has: headings, fences, the line below a table's header, links, list items and quotations. */
const marks = [
  /^ {0,3}#{1,6}[ \t]+\S/m,
  /^ {0,3}(?:```|~~~)/m,
  /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+(?:\|[ \t]*)?$/m,
  /^\S.*\n {0,3}(?:={3,}|-{3,})[ \t]*$/m,
  /\[[^[\]\n]+\]\((?:https?:|mailto:|\.{0,2}\/|#)/,
  /^ {0,3}(?:[-*+]|\d{1,3}[.)])[ \t]+\S.*\n(?:.*\n)?(?:.*\n)? {0,3}(?:[-*+]|\d{1,3}[.)])[ \t]+\S/m,
  /^ {0,3}>[ \t]+\S/m,
];

/** Returns whether a text has a mark of Markdown. Without one, both readers give the same blocks. */
const isMarkdown = (text: string): boolean => marks.some((mark) => mark.test(text));

async function readText({ bytes }: InputFile): Promise<Result<TextDocument>> {
  const decoded = decodeText(bytes);
  if (decoded === null) return damaged;
  const notes = decoded.note === null ? [] : [decoded.note];
  if (!isMarkdown(decoded.text)) {
    const { outline, title } = readPlain(decoded.text);
    return documentOf('text', title, outline, [...notes, ...(isTable(bytes) ? [table_note] : [])]);
  }
  const { readMarkdown } = await import('./markdown.js');
  const [outline, leftOut] = [new Outline(), new LeftOut()];
  readMarkdown(decoded.text, outline, leftOut);
  return documentOf('markdown', outline.title, outline, [...notes, ...leftOut.notes()]);
}

const table_note =
  'This looks like a table. Its rows were read as running text; save it as a web page (HTML) to have each quoted with its header.';

/** Returns whether a text has rows of as many cells each. */
function isTable(bytes: Uint8Array): boolean {
  const read = readCsv(bytes);
  if (isRefused(read)) return false;
  const [first = [], ...rows] = read.right.sheets.flatMap((sheet) => sheet.rows);
  return first.length > 1 && rows.length > 1 && rows.every((row) => row.length === first.length);
}

/** A first line that is longer, or a sentence, is no title. */
const title_chars_max = 100;

/** Returns the paragraphs of a text without markup, which blank lines part, and its title when its first paragraph is one. */
function readPlain(text: string): { readonly outline: Outline; readonly title: string | null } {
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

async function readHtml({ bytes }: InputFile): Promise<Result<TextDocument>> {
  const { decodePage, readPage } = await import('./html.js');
  const decoded = decodePage(bytes);
  if (decoded === null) return damaged;
  const [outline, leftOut] = [new Outline(), new LeftOut()];
  const page = readPage(decoded.text, outline, leftOut);
  if (page === null) return invalid('the page is nested too deeply to be read');
  const notes = decoded.note === null ? [] : [decoded.note];
  return documentOf('html', page.title ?? outline.title, outline, [...notes, ...leftOut.notes()]);
}

async function readPdfFile({ bytes }: InputFile): Promise<Result<TextDocument>> {
  const { readPdf } = await import('./pdf/read.js');
  const { outline, title, pages, notes } = await readPdf(bytes);
  return documentOf('pdf', title, outline, notes, pages);
}

async function readDocxFile({ bytes }: InputFile): Promise<Result<TextDocument>> {
  const { readDocx } = await import('./docx.js');
  const { outline, notes } = await readDocx(bytes);
  return documentOf('docx', outline.title, outline, notes);
}

function documentOf(
  reader: TextDocument['reader'],
  title: string | null,
  { blocks }: Outline,
  notes: readonly string[],
  pages?: number,
): Result<TextDocument> {
  if (blocks.length === 0) return invalid('the file has no text');
  return ok({
    type: 'document',
    reader,
    version: versions[reader],
    title: title ?? '',
    ...(pages === undefined ? {} : { pages }),
    blocks,
    notes,
  });
}
