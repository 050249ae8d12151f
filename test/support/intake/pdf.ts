/** Writes small PDFs for tests: lines of text at given places, in a standard font, with what makes a PDF hard to read. */
import { deflateSync } from 'node:zlib';

export interface PdfLine {
  readonly text: string;
  /** From the left and from the top of the page, in points. */
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
  /** Whether it is in a font whose letters are mapped to characters that nobody knows. */
  readonly isUnmapped?: boolean;
  /** Whether it runs from the bottom to the top. */
  readonly isTurned?: boolean;
}

export interface PdfPage {
  readonly lines: readonly PdfLine[];
  /** How the page is turned when it is shown: 0, 90, 180 or 270. */
  readonly rotate?: number;
}

const [width, height] = [595, 842];

const escaped = (text: string): string => text.replace(/[\\()]/g, (character) => `\\${character}`);

const contentOf = ({ lines }: PdfPage): string =>
  lines
    .map(({ text, x = 70, y, size = 10.5, isUnmapped = false, isTurned = false }) => {
      const matrix = isTurned ? '0 1 -1 0' : '1 0 0 1';
      return `BT /${isUnmapped ? 'F2' : 'F1'} ${size} Tf ${matrix} ${x} ${height - y} Tm (${escaped(text)}) Tj ET`;
    })
    .join('\n');

/** Maps each letter to the private use area, as fonts do that were cut down carelessly. */
const privateMap =
  '/CIDInit /ProcSet findresource begin begincmap /CMapName /X def 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7E> <E020> endbfrange endcmap end';

const stream = (text: string): Buffer => {
  const data = deflateSync(Buffer.from(text, 'latin1'));
  return Buffer.concat([
    Buffer.from(`<< /Length ${data.length} /Filter /FlateDecode >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
};

/** Returns a PDF of the pages; texts are Windows-1252. */
export function pdfOf(pages: readonly PdfPage[]): Buffer {
  const first = 6;
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding';
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${first + 2 * i} 0 R`).join(' ')}] >>`,
    `${font} >>`,
    `${font} /ToUnicode 5 0 R >>`,
    stream(privateMap),
    ...pages.flatMap((page, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${page.rotate ?? 0} /Contents ${first + 2 * i + 1} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
      stream(contentOf(page)),
    ]),
  ];
  return assembled(objects);
}

function assembled(objects: readonly (string | Buffer)[]): Buffer {
  const pieces = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let at = pieces[0]?.length ?? 0;
  for (const [i, object] of objects.entries()) {
    offsets.push(at);
    const piece = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    pieces.push(piece);
    at += piece.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`;
  pieces.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`));
  return Buffer.concat(pieces);
}

/** Returns lines below each other. */
export const linesFrom = (y: number, texts: readonly string[], more: Omit<PdfLine, 'text' | 'y'> = {}): readonly PdfLine[] =>
  texts.map((text, i) => ({ text, y: y + i * 14, ...more }));
