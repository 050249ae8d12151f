/** Files that nobody should be able to harm the program with, made by this script: each with the kind of mission it is given for, and what must be said about it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../support/package-root.js';
import { buildZip, type ZipMember, type ZipShape } from '../support/archive/zip-builder.js';
import { workbookParts, type WorkbookParts } from '../support/intake/workbook.js';

export interface HostileFile {
  readonly name: string;
  readonly kind: 'forecast' | 'research';
  readonly bytes: Buffer;
  /** What the one message about it says. */
  readonly says: RegExp;
}

const vector = (name: string): Buffer => readFileSync(join(packageRoot(import.meta.url), 'test', 'vectors', 'intake', name));

type Made = readonly [name: string, bytes: Buffer | string, says: RegExp];

const workbook = (
  given: WorkbookParts = {},
  change: (member: ZipMember) => ZipMember = (member) => member,
  shape?: ZipShape,
): Buffer =>
  buildZip(
    Object.entries(workbookParts(given)).map(([name, content]) => change({ name, content })),
    shape,
  );
const sheet_name = 'xl/worksheets/sheet1.xml';
const stored = (member: ZipMember): ZipMember => ({ ...member, method: 0 });
const sheetXml = (xml: string): Buffer => workbook({ parts: { [sheet_name]: xml } }, stored);
const header = '<row r="1"><c r="A1" t="str"><v>Month</v></c><c r="B1" t="str"><v>Sales</v></c></row>';
/** Returns a workbook of 14 days with a value each. */
const dated = (value: string, type = ''): Buffer => {
  const rows = Array.from({ length: 14 }, (_, i) => {
    const row = i + 2;
    return `<row r="${row}"><c r="A${row}" s="1"><v>${45_292 + i}</v></c><c r="B${row}"${type}>${value}</c></row>`;
  });
  return workbook({ rows: header + rows.join(''), formats: ['yyyy-mm-dd'] });
};
const months = Array.from({ length: 14 }, (_, i) => `20${22 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`);
const series = (value: (i: number) => string): string =>
  `Month,Sales\n${months.map((month, i) => `${month},${value(i)}\n`).join('')}`;

const oleFile = (directory: string): Buffer =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(504),
    Buffer.from(directory, 'utf16le'),
    Buffer.alloc(2_000),
  ]);
const overflowing = Buffer.alloc(3_000_000, 'a');

const notTables: readonly Made[] = [
  ['nothing.csv', '', /is empty/],
  ['blanks.csv', ' \r\n\t\r\n  ', /is empty/],
  ['picture.csv', vector('picture.csv'), /PNG image/],
  ['photo.xlsx', Buffer.from('ffd8ffe000104a464946', 'hex'), /JPEG image/],
  ['sales.csv.gz', Buffer.from('1f8b0800000000000003', 'hex'), /gzip archive/],
  ['program.csv', Buffer.from('7f454c4602010100', 'hex'), /a program/],
  ['binary.csv', Buffer.from('Month,Sales\n2024-01,\0\u0001\u0002\n'), /binary data/],
  ['rich.csv', '{\\rtf1 Month}', /RTF document/],
  ['report.csv', '%PDF-1.7\n', /PDF/],
  ['old.xls', oleFile('Workbook'), /old Office file/],
  ['locked.xlsx', oleFile('EncryptedPackage'), /with a password/],
  ['page.html', '<html><script>while(true){}</script><p>no table', /no table/],
];

const tables: readonly Made[] = [
  ['header-only.csv', 'Month,Sales\n', /no rows|no data/i],
  ['wide.csv', `${'a,'.repeat(1_000_000)}\n`, /columns/],
  ['wide-rows.csv', `${'a,'.repeat(300)}\n`.repeat(20), /columns/],
  ['long.csv', `Month,Sales\n${'2024-01,1\n'.repeat(100_001)}`, /100,000 rows/],
  ['one-row.csv', `Month,Sales\n2024-01,${'9'.repeat(30_000_000)}\n`, /characters/],
  ['open-quote.csv', `Month,Sales\n"2024-01,1\n${'2024-02,1\n'.repeat(1_000)}`, /quote/],
  ['half-pair.txt', Buffer.from('fffe4d006f003dd82c00', 'hex'), /damaged/],
  ['odd.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Month,Sales', 'utf16le'), Buffer.from([0x41])]), /damaged/],
  ['marked.csv', Buffer.from([0xef, 0xbb, 0xbf, 0x4d, 0xff, 0xfe]), /damaged/],
  ['units.csv', series((i) => (i % 2 === 0 ? `${i + 1}.5 EUR` : `${i + 1}.5 USD`)), /EUR|USD|unit|currenc/],
  ['errors.csv', series((i) => (i > 9 ? '#REF!' : `${i}.5`)), /#REF!/],
  ['infinite.csv', series((i) => (i === 4 ? '1e999' : `${i}.5`)), /too large in row 6: "1e999"/],
  ['digits.csv', series((i) => (i === 4 ? '9'.repeat(400) : `${i}.5`)), /too large/],
  ['formulas.csv', series(() => '=cmd|calc!A1'), /No column has numbers/],
  ['spans.html', `<table><tr><td colspan="4000000000">a</td></tr></table>`, /columns/],
  ['deep.html', '<div><b>'.repeat(50_000), /no table/],
];

const workbooks: readonly Made[] = [
  ['truncated.xlsx', vector('truncated.xlsx'), /cut off/],
  ['overlapping.xlsx', vector('bomb.xlsx'), /times its size|overlap|bytes/],
  ['bomb.xlsx', workbook({ parts: { 'xl/media/image1.bin': Buffer.alloc(150_000_000) } }), /times its size/],
  ['many.xlsx', buildZip(Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}`, content: '' }))), /members/],
  [
    'liar.xlsx',
    workbook({}, (member) => (member.name === sheet_name ? { ...member, both: { bytes: 10 }, content: overflowing } : member)),
    /holds|size|bytes/,
  ],
  ['wrong-crc.xlsx', workbook({}, (member) => (member.name === sheet_name ? { ...member, both: { crc: 7 } } : member)), /CRC/],
  ['locked-part.xlsx', workbook({}, (member) => ({ ...member, both: { flags: 1 } })), /encrypted/],
  ['slip.xlsx', buildZip([{ name: '../../../tmp/agent-cli-slip.xml', content: '<a/>' }]), /no workbook|name|path/],
  ['files.zip', buildZip([{ name: 'sales.csv', content: 'Month,Sales\n' }]), /no workbook/],
  ['letter.docx', buildZip([{ name: 'word/document.xml', content: '<a/>' }]), /Word document/],
  ['sales.ods', buildZip([{ name: 'content.xml', content: '<a/>' }]), /OpenDocument/],
  ['sales.xlsb', buildZip([{ name: 'xl/workbook.bin', content: 'x' }]), /binary workbook/],
  [
    'no-sheet.xlsx',
    buildZip(
      Object.entries(workbookParts())
        .filter(([name]) => name !== sheet_name)
        .map(([name, content]) => ({ name, content })),
    ),
    /lacks/,
  ],
  ['entities.xlsx', sheetXml('<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><a>&b;</a>'), /document type/],
  ['external.xlsx', sheetXml('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'), /document type/],
  ['broken.xlsx', sheetXml('<worksheet><sheetData><row>'), /not well-formed/],
  ['deep.xlsx', sheetXml('<a>'.repeat(1_000_000)), /not well-formed|memory/],
  ['columns.xlsx', workbook({ rows: '<row r="1"><c r="BDWGN1"><v>1</v></c></row>' }), /columns/],
  ['rows.xlsx', workbook({ rows: '<row r="1048576"><c r="A1048576"><v>1</v></c></row>' }), /rows/],
  ['nowhere.xlsx', workbook({ rows: '<row r="-5"><c r="$A"><v>1</v></c></row>' }), /place/],
  ['empty.xlsx', workbook(), /no (?:rows|sheet)|empty/i],
  ['infinite.xlsx', dated('<v>1e999</v>'), /too large/],
  ['uncached.xlsx', dated('<f>1+1</f>'), /formula/],
  ['error-cells.xlsx', dated('<v>#REF!</v>', ' t="e"'), /#REF!/],
  [
    'merged.xlsx',
    workbook({ rows: header, after: `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(100_000)}</mergeCells>` }, stored),
    /no rows|no data/i,
  ],
];

const letter = (xml: string, more: readonly ZipMember[] = []): Buffer =>
  buildZip([{ name: 'word/document.xml', content: xml }, { name: '[Content_Types].xml', content: '<Types/>' }, ...more]);

const documents: readonly Made[] = [
  ['nothing.md', '', /empty/],
  ['picture.md', vector('picture.csv'), /PNG image/],
  ['locked.pdf', vector('encrypted.pdf'), /password|encrypted/],
  ['scan.pdf', vector('scan.pdf'), /no text/],
  ['cut.pdf', vector('report-6-pages.pdf').subarray(0, 900), /damaged|cut off|no text/],
  ['begun.pdf', '%PDF-1.7\n1 0 obj\n<</Pages 1 0 R/Kids[1 0 R]>>\n', /damaged|cut off|no text/],
  ['markup.html', '<html><script>while(true){}</script><style>a{}</style>', /no text|empty/],
  ['spaces.md', `# a\n\n    a${' '.repeat(200_000)}${'a'.repeat(1_600_000)}`, /at most 1\.5 MB/],
  ['marks.txt', `-|-${' '.repeat(200_000)}a${'\u0323\u00ad\u0301'.repeat(100_000)}\n${'['.repeat(1_600_000)}`, /at most 1\.5 MB/],
  ['old.doc', oleFile('WordDocument'), /old Office file/],
  ['begun.docx', letter('<w:document'), /damaged|Word/],
  ['entities.docx', letter('<!DOCTYPE a [<!ENTITY a "aaaa">]><a>&a;</a>'), /declares entities/],
  ['bomb.docx', letter('<a/>', [{ name: 'word/media/image1.bin', content: Buffer.alloc(150_000_000) }]), /times its size/],
  ['workbook.docx', workbook(), /workbook|Word|document/],
];

export const hostileFiles = (): readonly HostileFile[] =>
  [
    ...[...notTables, ...tables, ...workbooks].map((made) => ({ made, kind: 'forecast' as const })),
    ...documents.map((made) => ({ made, kind: 'research' as const })),
  ].map(({ made: [name, bytes, says], kind }) => ({
    name,
    kind,
    bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
    says,
  }));
