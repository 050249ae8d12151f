/** Reads Word documents (DOCX): mammoth makes HTML of them, which is read as any other. Changes that are tracked count as accepted; comments are left out. */
import { messageOf, RefusalError } from '../../base/refusal.js';
import mammoth from 'mammoth';
import { office_limits, unpackWithin } from '../../archive/foreign.js';
import { archiveBytes } from '../../archive/write.js';
import { readFragment } from './html.js';
import { LeftOut, Outline } from './outline.js';

/** Some versions of Word write `document2.xml`. */
const main = /^word\/document\d*\.xml$/;
const texts = /^word\/(?:document\d*|footnotes|endnotes)\.xml$/;
/** The parts that have the text of a document, and what says which they are and how they look. */
const wanted = /^(?:mimetype|\[Content_Types\]\.xml|_rels\/\.rels|word\/(?:_rels\/)?[^/]*\.(?:xml|rels))$/;

/** Returns the blocks of a Word document. @throws RefusalError `invalid` for another file, `malformed` or `too_large` for an archive that is not unpacked */
export async function readDocx(bytes: Uint8Array): Promise<{ readonly outline: Outline; readonly notes: readonly string[] }> {
  const parts = await unpackWithin(Buffer.from(bytes), 'the file', office_limits, (name) => wanted.test(name));
  const text = [...parts].find(([name]) => main.test(name))?.[1].toString('utf8');
  if (text === undefined)
    throw invalid(`this is ${nameOf(parts)}; documents are read from PDF, Word (.docx), HTML, Markdown and text files`);
  for (const [name, part] of parts)
    if (part.includes('<!DOCTYPE')) throw invalid(`the part ${name} of the document declares entities, which are not read`);
  const leftOut = new LeftOut();
  const outline = new Outline();
  for (const [part, pattern] of Object.entries(uncounted)) leftOut.add(part, countOf(text, pattern));
  // A note ends with a link back to its place.
  const html = (await htmlOf(parts)).replace(/<a href="#(?:foot|end)note-ref-[^"]*">[^<]*<\/a>/g, '');
  readFragment(
    html.replace(/<input type="checkbox"( checked)?[^>]*>/g, (_, isChecked) => (isChecked ? '☒' : '☐')),
    outline,
    leftOut,
  );
  const [inserted, deleted] = [countOf(text, /<w:ins\b/g), countOf(text, /<w:(?:del|moveFrom)\b/g)];
  leftOut.add('comment', countOf(parts.get('word/comments.xml')?.toString('utf8') ?? '', /<w:comment\b/g));
  const changes = `Tracked changes are read as accepted: ${inserted} inserted, ${deleted} deleted.`;
  return { outline, notes: [...(inserted + deleted > 0 ? [changes] : []), ...leftOut.notes()] };
}

/** A run that its properties hide. */
const hidden =
  /<w:r(?: [^>]*)?>\s*<w:rPr>(?:(?!<\/w:rPr>)[^])*?<w:vanish(?: w:val="(?:1|true|on)")?\s*\/>(?:(?!<w:r\b)[^])*?<\/w:r>/g;

/** What mammoth leaves out without a trace. */
const uncounted: Readonly<Record<string, RegExp>> = {
  'hidden part': hidden,
  formula: /<m:oMath\b/g,
  'inserted document': /<w:altChunk\b/g,
};

/** What mammoth does not read or reads as something else, and what it reads in its place. */
const rewritten: readonly (readonly [pattern: RegExp, by: string])[] = [
  [hidden, ''],
  [/(<\/?)w:(?:fldSimple|bdo|dir|ruby|rubyBase)\b/g, '$1w:smartTag'],
  [/(<\/?)v:oval\b/g, '$1v:rect'],
  [/<w:(?:cr|ptab)\b[^>]*\/>/g, '<w:br/>'],
  [/<w:dstrike\b/g, '<w:strike'],
  // A row may begin after the first columns.
  [/<w:gridBefore w:val="(\d+)"\s*\/>([^]*?<\/w:trPr>)/g, '$2<w:tc><w:tcPr><w:gridSpan w:val="$1"/></w:tcPr><w:p></w:p></w:tc>'],
];

const box = /<w:txbxContent>(?:(?!<w:txbxContent>)[^])*?<\/w:txbxContent>/g;
/** A drawing in two forms, of which mammoth reads the second (it may be a picture of the text), or in one. */
const drawings =
  /<mc:AlternateContent\b(?:(?!<mc:AlternateContent\b)[^])*?<\/mc:AlternateContent>|<w:drawing\b(?:(?!<w:drawing\b)[^])*?<\/w:drawing>/g;

/** Puts the text of a drawing before it, unless mammoth reads it in its place. */
function withText(drawing: string): string {
  const [newer = '', older = ''] = drawing.split('<mc:Fallback');
  const boxes = older.search(box) < 0 ? (newer.match(box) ?? []) : [];
  return [...boxes.map((inside) => `<w:pict>${inside}</w:pict>`), drawing].join('');
}

function readable(source: Buffer): Buffer {
  const text = rewritten.reduce((all, [pattern, by]) => all.replace(pattern, by), source.toString('utf8'));
  return Buffer.from(text.replace(drawings, withText));
}

const invalid = (detail: string): RefusalError => new RefusalError('invalid', detail);
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Returns what an archive is that is no Word document. */
function nameOf(parts: ReadonlyMap<string, Buffer>): string {
  const types = `${parts.get('[Content_Types].xml')?.toString('utf8')} ${parts.get('mimetype')?.toString('utf8')}`;
  if (/spreadsheet/.test(types)) return 'a workbook';
  if (/presentation/.test(types)) return 'a presentation';
  if (/opendocument\.text/.test(types)) return 'an OpenDocument text (save it as .docx)';
  return /epub/.test(types) ? 'an e-book' : 'a ZIP archive';
}

/** Returns the document as HTML. mammoth gets an archive of the parts that were unpacked here, so that it reads no others. */
async function htmlOf(parts: ReadonlyMap<string, Buffer>): Promise<string> {
  const members = [...parts].map(([name, source]) => ({ name, source: texts.test(name) ? readable(source) : source }));
  const buffer = await archiveBytes(members);
  const options = {
    styleMap: ["p[style-name='Title'] => h1:fresh"],
    convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
  };
  try {
    return (await mammoth.convertToHtml({ buffer }, options)).value;
  } catch (error) {
    throw invalid(`the Word document is damaged (${messageOf(error)}); open it and save it again`);
  }
}
