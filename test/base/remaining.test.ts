import { strictEqual } from 'node:assert';
import { remainingSeconds } from '../../src/base/remaining.js';

describe('the time that remains', () => {
  const first = { at: 1_000, done: 0 };

  it('is that of work which continues as before', () => {
    strictEqual(remainingSeconds(first, { at: 11_000, done: 0.25 }), 30);
    strictEqual(remainingSeconds({ at: 1_000, done: 0.5 }, { at: 11_000, done: 0.75 }), 10);
    strictEqual(remainingSeconds(first, { at: 7_000, done: 0.999 }), 1);
  });

  it('is unknown while too little was seen, and at the end', () => {
    strictEqual(remainingSeconds(first, { at: 5_999, done: 0.9 }), null);
    strictEqual(remainingSeconds(first, { at: 60_000, done: 0.019 }), null);
    strictEqual(remainingSeconds(first, { at: 60_000, done: 0 }), null);
    strictEqual(remainingSeconds(first, { at: 60_000, done: 1 }), null);
  });
});
