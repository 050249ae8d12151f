/** Research over sources that were read from files: what is quoted of their blocks, and where it is. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { unwrap } from '../../src/base/refusal.js';
import { decode } from '../../src/codec/kit.js';
import type { EngineInput } from '../../src/engines/engine.js';
import { sentence_chars_max } from '../../src/kinds/research/constants.js';
import type { Finding, ResearchResult } from '../../src/kinds/research/result.js';
import { verifyResearch } from '../../src/kinds/research/verify/verify.js';
import { type Block, type ResearchWork, researchWork } from '../../src/kinds/research/work.js';
import { inputFor, researched } from './inputs.js';

type Part = readonly [type: Block['type'], text: string, more?: Partial<Block>];

/** Returns a source whose text is that of the blocks. */
function sourceOf(...parts: readonly Part[]): Record<string, unknown> {
  let text = '';
  const blocks = parts.map(([type, own, more], i) => {
    if (i > 0) text += type === 'table_row' && parts[i - 1]?.[0] === 'table_row' ? '\n' : '\n\n';
    const start = text.length;
    text += own;
    return { type, start, end: text.length, ...more };
  });
  return { id: 's1', title: 'Rules', text, blocks };
}

const inputOf = (goal: string, ...sources: readonly unknown[]): EngineInput<ResearchWork> =>
  inputFor(goal, unwrap(decode(researchWork, { kind: 'research', sources })));

const quotes = ({ findings }: ResearchResult): string[] => findings.map(({ quote }) => quote);

describe('research over blocks', () => {
  it('quotes sentences of paragraphs and list items, with their block and page', () => {
    const source = sourceOf(
      ['heading', 'Berth fees', { page: 1 }],
      ['paragraph', 'Nothing is due in winter. The berth fee is 40 crowns a week.', { page: 2 }],
      ['list_item', 'A late berth fee costs 5 crowns more', { page: 3 }],
    );
    const { findings } = researched(inputOf('How much is the berth fee?', source));
    const places = findings.map(({ quote, block, page }) => [quote, block, page]);
    assert.deepEqual(places, [
      ['The berth fee is 40 crowns a week.', 1, 2],
      ['A late berth fee costs 5 crowns more', 2, 3],
    ]);
  });

  it('never quotes a heading or a line that holds only a date', () => {
    const dates = [
      '12 March 2026',
      'Thursday, 12 March 2026',
      'Updated: 2026-03-12 10:30',
      '12.03.2026',
      'March 2026',
      '12. März 2026',
    ];
    const source = sourceOf(
      ['heading', 'The berth fee of March 2026'],
      ...dates.map((date): Part => ['paragraph', date]),
      ['paragraph', 'The fee was set on 12 March 2026.'],
      ['list_item', 'Founded in 1994'],
    );
    assert.deepEqual(quotes(researched(inputOf('the berth fee of March 2026, updated Thursday 12 März', source))), [
      'The fee was set on 12 March 2026.',
    ]);
    assert.deepEqual(quotes(researched(inputOf('What was founded?', source))), ['Founded in 1994']);
  });

  it('counts the words of a heading for the paragraph below it', () => {
    const parts = (heading: string): Part[] => [
      ['paragraph', 'It costs 40 crowns in the north.'],
      ['heading', heading],
      ['paragraph', 'It costs 50 crowns in the south.'],
      ...['Boats', 'Ropes', 'Nets', 'Lamps'].map((name): Part => ['paragraph', `${name} are sold at the quay.`]),
    ];
    const first = (heading: string): string | undefined =>
      quotes(researched(inputOf('crowns for berths', sourceOf(...parts(heading)))))[0];
    assert.equal(first('Nothing'), 'It costs 40 crowns in the north.');
    assert.equal(first('Berths'), 'It costs 50 crowns in the south.');
  });

  it('quotes whole rows of tables, however many sentences their cells have', () => {
    const row = 'Farm: Outer rock. Small. | Tonnes: 198 | Note: See p. 4! Then ask.';
    const source = sourceOf(['table_row', 'Farm: West bay | Tonnes: 80 | Note: none'], ['table_row', row]);
    assert.deepEqual(quotes(researched(inputOf('tonnes of the outer rock', source))).includes(row), true);
  });

  it('cuts a long row between cells, and quotes of a long cell only its beginning', () => {
    const cell = (name: string, words: number): string => `${name}: ${'kelp lines '.repeat(words).trim()}`;
    const row = [cell('North', 30), cell('South', 30), cell('West', 120)].join(' | ');
    assert.ok(row.length > 2 * sentence_chars_max);
    const found = quotes(researched(inputOf('kelp lines', sourceOf(['table_row', row]))));
    assert.ok(found.length > 0);
    for (const quote of found) assert.match(quote, /^(?:North|South|West): /);
  });

  it('keeps offsets in the text of the source, also behind characters that normalisation changes', () => {
    const source = sourceOf(
      ['paragraph', 'Cafe\u0301 fees.'],
      ['table_row', 'Fee: 40'],
      ['paragraph', 'The cafe\u0301 fee is due.'],
    );
    const { findings } = researched(inputOf('the café fee', source));
    for (const { quote, start, end } of findings) assert.equal((source['text'] as string).slice(start, end), quote);
    assert.ok(quotes({ findings } as ResearchResult).includes('The cafe\u0301 fee is due.'));
  });

  it('gives findings that pass the verifier, whatever the blocks are', () => {
    const words = 'fee Fees. berth 2026 | Tonnes: \u0301e 😀 ที่ 。 [1] "'.split(' ');
    const word = fc.constantFrom(...words, '12 March', ' ');
    const part = fc.tuple(
      fc.constantFrom<Block['type']>('heading', 'paragraph', 'list_item', 'table_row', 'code'),
      fc.array(word, { minLength: 1, maxLength: 90 }).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        for (const { block } of researched(inputOf('berth fees 2026 tonnes', sourceOf(...parts))).findings)
          assert.notEqual(parts[block ?? -1]?.[0], 'heading');
      }),
      { numRuns: 300 },
    );
  });

  it('is refused by the verifier where a quote has another block or page, or is a heading', () => {
    const source = sourceOf(
      ['heading', 'The berth fee'],
      ['paragraph', 'The berth fee is 40.', { page: 2 }],
      ['paragraph', 'More.'],
    );
    const input = inputOf('the berth fee', source);
    const result = researched(input);
    const failure = (change: Partial<Finding>): string | null =>
      verifyResearch(input, { ...result, findings: [{ ...result.findings[0], ...change }] }).failure;
    const elsewhere = 'findings[0].block and page are not those of its place';
    assert.equal(failure({ page: 1 }), elsewhere);
    assert.equal(failure({ block: 0 }), elsewhere);
    const heading = { quote: 'The berth fee', claim: 'The berth fee', start: 0, end: 13, block: 0 };
    const { page: _, ...finding } = result.findings[0] ?? assert.fail();
    assert.equal(
      verifyResearch(input, { ...result, findings: [{ ...finding, ...heading }] }).failure,
      'findings[0].quote is a heading',
    );
  });
});
