/** Writes small Word documents for tests, from the XML of their body. */
import { buildZip } from '../archive/zip-builder.js';

const types = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** A paragraph of the body. @param runs text, or the XML of runs */
export const paragraph = (runs: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${runs.startsWith('<') ? runs : run(runs)}</w:p>`;
export const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

/** Returns a Word document. @param parts others beside the body, by their names below `word/` */
export function docxOf(body: string, parts: Readonly<Record<string, string>> = {}, prologue = ''): Buffer {
  const overrides = ['document', ...Object.keys(parts).map((name) => name.replace('.xml', ''))]
    .map(
      (name) =>
        `<Override PartName="/word/${name}.xml" ContentType="${types}.${name === 'document' ? 'document.main' : name}+xml"/>`,
    )
    .join('');
  const related = Object.keys(parts)
    .map((name, i) => `<Relationship Id="r${i}" Type="${relation}/${name.replace('.xml', '')}" Target="${name}"/>`)
    .join('');
  const relations = (inner: string): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`;
  return buildZip([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides}</Types>`,
    },
    {
      name: '_rels/.rels',
      content: relations(`<Relationship Id="r" Type="${relation}/officeDocument" Target="word/document.xml"/>`),
    },
    { name: 'word/_rels/document.xml.rels', content: relations(related) },
    { name: 'word/document.xml', content: `${prologue}<w:document ${w}><w:body>${body}</w:body></w:document>` },
    ...Object.entries(parts).map(([name, inner]) => ({ name: `word/${name}`, content: inner.replace('>', ` ${w}>`) })),
  ]);
}
