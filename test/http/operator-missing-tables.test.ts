/** Tables that disappear while the daemon serves their home. */
import assert from 'node:assert/strict';
import Database from 'better-sqlite3';
import { uuidOf } from '../support/app/temporary-home.js';
import { pause } from '../../src/app/control/control.js';
import { setToolStatus } from '../../src/app/tools/manifests.js';
import { actor, forecast, queued } from '../support/app/given-home.js';
import { givenOperator, stopAfterEach, type GivenOperator } from './given-operator.js';

describe('operator API: a missing table of the journal', () => {
  stopAfterEach();

  const drop = ({ home }: GivenOperator, table: string): void => {
    const db = new Database(home.paths.journal);
    db.exec(`DROP TABLE ${table}`);
    db.close();
  };

  for (const [table, method, path, body, status, code] of [
    ['mission', 'GET', '/api/missions', undefined, 200, undefined],
    ['mission', 'GET', `/api/missions/${uuidOf(1)}`, undefined, 404, 'not_found'],
    ['mission', 'POST', '/api/missions', forecast(), 500, 'integrity'],
    ['control', 'POST', '/api/control', { state: 'paused' }, 200, undefined],
    ['control', 'POST', '/api/control', { state: 'ready' }, 500, 'integrity'],
    ['tool', 'GET', '/api/tools', undefined, 200, undefined],
    ['token', 'GET', '/api/journal/checkpoint', undefined, 200, undefined],
  ] as const) {
    it(`responds to ${method} ${path} with ${status} without the table ${table}, and counts the journal as damaged`, async () => {
      const operator = await givenOperator({}, async (home) => {
        // A list of nothing reads no row.
        await queued(home, forecast('queued before'));
        await setToolStatus(home, 'backup', { to: 'deprecated', note: 'why', actor });
        if (body !== undefined && 'state' in body && body.state === 'ready') await pause(home, actor);
      });
      drop(operator, table);
      const { status: responded, body: document } = await operator.ask(method, path, { body });
      assert.deepEqual([responded, document?.code], [status, code]);
      const { journal } = (await operator.ask('GET', '/api/status')).body;
      assert.equal(journal.valid, false);
      assert.match(operator.daemon.verification().failure ?? '', new RegExp(`table:? ${table}|the ${table} table`));
      assert.deepEqual(
        operator.log.filter((line) => line.includes('"fault"')),
        [],
      );
    });
  }

  it('responds with 500 integrity without the table events, and names the backup as the way out', async () => {
    const operator = await givenOperator();
    drop(operator, 'events');
    const { status, body: problem } = await operator.ask('GET', '/api/journal');
    assert.deepEqual([status, problem.code, problem.hint], [500, 'integrity', 'agent-cli restore --help']);
  });
});
