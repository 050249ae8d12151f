import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
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

  it('wait while they cannot be written, and are dropped and counted beyond what is held', () => {
    const { state, lines } = given();
    const large = `${'x'.repeat(10_000)}\n`;
    state.take = () => -1;
    for (const line of ['one\n', 'two\n', large, large, large, large, large]) lines.write(line);
    strictEqual(state.text, '');
    state.take = (bytes) => bytes;
    lines.write('three\n');
    lines.flush();
    lines.write('four\n');
    lines.flush();
    const [note = '', ...rest] = state.text.split('\n').slice(5);
    ok(state.text.startsWith(`one\ntwo\n${large}${large}${large}`));
    const { time, ...told } = JSON.parse(rest[0] ?? '') as Record<string, unknown>;
    deepStrictEqual([note, told, rest.slice(1)], ['three', { level: 40, msg: 'log lines were lost', lost: 2 }, ['four', '']]);
    match(String(time), /^2\d{3}-/);
  });

  it('report the count without another line, too', () => {
    const { state, lines } = given((line) => line.toUpperCase());
    lines.write('x'.repeat(100_000));
    lines.flush();
    match(state.text, /"LOST":1\}\n$/);
  });

  it('are never cut, however little is taken before the target fails', () => {
    const { state, lines } = given();
    let room = 6;
    state.take = () => (room-- > 0 ? 1 : -1);
    for (const line of ['one\n', 'two\n', 'three\n']) lines.write(line);
    lines.flush();
    strictEqual(state.text, 'one\ntw');
    state.take = () => 0;
    lines.flush();
    state.take = (bytes) => bytes;
    lines.write('four\n');
    lines.flush();
    strictEqual(state.text, 'one\ntwo\nthree\nfour\n');
  });
});
