import assert from 'node:assert/strict';
import { Heard } from '../../../src/app/workers/heard.js';
import { nats_connect_ms_max, nats_first_connection_ms_max } from '../../../src/base/limits.js';

describe('the workers of a queue that is not connected yet', () => {
  it('are waited for longer while it may only be slow than when it refuses', () => {
    const heard = new Heard();
    const after = (ms: number): boolean => heard.isNobody(performance.now() + ms);
    assert.deepEqual([after(nats_first_connection_ms_max + 1), after(nats_connect_ms_max + 1)], [false, true]);
    heard.refused();
    assert.deepEqual([after(0), after(nats_first_connection_ms_max + 1)], [false, true]);
  });
});
