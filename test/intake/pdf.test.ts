import assert from 'node:assert/strict';
import { readDocument } from '../../src/intake/documents/read.js';
import type { TextDocument } from '../../src/intake/types.js';
import { unwrap } from '../../src/base/refusal.js';
import { linesFrom, pdfOf, type PdfPage } from '../support/intake/pdf.js';
import { membersOf } from '../support/lists.js';

const read = async (pages: readonly PdfPage[]): Promise<TextDocument> =>
  unwrap(await readDocument({ name: 'a.pdf', bytes: pdfOf(pages) }));
const blocksOf = async (...pages: readonly PdfPage[]): Promise<readonly string[]> =>
  (await read(pages)).blocks.map(({ type, text, page }) => `${type} ${page}: ${text}`);

describe('intake: the text of a PDF', () => {
  it('joins a sentence over the end of a page, and leaves the next one on its own page', async () => {
    const blocks = await blocksOf(
      { lines: linesFrom(80, ['The first page tells of the harbour. The crane was paid', 'by the town and']) },
      { lines: linesFrom(80, ['was lent to the pilots. It broke in the', 'spring.']) },
    );
    assert.deepEqual(blocks, [
      'paragraph 1: The first page tells of the harbour. The crane was paid by the town and was lent to the pilots.',
      'paragraph 2: It broke in the spring.',
    ]);
  });

  it('does not join a page that begins with a sentence', async () => {
    const blocks = await blocksOf(
      { lines: linesFrom(80, ['The list ends']) },
      { lines: linesFrom(80, ['Other things follow.']) },
    );
    assert.deepEqual(blocks, ['paragraph 1: The list ends', 'paragraph 2: Other things follow.']);
  });

  it('keeps the hyphen of a word that is written so elsewhere, and of names and numbers', async () => {
    const blocks = await blocksOf({
      lines: linesFrom(80, ['The long-term plan and the long-', 'term cost of the Jean-', 'Paul wharf were esti-', 'mated.']),
    });
    assert.deepEqual(blocks, ['paragraph 1: The long-term plan and the long-term cost of the Jean-Paul wharf were estimated.']);
  });

  it('tells list items by their marks, with the lines that belong to them', async () => {
    const blocks = await blocksOf({
      lines: [
        ...linesFrom(80, [
          'We bought the following:',
          '1. a crane that is',
          '2. a boat;',
          '\x95 and rope.',
          'Nothing else was bought in',
          '1. January or later.',
        ]),
      ].map((line, i) => (i === 4 ? { ...line, y: line.y + 10 } : i === 5 ? { ...line, y: line.y + 10 } : line)),
    });
    assert.deepEqual(blocks, [
      'paragraph 1: We bought the following:',
      'list_item 1: 1. a crane that is',
      'list_item 1: 2. a boat;',
      'list_item 1: and rope.',
      'paragraph 1: Nothing else was bought in 1. January or later.',
    ]);
  });

  it('reads three columns one after the other, below a heading across them', async () => {
    const column = (x: number, name: string) =>
      linesFrom(120, [`${name} tells of the`, 'harbour and of its', `people. ${name} ends.`], { x });
    const blocks = await blocksOf({
      lines: [
        { text: 'All the news of the harbour and its people in this year', y: 80, size: 18 },
        ...column(70, 'First'),
        ...column(240, 'Second'),
        ...column(410, 'Third'),
      ],
    });
    assert.deepEqual(blocks, [
      'heading 1: All the news of the harbour and its people in this year',
      ...['First', 'Second', 'Third'].map((name) => `paragraph 1: ${name} tells of the harbour and of its people. ${name} ends.`),
    ]);
  });

  it('reads the cells of a table row by row', async () => {
    const row = (y: number, cells: readonly string[]) => cells.map((text, i) => ({ text, x: 70 + 150 * i, y }));
    const rows = [
      ['Farm', 'Tonnes', 'Berths'],
      ['Outer', '198', '2'],
      ['West', '80', '1'],
      ['East', '7', '1'],
    ];
    const { blocks, notes } = await read([{ lines: rows.flatMap((cells, i) => row(80 + 14 * i, cells)) }]);
    assert.deepEqual(membersOf(blocks, 'text'), ['Farm Tonnes Berths Outer 198 2 West 80 1 East 7 1']);
    assert.match(notes.join(), /Tables of a PDF are not recognised/);
  });

  it('leaves out headers, footers and turned text, and counts them', async () => {
    const page = (number: number): PdfPage => ({
      lines: [
        { text: `Annual report, part ${number}`, y: 30, size: 8 },
        ...linesFrom(80, [`The text of page ${number}.`, 'It is of this page only.']),
        { text: `${number}`, x: 290, y: 810, size: 8 },
        { text: 'DRAFT', x: 20, y: 400, isTurned: true },
      ],
    });
    const { blocks, notes } = await read([page(1), page(2), page(3), page(4)]);
    assert.deepEqual(
      membersOf(blocks, 'text'),
      [1, 2, 3, 4].map((n) => `The text of page ${n}. It is of this page only.`),
    );
    assert.deepEqual(notes.slice(0, 2), [
      'Left out: 8 lines that repeat at the top or the bottom of pages.',
      'Left out: 4 pieces of text that are turned.',
    ]);
  });

  it('leaves out the numbers of two pages', async () => {
    const page = (number: number): PdfPage => ({
      lines: [...linesFrom(80, [`This is page ${number} of the memo.`]), { text: `Page ${number} of 2`, x: 290, y: 810 }],
    });
    const { blocks } = await read([page(1), page(2)]);
    assert.deepEqual(membersOf(blocks, 'text'), ['This is page 1 of the memo.', 'This is page 2 of the memo.']);
  });

  it('leaves out lines that end with the number of their page, and keeps headings that have one', async () => {
    const page = (number: number): PdfPage => ({
      lines: [
        { text: `About ${['cranes', 'boats', 'quays'][number - 1]} ${number + 6}`, y: 30 },
        { text: `Chapter ${number}`, y: 60, size: 16 },
        ...linesFrom(100, [
          `The text of page ${number} is of this`,
          'page only. It has three lines, and',
          'the third one is the last.',
        ]),
      ],
    });
    const { blocks } = await read([page(1), page(2), page(3)]);
    assert.deepEqual(
      blocks.map(({ text }) => text),
      [1, 2, 3].flatMap((n) => [
        `Chapter ${n}`,
        `The text of page ${n} is of this page only. It has three lines, and the third one is the last.`,
      ]),
    );
  });

  it('reads a page that is shown turned', async () => {
    const lines = [{ text: 'Across the page.', x: 300, y: 400, isTurned: true }];
    assert.deepEqual(await blocksOf({ lines, rotate: 90 }), ['paragraph 1: Across the page.']);
  });

  it('tells of characters that a font maps wrongly, and of pages without text', async () => {
    const { notes } = await read([
      { lines: linesFrom(80, ['A line that is read.']) },
      { lines: linesFrom(80, ['Wrong'], { isUnmapped: true }) },
      { lines: [] },
    ]);
    assert.equal(notes[0], 'No text on 1 of 3 pages (page 3).');
    assert.match(notes[1] ?? '', /^5 of 25 characters have no letter.*\(page 2\)/);
  });

  it('puts raised letters into their line', async () => {
    const blocks = await blocksOf({
      lines: [
        { text: 'The crane', y: 80 },
        { text: '1', x: 116.5, y: 76.5, size: 6 },
        { text: 'was paid 12', x: 124, y: 80 },
        { text: '3', x: 178, y: 76.5, size: 6 },
        ...linesFrom(94, ['It is tall.']),
      ],
    });
    assert.deepEqual(blocks, ['paragraph 1: The crane1 was paid 12³ It is tall.']);
  });

  it('refuses more pages than the limit', async () => {
    const refused = await readDocument({ name: 'a.pdf', bytes: pdfOf(Array.from({ length: 2_001 }, () => ({ lines: [] }))) });
    assert.match(JSON.stringify(refused), /2001 pages; at most 2000/);
  });
});
