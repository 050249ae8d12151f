import assert from 'node:assert/strict';
import { sha256Hex } from '../../src/base/bytes.js';
import { partsOf } from '../../src/intake/documents/parts.js';
import { readFiles } from '../../src/intake/read.js';
import type { IntakeOptions } from '../../src/codec/api-intake.js';
import type { Block, InputFile, Outcome, TextDocument } from '../../src/intake/types.js';
import { membersOf } from '../support/lists.js';

const file = (name: string, text: string): InputFile => ({ name, bytes: Buffer.from(text) });
const draftOf = async (
  files: readonly InputFile[],
  options: IntakeOptions = {},
): Promise<Extract<Outcome, { outcome: 'draft' }>> => {
  const outcome = await readFiles('research', files, options);
  assert(outcome.outcome === 'draft', JSON.stringify(outcome));
  return outcome;
};
const document = (blocks: readonly Block[]): TextDocument => ({
  type: 'document',
  reader: 'pdf',
  version: 1,
  title: 'Report',
  blocks,
  notes: [],
});

describe('intake: the draft of a research mission', () => {
  it('has a source for each document, with its blocks in their places and where it came from', async () => {
    const files = [
      file('a.md', '# Fees\n\n| Day | Fee |\n|--|--|\n| Mon | 2 |\n| Tue | 3 |\n\nPaid.'),
      file('b.txt', 'All came.'),
    ];
    const { draft, provenance, rows, kind } = await draftOf(files, { goal: 'What is paid?', set: { seed: 7 } });
    const text = 'Fees\n\nDay: Mon | Fee: 2\nDay: Tue | Fee: 3\n\nPaid.';
    const [under, header] = [['Fees'], ['Day', 'Fee']];
    const from = (name: string, reader: string, bytes: Uint8Array) => ({
      name,
      sha256: sha256Hex(bytes),
      bytes: bytes.length,
      reader,
      version: 1,
      notes: [],
    });
    assert.deepEqual(draft, {
      goal: 'What is paid?',
      work: {
        kind: 'research',
        sources: [
          {
            id: 'source-1',
            title: 'Fees',
            text,
            blocks: [
              { type: 'heading', start: 0, end: 4 },
              { type: 'table_row', start: 6, end: 23, under, header },
              { type: 'table_row', start: 24, end: 41, under, header },
              { type: 'paragraph', start: 43, end: 48, under },
            ],
            file: 0,
          },
          { id: 'source-2', title: 'b', text: 'All came.', blocks: [{ type: 'paragraph', start: 0, end: 9 }], file: 1 },
        ],
      },
      seed: 7,
      provenance,
    });
    assert.deepEqual(provenance, { files: [from('a.md', 'markdown', files[0]!.bytes), from('b.txt', 'text', files[1]!.bytes)] });
    assert.deepEqual([kind, rows], ['research', 5]);
  });

  it('does not have the names of files that are not to be recorded', async () => {
    const { draft } = await draftOf([file('Secret plan.txt', 'All came.'), file('Other.md', '# Head\n\nText')], { names: false });
    assert.doesNotMatch(JSON.stringify(draft), /Secret|Other/);
    assert.match(JSON.stringify(draft), /"title":"Document 1".*"title":"Head"/);
  });

  it('names each file that is not read, and each note by its file', async () => {
    const outcome = await readFiles('research', [file('a.txt', 'Text.'), file('b.txt', ''), file('c.gif', 'GIF89a')], {});
    assert(outcome.outcome === 'invalid');
    assert.deepEqual(membersOf(outcome.errors, 'file'), ['b.txt', 'c.gif']);
    const { notes } = await draftOf([file('a.txt', 'Text.'), file('b.html', '<html><script></script><p>Text')]);
    assert.deepEqual(notes, ['b.html: Left out: 1 script.']);
  });

  it('is refused when it is larger than a mission may be, with the file that has most of it', async () => {
    const outcome = await readFiles('research', [file('a.txt', 'Text.'), file('b.txt', 'One sentence.\n\n'.repeat(60_000))], {});
    assert(outcome.outcome === 'invalid');
    assert.match(outcome.errors[0]?.message ?? '', /take 3\.9 MB; a mission has at most 1\.5 MB\. Most of it is b\.txt/);
  });
});

describe('intake: the parts of a long document', () => {
  const limits = { chars_max: 30, blocks_max: 3 };
  const block = (text: string, page?: number): Block => ({ type: 'paragraph', text, ...(page === undefined ? {} : { page }) });

  it('end where a block ends, and their titles say which pages they are', () => {
    const parts = partsOf(document([block('A'.repeat(20), 1), block('B'.repeat(8), 2), block('C'.repeat(8), 3)]), limits);
    assert.deepEqual(
      parts.map(({ title, text }) => [title, text.length]),
      [
        ['Report (pages 1–2)', 30],
        ['Report (page 3)', 8],
      ],
    );
  });

  it('are numbered where there are no pages, and have at most so many blocks', () => {
    const parts = partsOf(document(['a', 'b', 'c', 'd'].map((text) => block(text))), limits);
    assert.deepEqual(
      parts.map(({ title, text }) => [title, text]),
      [
        ['Report (part 1 of 2)', 'a\n\nb\n\nc'],
        ['Report (part 2 of 2)', 'd'],
      ],
    );
  });

  it('cut a block that is too long where a sentence or a word ends, and no pair of UTF-16', () => {
    const texts = (text: string): readonly string[] => partsOf(document([block(text)]), limits).map((part) => part.text);
    assert.deepEqual(texts('The first sentence. The second one.'), ['The first sentence.', 'The second one.']);
    assert.deepEqual(texts(`${'a'.repeat(29)}🦀b`), ['a'.repeat(29), '🦀b']);
  });
});
