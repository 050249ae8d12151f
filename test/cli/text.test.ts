import { deepStrictEqual, strictEqual } from 'node:assert';
import { printable, shorten, wrap } from '../../src/base/text.js';
import { pasteable } from '../../src/cli/text.js';
import { pairs } from '../../src/cli/table.js';
import { width, widthOf } from '../../src/cli/width.js';

describe('text on a terminal', () => {
  it('loses what could control the terminal', () => {
    strictEqual(printable('a\u001b[31mb\u0007c\u009bd\u202ee'), 'a\ufffd[31mb\ufffdc\ufffdd\ufffde');
    strictEqual(printable('one\r\n\ttwo'), 'one two');
    strictEqual(printable('naïve, 日本, 👍'), 'naïve, 日本, 👍');
  });

  it('is shortened without half a character', () => {
    strictEqual(shorten('abcdef', 6), 'abcdef');
    strictEqual(shorten('abcdefg', 6), 'abcde…');
    strictEqual(shorten('abc👍efg', 5), 'abc\ufffd…');
  });

  it('is wrapped between words', () => {
    deepStrictEqual(wrap('one two three', 7), ['one two', 'three']);
    deepStrictEqual(wrap('one abcdefghij two', 5), ['one', 'abcdefghij', 'two']);
    deepStrictEqual(wrap('', 5), ['']);
    const lines = pairs([['name', 'word '.repeat(60).trim()]]);
    strictEqual(lines.length > 1, true);
    for (const line of lines) strictEqual(line.length <= width(), true, line);
    strictEqual(lines[1]?.startsWith('      word'), true);
  });
});

describe('the width of lines', () => {
  for (const [columns, terminal, expected] of [
    [undefined, undefined, 80],
    [undefined, 120, 120],
    ['60', 120, 60],
    ['1', 120, 40],
    ['1000', 120, 200],
    [undefined, 20, 40],
    ['', 100, 100],
    ['wide', 100, 100],
  ] as const) {
    it(`is ${expected} with COLUMNS=${columns ?? ''} ${terminal === undefined ? 'off a terminal' : `on ${terminal} columns`}`, () => {
      strictEqual(widthOf({ COLUMNS: columns }, terminal), expected);
    });
  }
});

describe('commands to paste', () => {
  const cases: readonly (readonly [string, string, string | undefined, string])[] = [
    ['next: agent-cli list', 'agent-cli', undefined, 'next: agent-cli list'],
    ['next: agent-cli list', 'agent-cli', 'D', 'next: agent-cli list --home D'],
    ['  → agent-cli show X', 'host', 'a b', "  → host show --home 'a b' X"],
    ['  → agent-cli show X', 'agent-cli', "it's", "  → agent-cli show --home 'it'\\''s' X"],
    ['  agent-cli review X \\', 'agent-cli', '$1&', "  agent-cli review --home '$1&' X \\"],
    ['more: agent-cli list --cursor 3', 'agent-cli', 'D', 'more: agent-cli list --home D --cursor 3'],
    ['  → agent-cli --home D init', 'agent-cli', 'E', '  → agent-cli --home D init'],
    ['  → agent-cli init --help', 'agent-cli', 'D', '  → agent-cli init --help'],
    ['  → chmod 600 file', 'agent-cli', 'D', '  → chmod 600 file'],
    ['goal  use agent-cli list', 'host', 'D', 'goal  use agent-cli list'],
  ];
  for (const [line, bin, home, expected] of cases) {
    it(`are printed for ${line.trim()}, called as ${bin}${home === undefined ? '' : ` with --home ${home}`}`, () => {
      strictEqual(pasteable(line, bin, home), expected);
    });
  }
});
