import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { LogLines } from '../../src/http/log.js';

describe('log lines', () => {
  /** A target that takes what `take` says of each text, and throws where that is negative. */
  function given(format?: (line: string) => string) {
    const state: { text: string; take: (bytes: number) => number } = { text: '', take: (bytes) => bytes };
    const lines = new LogLines((bytes) => {
      const taken = state.take(bytes.length);
      if (taken < 0) throw new Error('no space left');
      state.text += Buffer.from(bytes.subarray(0, taken)).toString();
      return taken;
    }, format);
    return { state, lines };
  }

  it('are held until they are many or flushed, and written whole however little is taken at once', () => {
    const { state, lines } = given();
    state.take = (bytes) => Math.min(bytes, 3);
    lines.write('first\n');
    match(state.text, /^$/);
    lines.flush();
    match(state.text, /^first\n$/);
    lines.write(`${'x'.repeat(10_000)}\n`);
    strictEqual(state.text.length, 6 + 10_001);
  });

  it('are dropped and counted when they cannot be written, and the count is logged once when it works again', () => {
    const { state, lines } = given();
    state.take = () => -1;
    for (const line of ['one\n', 'two\n']) lines.write(line);
    lines.flush();
    lines.write('three\n');
    lines.flush();
    state.take = (bytes) => bytes;
    lines.write('four\n');
    lines.flush();
    lines.write('five\n');
    lines.flush();
    const [told = '', ...rest] = state.text.split('\n');
    const { time, ...note } = JSON.parse(told) as Record<string, unknown>;
    deepStrictEqual(note, { level: 40, msg: 'log lines were lost', lost: 3 });
    match(String(time), /^2\d{3}-/);
    deepStrictEqual(rest, ['four', 'five', '']);
  });

  it('report the count without another line, too', () => {
    const { state, lines } = given((line) => line.toUpperCase());
    state.take = () => -1;
    lines.write('one\n');
    lines.flush();
    state.take = (bytes) => bytes;
    lines.flush();
    match(state.text, /"LOST":1\}\n$/);
  });

  it('are ended before the next one when they were cut, and count as lost', () => {
    const { state, lines } = given();
    let room = 6;
    state.take = () => (room-- > 0 ? 1 : -1);
    for (const line of ['one\n', 'two\n', 'three\n']) lines.write(line);
    lines.flush();
    strictEqual(state.text, 'one\ntw');
    state.take = (bytes) => bytes;
    lines.write('four\n');
    lines.flush();
    const [one, cut, note = '', four] = state.text.split('\n');
    deepStrictEqual([one, cut, four], ['one', 'tw', 'four']);
    strictEqual((JSON.parse(note) as { lost: number }).lost, 2);
  });

  it('are lost, and counted, when the target takes nothing or they are too long', () => {
    const { state, lines } = given();
    state.take = () => 0;
    lines.write('one\n');
    lines.flush();
    lines.write(`${'x'.repeat(100_000)}\n`);
    state.take = (bytes) => bytes;
    lines.flush();
    match(state.text, /"lost":2\}\n$/);
  });
});
