import assert from 'node:assert/strict';
import { blockOf, type Cells, filledRows, putBlock } from '../../src/console/kit/grid/cells.js';

const table: Cells = [
  ['a', '1'],
  ['b', '2'],
];

describe('console: a table that is edited', () => {
  it('reads what spreadsheets put on the clipboard', () => {
    const cases: readonly (readonly [string, Cells])[] = [
      ['', [['']]],
      ['a', [['a']]],
      [
        'a\tb\r\nc\td\r\n',
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
      ],
      ['a\n\nb', [['a'], [''], ['b']]],
      ['"x\ny"\t"say ""so"""', [['x\ny', 'say "so"']]],
      ['5" pipe\tb', [['5" pipe', 'b']]],
      ['"open\tb', [['"open', 'b']]],
      ['a\t', [['a', '']]],
    ];
    for (const [text, block] of cases) assert.deepEqual(blockOf(text), block, JSON.stringify(text));
  });

  it('puts a block at a place, grows, and leaves out what is beyond the last column', () => {
    assert.deepEqual(putBlock(table, { row: 1, col: 1 }, [['x', 'y'], ['z']], 2), [
      ['a', '1'],
      ['b', 'x'],
      ['', 'z'],
    ]);
    assert.deepEqual(putBlock([], { row: 1, col: 0 }, [['x']], 2), [[], ['x', '']]);
  });

  it('ends with the last row that is not blank', () => {
    assert.deepEqual(filledRows([['a'], [' '], ['', '']]), [['a']]);
  });
});
