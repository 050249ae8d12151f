import assert from 'node:assert/strict';
import { damageRefusal } from '../../src/base/damage.js';

const sqlite = (message: string, code = 'SQLITE_ERROR'): Error => Object.assign(new Error(message), { code });
const rebuild = 'agent-cli rebuild';
const restore = 'agent-cli restore --help';

describe('damage that SQLite reports', () => {
  for (const [message, detail, hint] of [
    ['no such table: mission', /^it has no table mission$/, rebuild],
    ['no such table: main.token', /^it has no table token$/, rebuild],
    ['no such table: events', /^it has no table events, and nothing in this home can rebuild it/, restore],
    ['table mission has no column named goal', /^the table mission in it is not defined/, rebuild],
    ['table events has no column named body', /no column named body$/, 'agent-cli doctor'],
    ['no such column: goal', /no such column: goal$/, 'agent-cli doctor'],
    ['no such index: mission_state', /no such index: mission_state$/, 'agent-cli doctor'],
  ] as const) {
    it(`recognises "${message}"`, () => {
      const refusal = damageRefusal(sqlite(message), 'it');
      assert.deepEqual([refusal?.code, refusal?.hint], ['integrity', hint]);
      assert.match(refusal?.detail ?? '', detail);
    });
  }

  for (const code of ['SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX', 'SQLITE_NOTADB'])
    it(`recognises ${code}`, () =>
      assert.equal(damageRefusal(sqlite('malformed', code))?.detail, 'journal.sqlite3 is damaged: malformed'));

  it('recognises nothing else', () => {
    for (const error of [
      sqlite('near "x": syntax error'),
      sqlite('no such table: mission', 'SQLITE_IOERR'),
      new Error('no such table: x'),
      null,
    ])
      assert.equal(damageRefusal(error), null);
  });
});
