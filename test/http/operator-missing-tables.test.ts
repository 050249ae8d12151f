/** Tables that disappear while the daemon serves their home. */
import assert from 'node:assert/strict';
import Database from 'better-sqlite3';
import { uuidOf } from '../support/temporary-home.js';
import { forecast } from '../support/given-home.js';
import { givenOperator, stopAfterEach, type GivenOperator } from './given-operator.js';

describe('operator API: a table of the journal is missing', () => {
  stopAfterEach();

  const drop = ({ home }: GivenOperator, table: string): void => {
    const db = new Database(home.paths.journal);
    db.exec(`DROP TABLE ${table}`);
    db.close();
  };

  for (const [table, method, path, body] of [
    ['mission', 'GET', '/api/missions', undefined],
    ['mission', 'GET', `/api/missions/${uuidOf(1)}`, undefined],
    ['mission', 'POST', '/api/missions', forecast()],
    ['control', 'POST', '/api/control', { state: 'paused' }],
    ['tool', 'GET', '/api/tools', undefined],
    ['token', 'GET', '/api/journal/checkpoint', undefined],
  ] as const) {
    it(`responds to ${method} ${path} with 500 integrity without the table ${table}, which is no fault`, async () => {
      const operator = await givenOperator();
      drop(operator, table);
      const { status, body: problem } = await operator.ask(method, path, { body });
      assert.deepEqual([status, problem.code, problem.hint], [500, 'integrity', 'agent-cli rebuild']);
      assert.match(problem.detail, new RegExp(`has no table ${table}$`));
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
