import assert from 'node:assert/strict';
import {
  areaOf,
  blockOf,
  type Cells,
  cleared,
  copied,
  filledRows,
  no_history,
  paste,
  putBlock,
  remembered,
  withoutRows,
} from '../../src/console/kit/grid/cells.js';

const table: Cells = [
  ['a', '1'],
  ['b', '2'],
];

describe('console: a table that is edited', () => {
  it('reads what spreadsheets put on the clipboard, and gives it back', () => {
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
    const odd: Cells = [
      ['x\ny', 'tab\there'],
      ['"', ''],
    ];
    assert.deepEqual(blockOf(copied(odd, areaOf({ row: 1, col: 1 }, { row: 0, col: 0 }))), odd);
  });

  it('puts a block at a place, grows, and leaves out what is beyond the last column', () => {
    assert.deepEqual(putBlock(table, { row: 1, col: 1 }, [['x', 'y'], ['z']], 2), [
      ['a', '1'],
      ['b', 'x'],
      ['', 'z'],
    ]);
    assert.deepEqual(putBlock([], { row: 1, col: 0 }, [['x']], 2), [[], ['x', '']]);
  });

  it('fills a selected area with a single text', () => {
    const area = { top: 0, left: 1, bottom: 1, right: 1 };
    assert.deepEqual(paste(table, area, [['7']], 2), [
      ['a', '7'],
      ['b', '7'],
    ]);
    assert.deepEqual(paste(table, area, [['7', '8']], 2), [
      ['a', '7'],
      ['b', '2'],
    ]);
  });

  it('clears an area, removes rows, and ends with the last row that is not blank', () => {
    assert.deepEqual(cleared(table, { top: 1, left: 0, bottom: 5, right: 0 }), [
      ['a', '1'],
      ['', '2'],
    ]);
    assert.deepEqual(withoutRows(table, { top: 0, left: 0, bottom: 0, right: 1 }), [['b', '2']]);
    assert.deepEqual(filledRows([['a'], [' '], ['', '']]), [['a']]);
  });

  it('remembers a limited number of steps', () => {
    let history = no_history;
    for (let i = 0; i < 500; i++) history = remembered(history, [[String(i)]]);
    assert.deepEqual([history.past.length, history.past.at(-1)], [200, [['499']]]);
  });
});
