import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Loose } from '../../support/http/schema-check.js';
import { type GivenSimulation, givenSimulation, stopSimulations, token } from './given-simulation.js';
import { problemIn } from '../plain-http.js';

const names = [
  '/results/ID',
  '/results/ID?genome=1',
  '/population/ID',
  '/results/ID.csv',
  '/results/ID/sectors.csv',
  '/population/ID.csv',
];
const kept = 'private, max-age=31536000, immutable';
const identity = { 'Accept-Encoding': 'identity' };

describe('simulation API: representations', () => {
  let simulation: GivenSimulation;
  before(async () => void (simulation = await givenSimulation()));
  after(stopSimulations);

  it('of a run that succeeded have a strong entity tag and may be stored by the client alone', async () => {
    const { ask, succeeded } = simulation;
    const id = await succeeded();
    const { outcome_hash } = (await ask('GET', `/runs/${id}`)).body;
    for (const name of names) {
      const path = name.replace('ID', id);
      const whole = await ask('GET', path, { headers: identity });
      const etag = `"${outcome_hash}-${name.endsWith('csv') ? 'csv' : 'json'}"`;
      assert.equal(whole.headers.get('etag'), etag, name);
      assert.equal(whole.headers.get('cache-control'), kept, name);
      assert.equal(whole.headers.get('vary'), 'Accept-Encoding, Authorization', name);
      assert.equal(whole.headers.get('content-encoding'), null, name);
      const again = await ask('GET', path, { headers: { ...identity, 'If-None-Match': `"other", ${etag}` } });
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag], name);
      const compressed = await ask('GET', path, { headers: { 'If-None-Match': etag } });
      assert.equal(compressed.status, 200, 'the compressed form has another tag');
    }
  });

  it('are compressed for clients that accept gzip, with a tag of their own', async () => {
    const { succeeded, port, ask } = simulation;
    const id = await succeeded({ pop_size: 40, num_sectors: 30 });
    for (const name of names) {
      const path = name.replace('ID', id);
      const whole = await ask('GET', path, { headers: identity });
      const response = await fetchBytes(port, path, 'gzip;q=0.5, br');
      assert.equal(response.headers['content-encoding'], 'gzip', name);
      assert.equal(response.headers['etag'], whole.headers.get('etag')?.replace(/"$/, '-gz"'), name);
      assert.equal(gunzipSync(response.body).toString(), whole.text, name);
      assert.ok(response.body.length < whole.text.length, name);
    }
  });

  it('are not stored where they change: the newest results, the runs and every refusal', async () => {
    const { ask, succeeded } = simulation;
    const id = await succeeded();
    for (const path of ['/results', '/runs', `/runs/${id}`, `/results/${'f'.repeat(16)}`]) {
      const { headers } = await ask('GET', path);
      assert.deepEqual([headers.get('cache-control'), headers.get('etag')], ['no-store', null], path);
    }
  });

  it('have their tags shown to pages of other origins, whose origin they vary with', async () => {
    const { ask, succeeded } = await givenSimulation({ settings: { origins: ['https://a.example'] } });
    const { headers } = await ask('GET', `/results/${await succeeded()}`, { headers: { Origin: 'https://a.example' } });
    assert.equal(headers.get('vary'), 'Origin, Accept-Encoding, Authorization');
    const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? [];
    for (const name of ['ETag', 'Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
      assert.ok(exposed.includes(name), name);
  });

  it('as CSV have the population and the sectors by year, with names in quotes where needed', async () => {
    const { ask, succeeded } = simulation;
    const sectors = ['plain', 'a "b", c'];
    const id = await succeeded({ sectors, horizon: 2, entropy: 2, curve: 'linear', pop_size: 3 });
    const { body: results } = await ask('GET', `/results/${id}`);
    const population = await ask('GET', `/population/${id}.csv`);
    assert.match(population.headers.get('content-disposition') ?? '', new RegExp(`filename="population-${id}.csv"`));
    const rows = results.population.map((one: Loose) => `${one.effectiveness},${one.risk},${one.complexity},${one.rank}\r\n`);
    assert.equal(population.text, `effectiveness,risk,complexity,rank\r\n${rows.join('')}`);
    const { text } = await ask('GET', `/results/${id}/sectors.csv`);
    const [plain, quoted] = results.sectors;
    const line = (name: string, sector: Loose, year: number): string =>
      `${name},${year},${sector.energy[year - 1]},${sector.probability[year - 1]},${sector.disrupted_year ?? ''}`;
    assert.deepEqual(text.split('\r\n'), [
      'sector,year,energy,probability,disrupted_year',
      line('plain', plain, 1),
      line('plain', plain, 2),
      line('"a ""b"", c"', quoted, 1),
      line('"a ""b"", c"', quoted, 2),
      '',
    ]);
  });

  it('of a request may name the encoding that is none', async () => {
    const { ask } = simulation;
    const answer = await ask('POST', '/simulate', { body: {}, headers: { 'Content-Encoding': 'identity' } });
    assert.equal(answer.status, 200);
    assert.equal(problemIn(await ask('POST', '/simulate', { body: {}, headers: { 'Content-Encoding': 'br' } })).status, 415);
  });
});

/** Returns a response as it was sent: `fetch` decompresses. */
const fetchBytes = (port: number, path: string, accepted: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': accepted, Connection: 'close' };
    request({ port, path, headers }, (response) => {
      buffer(response).then((body) => resolve({ headers: response.headers, body }), reject);
    })
      .once('error', reject)
      .end();
  });
