import assert from 'node:assert/strict';
import { unwrap } from '../../src/base/refusal.js';
import { readDocument } from '../../src/intake/documents/read.js';
import type { TextDocument } from '../../src/intake/types.js';
import { buildZip } from '../support/archive/zip-builder.js';
import { utf8 } from '../../src/base/bytes.js';
import { readHtmlTables } from '../../src/intake/html-table.js';
import { membersOf } from '../support/lists.js';

const bytesOf = (source: string | Buffer): Buffer => (typeof source === 'string' ? Buffer.from(source) : source);
const read = async (source: string | Buffer): Promise<TextDocument> =>
  unwrap(await readDocument({ name: 'dir/letter.bin', bytes: bytesOf(source) }));
const blocksOf = async (source: string | Buffer): Promise<readonly string[]> =>
  (await read(source)).blocks.map(({ type, text }) => `${type}: ${text}`);
const refused = async (source: string | Buffer, message: RegExp): Promise<void> =>
  assert.match(JSON.stringify(await readDocument({ name: 'letter.bin', bytes: bytesOf(source) })), message);

const types = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** A paragraph of the body. @param runs text, or the XML of runs */
const paragraph = (runs: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${runs.startsWith('<') ? runs : run(runs)}</w:p>`;
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

/** Returns a Word document. @param parts others beside the body, by their names below `word/` */
function docxOf(body: string, parts: Readonly<Record<string, string>> = {}): Buffer {
  const overrides = ['document2', ...Object.keys(parts).map((name) => name.replace('.xml', ''))]
    .map(
      (name) =>
        `<Override PartName="/word/${name}.xml" ContentType="${types}.${name === 'document2' ? 'document.main' : name}+xml"/>`,
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
      content: relations(`<Relationship Id="r" Type="${relation}/officeDocument" Target="word/document2.xml"/>`),
    },
    { name: 'word/_rels/document2.xml.rels', content: relations(related) },
    { name: 'word/document2.xml', content: `<w:document ${w}><w:body>${body}</w:body></w:document>` },
    ...Object.entries(parts).map(([name, inner]) => ({ name: `word/${name}`, content: inner.replace('>', ` ${w}>`) })),
  ]);
}

describe('intake: text', () => {
  it('takes a first line that is no sentence as the title', async () => {
    assert.equal((await read('Minutes of March\n\nAll came.')).title, 'Minutes of March');
    assert.equal((await read('All came.\n\nNobody left.')).title, '');
  });

  it('reads Windows-1252 and UTF-16, and says the former, and where a text looks like a table', async () => {
    const { blocks, notes } = await read(Buffer.from('Erl\xf6se \x96 5 \x80', 'latin1'));
    assert.deepEqual([blocks[0]?.text, notes], ['Erlöse – 5 €', ['The text is not UTF-8; it was read as Windows-1252.']]);
    const table = await read(Buffer.from('Boat;Price\nAnna;5\n"Bert; old";6\n'));
    assert.match(table.notes.join(), /This looks like a table/);
    assert.deepEqual(await blocksOf(Buffer.from('\ufeffÖl\r\nist teuer.', 'utf16le')), ['paragraph: Öl ist teuer.']);
  });

  it('refuses half a pair of UTF-16, and blanks', async () => {
    await refused(Buffer.concat([Buffer.from('\ufeffa', 'utf16le'), Buffer.from([0x3d, 0xd8])]), /damaged/);
    await refused(Buffer.from(' \n\t\n'), /no text/);
  });

  it('leaves out characters that nobody sees, and writes ligatures as letters', async () => {
    assert.deepEqual(await blocksOf('A\u00adbout\u200b the of\ufb01ce'), ['paragraph: About the office']);
  });
});

describe('intake: Markdown', () => {
  it('leaves out front matter, comments, pictures and deletions, and counts them', async () => {
    const { blocks, notes } = await read(
      '---\ntitle: X\n---\n# Head\n\nA ![logo](a.png)text <!-- note -->~~there~~here.<br>Next\n\n<!-- out -->\n',
    );
    assert.deepEqual(membersOf(blocks, 'text'), ['Head', 'A text here. Next']);
    assert.deepEqual(membersOf(blocks, 'line'), [4, 6]);
    assert.deepEqual(notes, ['Left out: 1 front matter, 1 picture, 2 comments, 1 deletion.']);
  });

  it('reads items, quotations and code in lists', async () => {
    const source = '- First\n\n  More of it\n  - Inner\n- [ ] Second\n\n  ```\n  code\n\n    more\n  ```\n> Quoted\n> text\n';
    const items = ['First', 'More of it', 'Inner', '[ ] Second'].map((text) => `list_item: ${text}`);
    assert.deepEqual(await blocksOf(source), [...items, 'code: code\n\n  more', 'paragraph: Quoted text']);
  });

  it('reads HTML within', async () => {
    const source =
      '# Head\n\n<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>\n\n<script>run()</script>\n\nEnd &amp; out\n';
    assert.deepEqual(await blocksOf(source), ['heading: Head', 'table_row: A: 1 | B: 2', 'paragraph: End & out']);
  });

  it('reads a text with a table as Markdown, and one with a dash as text', async () => {
    assert.equal((await read('A | B\n--|--\n1 | 2\n')).reader, 'markdown');
    assert.equal((await read('A - B\n_c_ *d\n')).reader, 'text');
  });
});

describe('intake: HTML', () => {
  const rows = async (table: string): Promise<readonly string[]> => blocksOf(`<!doctype html><p>Text<table>${table}</table>`);

  it('repeats a cell that covers others, and joins two rows of a header', async () => {
    const head = '<thead><tr><th rowspan=2>Mill<th colspan=2>Output</tr><tr><th>t<th>EUR</tr></thead>';
    assert.deepEqual(await rows(`${head}<tr><td rowspan=2>North<td>1<td>2<tr><td colspan=2>none<tr><td colspan=3>All`), [
      'paragraph: Text',
      'table_row: Mill: North | Output t: 1 | Output EUR: 2',
      'table_row: Mill: North | Output t: none | Output EUR: none',
      'table_row: All',
    ]);
  });

  it('names no cells by a first row when each row has a name of its own', async () => {
    const found = await rows('<tr><th>Height<td>5 m<tr><th>Width<td>9 m');
    assert.deepEqual(found.slice(1), ['table_row: Height | 5 m', 'table_row: Width | 9 m']);
  });

  it('reads a table that arranges the page as its parts', async () => {
    const found = await rows('<tr><td><h1>Left</h1><p>One<td><table><tr><td>Inner<td>cell</table>');
    assert.deepEqual(found.slice(1), ['heading: Left', 'paragraph: One', 'table_row: Inner | cell']);
  });

  it('leaves out forms, hidden parts and pictures, keeps code as it is', async () => {
    const { blocks, notes } = await read(
      '<html><body><form><p>Search</p></form><div hidden>No</div><p>Yes <s>11</s>12<sup><a>3</a></sup><img alt="x"></p><pre>a\n  b\n</pre><div role=navigation>Menu</div>',
    );
    assert.deepEqual(membersOf(blocks, 'text'), ['Yes 12³', 'a\n  b']);
    assert.deepEqual(notes, ['Left out: 1 form, 1 hidden part, 1 deletion, 1 picture, 1 navigation.']);
  });

  it('reads the encoding that a page declares', async () => {
    const page = Buffer.concat([Buffer.from('<html><meta charset="iso-8859-2"><p>'), Buffer.from([0xb1, 0xbe])]);
    assert.deepEqual(await blocksOf(page), ['paragraph: ąž']);
  });

  it('refuses a page that is nested too deeply', async () => refused(`<html>${'<div>'.repeat(5_000)}text`, /nested too deeply/));
});

describe('intake: Word', () => {
  it('reads tracked changes as accepted, says so, and leaves out comments', async () => {
    const change = 'w:id="1" w:author="A" w:date="2026-01-01T00:00:00Z"';
    const body = paragraph(
      `${run('The fee is ')}<w:del ${change}><w:r><w:delText>5</w:delText></w:r></w:del><w:ins ${change}>${run('7')}</w:ins>${run(' crowns.')}<w:r><w:commentReference w:id="0"/></w:r>`,
    );
    const comments = `<w:comments><w:comment w:id="0" w:author="A">${paragraph('Really?')}</w:comment></w:comments>`;
    const { blocks, notes } = await read(docxOf(body, { 'comments.xml': comments }));
    assert.deepEqual(membersOf(blocks, 'text'), ['The fee is 7 crowns.']);
    assert.deepEqual(notes, ['Tracked changes are read as accepted: 1 inserted, 1 deleted.', 'Left out: 1 comment.']);
  });

  it('reads a note without the arrow back to its place', async () => {
    const notes = `<w:footnotes><w:footnote w:id="2">${paragraph('In crowns.')}</w:footnote></w:footnotes>`;
    const body = paragraph(`${run('It costs 7')}<w:r><w:footnoteReference w:id="2"/></w:r>${run('.')}`);
    const blocks = await blocksOf(docxOf(body, { 'footnotes.xml': notes }));
    assert.deepEqual(blocks, ['paragraph: It costs 7[1].', 'list_item: In crowns.']);
  });

  it('reads fields, text in a direction, ruby, breaks, marks and cells after an empty place as the document shows them', async () => {
    const other = (tag: string, text: string): string => `<w:${tag}>${run(text)}</w:${tag}>`;
    const styled = (style: string): string => run(style).replace('<w:t', `<w:rPr><w:${style}/></w:rPr><w:t`);
    const base = `<w:r><w:ruby>${other('rt', 'kana')}${other('rubyBase', 'kanji')}</w:ruby></w:r>`;
    const box = `<w:sdt><w:sdtPr><v:checkbox xmlns:v="http://schemas.microsoft.com/office/word/2010/wordml"/></w:sdtPr><w:sdtContent>${run('☐')}</w:sdtContent></w:sdt>`;
    const math = '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:t>x</m:t></m:oMath>';
    const text = `${other('fldSimple', '1')}${other('bdo', '2')}${other('dir', '3')}<w:r><w:cr/></w:r>${base}${styled('vanish')}${styled('dstrike')}${math}${box}`;
    const row = (before: string, cells: string): string =>
      `<w:tr><w:trPr>${before}</w:trPr>${cells.replaceAll(/\w/g, (cell) => `<w:tc>${paragraph(run(cell))}</w:tc>`)}</w:tr>`;
    const table = `<w:tbl>${row('<w:tblHeader/>', 'ABC')}${row('<w:gridBefore w:val="1"/>', 'bc')}</w:tbl>`;
    const { blocks, notes } = await read(docxOf(paragraph(text) + table));
    assert.deepEqual(membersOf(blocks, 'text'), ['123 kanji☐', 'B: b | C: c']);
    assert.deepEqual(notes, ['Left out: 1 hidden part, 1 formula, 1 deletion.']);
  });

  it('has the text of drawings that have no form for older programs, or a picture, and that of others once', async () => {
    const box = (text: string) => `<w:txbxContent>${paragraph(run(text))}</w:txbxContent>`;
    const drawing = (inside: string) => `<w:drawing><wps:wsp xmlns:wps="urn:x">${inside}</wps:wsp></w:drawing>`;
    const either = (choice: string, fallback: string) =>
      `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps">${choice}</mc:Choice>${fallback}</mc:AlternateContent>`;
    const old = (inside: string) => `<mc:Fallback>${inside}</mc:Fallback>`;
    const runs = [
      drawing(box('plain')),
      either(drawing(box('a') + box('b')), ''),
      either(drawing(box('c')), old(drawing(''))),
      either(drawing(box('d')), old(`<w:pict>${box('d')}</w:pict>`)),
    ].map((inside) => `<w:r>${inside}</w:r>`);
    const blocks = await blocksOf(docxOf(paragraph(run('text') + runs.join(''))));
    assert.equal(blocks.join(' ').replaceAll('paragraph: ', ''), 'text plain a b c d');
  });

  it('refuses another archive', async () => refused(buildZip([{ name: 'a.txt', content: 'x' }]), /a ZIP archive/));
});

const sheetsOf = (html: string) =>
  unwrap(readHtmlTables(utf8(html))).sheets.map(({ name, rows, notes }) => ({
    name,
    rows: rows.map((row) => row.map((cell) => (cell.type === 'text' ? cell.text : ''))),
    notes,
  }));

describe('the tables of a page', () => {
  it('have the text that a spreadsheet puts on the clipboard', () =>
    assert.deepEqual(
      sheetsOf(
        '<html><head><style>td{}</style></head><body><!--StartFragment--><table><col width=9><tr><td>Month</td><td x:num>Sales\n  (EUR)</td></tr><tr><td>Jan<br>2024</td><td></td></tr></table><!--EndFragment-->',
      ),
      [
        {
          name: null,
          rows: [
            ['Month', 'Sales (EUR)'],
            ['Jan 2024', ''],
          ],
          notes: [],
        },
      ],
    ));

  it('have the value of a merged cell in each place that it spans', () =>
    assert.deepEqual(
      sheetsOf(
        '<table><tr><th rowspan=2>Job</th><th colspan=2>Mill</th></tr><tr><td>a</td><td>b</td></tr><tr><td rowspan=9 colspan=0>x</td></tr></table>',
      ),
      [
        {
          name: null,
          rows: [['Job', 'Mill', 'Mill'], ['Job', 'a', 'b'], ['x']],
          notes: ['Merged cells: 3. Their value stands for each row and column.'],
        },
      ],
    ));

  it('are one sheet each, without those that only arrange others', () =>
    assert.deepEqual(
      sheetsOf(
        '<table><tr><td><table><caption> Sales </caption><tr><td>1</td></tr></table></td><td><table><tr><td>2</td></tr></table></td></tr></table>',
      ),
      [
        { name: 'Sales', rows: [['1']], notes: [] },
        { name: 'Table 2', rows: [['2']], notes: [] },
      ],
    ));

  it('leave out what a page does not show', () =>
    assert.deepEqual(
      sheetsOf(
        '<table><tr><td>1<script>2</script><style>3</style><!--4--><b hidden>5</b><s>8</s><i style="display: none">6<u>7</u></i></td></tr></table>',
      )[0]?.rows,
      [['1']],
    ));

  it('keep apart paragraphs, and the number of a note from the digits before it', () =>
    assert.deepEqual(sheetsOf('<table><tr><td>12<sup><a>3</a></sup><td><p>4<p>5</table>')[0]?.rows, [['12³', '4 5']]));

  it('are read in the encoding that the page declares, else as those of an office', () => {
    const head = '<meta charset="iso-8859-15">';
    const text = (bytes: Buffer) => unwrap(readHtmlTables(bytes)).sheets[0]?.rows[0]?.[0];
    const table = (before: string) => Buffer.from(`${before}<table><tr><td>Prix \u00a4</td></tr></table>`, 'latin1');
    assert.deepEqual(text(table(head)), { type: 'text', text: 'Prix €' });
    assert.deepEqual(text(table('')), { type: 'text', text: 'Prix ¤' });
    assert.match(unwrap(readHtmlTables(table(''))).notes.join(), /Windows-1252/);
  });

  it('may be nested deeply', () =>
    assert.deepEqual(sheetsOf(`${'<div>'.repeat(50_000)}<table><tr><td>${'<b>'.repeat(50_000)}1`)[0]?.rows, [['1']]));

  it('are refused where there are too many cells', () => {
    const fault = (table: string): string => unwrap(readHtmlTables(utf8(table))).sheets[0]?.fault ?? '';
    assert.match(fault(`<table><tr>${'<td>1</td>'.repeat(201)}</tr></table>`), /more than 200 columns/);
    assert.match(fault(`<table>${'<tr>'.repeat(100_001)}</table>`), /more than 100000 rows/);
  });
});
