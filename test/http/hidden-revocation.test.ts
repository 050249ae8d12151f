/** A token that was revoked beside a server, and whose row and entries are then altered so that it looks active. */
import assert from 'node:assert/strict';
import { revokeToken } from '../../src/app/tokens/change.js';
import type { Db } from '../../src/store/database.js';
import { actor } from '../support/app/given-home.js';
import { until } from '../support/app/given-daemon.js';
import { tamper } from '../support/app/mixed-home.js';
import { submit } from '../support/app/temporary-home.js';
import { withoutTriggers } from '../support/journal/without-triggers.js';
import { givenOperator, stopAfterEach, type GivenOperator } from './given-operator.js';

const rowOf = (db: Db): Record<string, unknown> =>
  db.prepare<[], Record<string, unknown>>("SELECT * FROM token WHERE name = 'bob'").get() ?? assert.fail('no row');

function putBack(db: Db, row: Readonly<Record<string, unknown>>): void {
  const columns = Object.keys(row);
  db.prepare(`REPLACE INTO token (${columns.join()}) VALUES (${columns.map((name) => `@${name}`).join()})`).run(row);
}

const hidden = (which: string) => (db: Db) =>
  withoutTriggers(db, () => db.exec(`UPDATE events SET mission = '@token:bab' WHERE mission = '@token:bob' ${which}`));

const hiding: Readonly<Record<string, (db: Db) => void>> = {
  'its row': () => undefined,
  'its row, and its last entry is hidden': hidden("AND seq = (SELECT max(seq) FROM events WHERE mission = '@token:bob')"),
  'its row, and its entries are hidden': hidden(''),
};

/** A server beside which a token is revoked, at once or long before the newest entries. */
async function given(isOld: boolean, row: { value: Record<string, unknown> }): Promise<GivenOperator> {
  const server = await givenOperator();
  await until(() => server.daemon.verification().valid === true);
  assert.equal((await server.ask('GET', '/api/status', { as: 'reviewer' })).status, 200);
  row.value = server.given.with(({ db }) => rowOf(db));
  await server.given.with((home) => revokeToken(home, 'bob', actor), { isUrgent: true });
  if (isOld)
    server.given.with(({ writer }) => {
      writer.begin();
      writer.run(Array.from({ length: 300 }, (_, n) => submit(n)));
    });
  assert.equal((await server.ask('GET', '/api/status', { as: 'reviewer' })).status, 401);
  return server;
}

describe('a token that was revoked beside a server', () => {
  stopAfterEach();
  for (const isOld of [false, true]) {
    for (const [title, hide] of Object.entries(hiding)) {
      it(`stays refused after somebody put back ${title}, ${isOld ? 'in' : 'after'} the snapshot`, async () => {
        const row = { value: {} };
        const { ask, given: home } = await given(isOld, row);
        tamper(home, (db) => {
          hide(db);
          putBack(db, row.value);
        });
        for (let n = 0; n < 3; n++) assert.equal((await ask('GET', '/api/status', { as: 'reviewer' })).status, 401);
        // Who is not concerned still has access.
        assert.equal((await ask('GET', '/api/status')).status, 200);
      });
    }
  }
});
