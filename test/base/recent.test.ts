import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { firstAbort } from '../../src/base/first-abort.js';
import { Recent } from '../../src/base/recent.js';

/** Returns the keys below a number that a map still has. */
const keysOf = (recent: Recent<number, number>, below: number): number[] =>
  Array.from({ length: below }, (_, key) => key).filter((key) => recent.get(key) !== undefined);

describe('a map of what was set last', () => {
  it('holds at most so many entries, and at least the half that was set last', () => {
    for (const most of [2, 3, 256, 600]) {
      const recent = new Recent<number, number>(most);
      for (let key = 0; key < 1_000; key++) {
        recent.set(key, key);
        const kept = keysOf(recent, 1_000);
        assert.ok(kept.length <= most && kept.length >= Math.min(key + 1, Math.floor(most / 2)), `${kept.length} of ${most}`);
        assert.deepEqual(
          kept,
          kept.map((_, i) => key + 1 - kept.length + i),
        );
      }
    }
  });

  it('takes an entry that is set again for a new one', () => {
    const recent = new Recent<number, number>(4);
    for (const key of [0, 1, 2, 0, 3]) recent.set(key, key);
    assert.deepEqual(keysOf(recent, 4), [0, 2, 3]);
  });
});

describe('the first abort of several signals', () => {
  it('has its reason, and leaves nothing on a signal that lives on', () => {
    const [request, server] = [new AbortController(), new AbortController()];
    const first = firstAbort(request.signal, server.signal);
    request.abort('it is answered');
    assert.deepEqual([first.reason, getEventListeners(server.signal, 'abort')], ['it is answered', []]);
    server.abort('it stops');
    assert.equal(firstAbort(new AbortController().signal, server.signal).reason, 'it stops');
  });
});
