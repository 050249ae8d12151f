import assert from 'node:assert/strict';
import { unwrap } from '../../../src/base/refusal.js';
import { decode } from '../../../src/codec/kit.js';
import { settled, simulationInput } from '../../../src/codec/simulation.js';
import { givenSimulation, held, stopSimulations, type GivenSimulation } from './given-simulation.js';
import { problemIn } from '../plain-http.js';

/**
 * Texts, so that what JSON cannot say otherwise is said as a client would: one of each kind, as the bounds of each member are tested with the
 * codec (codec/simulation.test.ts).
 */
const refused: readonly (readonly [string, ...(readonly string[])])[] = [
  ['{"horizon":0}', 'horizon'],
  ['{"pop_size":10000,"num_sectors":100,"horizon":200,"generations":51}', 'generations'],
  ['{"curve":"cubic"}', 'curve'],
  ['{"name":"two\\nlines"}', 'name'],
  ['{"k":1e999}', 'k'],
  ['{"horizon":9007199254740993}', 'horizon'],
  ['{"sectors":["a",{"name":"a"}]}', 'sectors[1].name'],
  ['{"sectors":[{"name":"a","colour":"crimson"}]}', 'sectors[0].colour'],
  ['{"horizon":0,"pop_size":1,"extra":1}', 'extra', 'horizon', 'pop_size'],
  ['[]', ''],
];

describe('simulation API: the bounds of a request', () => {
  let simulation: GivenSimulation;
  before(async () => {
    simulation = await givenSimulation({ service: { simulate: held, waiting_max: 100 } });
  });
  after(stopSimulations);
  const post = (body: string) => simulation.ask('POST', '/simulate', { body });

  for (const [text, ...paths] of refused) {
    it(`refuse with 422 ${text.slice(0, 90)}`, async () => {
      const answer = await post(text);
      assert.equal(answer.status, 422, answer.text);
      const { errors, code } = problemIn(answer);
      assert.equal(code, 'invalid');
      assert.deepEqual(errors.map(({ path }: { path: string }) => path).toSorted(), paths);
      for (const { message } of errors) assert.match(message, /\w/);
      assert.doesNotMatch(answer.text, /cubic|crimson/, 'input values are not repeated');
    });
  }

  it('record every default, and a seed that was drawn', async () => {
    const { request, islands } = (await simulation.ask('GET', `/runs/${await simulation.run({})}`)).body;
    assert.ok(Number.isInteger(request.seed) && request.seed >= 0 && request.seed < 2 ** 32);
    assert.deepEqual(request, settled(unwrap(decode(simulationInput, {})), request.seed));
    assert.deepEqual(islands, ['main']);
  });

  it('accept JSON with another type or none', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-8']) {
      const headers = { 'Content-Type': type };
      assert.equal((await simulation.ask('POST', '/simulate', { body: '{}', headers })).status, 200, type);
    }
  });
});
