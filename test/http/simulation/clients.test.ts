/** Clients that people write: one whose types come from the API's document, and a plain script. Both go the whole way. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../support/package-root.js';
import { real, typedClient } from '../../support/real.js';
import { givenSimulation, stopAfterEach, token } from './given-simulation.js';

const run = promisify(execFile);
const root = packageRoot(import.meta.url);

const client = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const api = createClient<paths>({ baseUrl: process.env['U']!, headers: { Authorization: \`Bearer \${process.env['TOKEN']}\` } });
const body: components['schemas']['SimulationBody'] = { horizon: 4, curve: 'linear', entropy: 2, samples: 20, sectors: ['retail', { name: 'mining', growth: 0.02 }] };
const started = await api.POST('/simulate', { body, params: { header: { prefer: 'wait=30' } } });
if (started.data === undefined) throw new Error(started.error.detail);
const { id } = started.data;
const { data: run } = await api.GET('/runs/{id}', { params: { path: { id }, query: { wait: 30 } } });
const { data: results } = await api.GET('/results/{id}', { params: { path: { id } } });
const capability: number | undefined = results?.forecast.at(-1)?.capability;
const { data: csv } = await api.GET('/results/{id}/sectors.csv', { params: { path: { id } }, parseAs: 'text' });
const { data: renamed } = await api.PATCH('/runs/{id}', { params: { path: { id } }, body: { name: 'typed' } });
const { data: page } = await api.GET('/runs', { params: { query: { search: 'typed', limit: 1 } } });
const { data: insight } = await api.POST('/insight', { body: { ids: [id] } });
const sweep = await api.POST('/sweeps', { body: { request: { horizon: 2 }, field: 'entropy', values: [1, 2], seeds: 1 } });
const { data: swept } = await api.GET('/sweeps/{id}', { params: { path: { id: sweep.data?.id ?? '' }, query: { wait: 30 } } });
const missing = await api.GET('/results/{id}', { params: { path: { id: 'f'.repeat(16) } } });
console.log(JSON.stringify([
  run?.state, capability, csv?.split('\\r\\n').length, renamed?.name, page?.items.map((each) => each.id === id),
  insight?.forecast.length, swept?.state, swept?.points.length, missing.error?.code,
]));
`;

const options = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  lib: ['es2022', 'dom'],
  types: [],
  skipLibCheck: true,
};

real('openapi-typescript', "a client whose types are generated from the simulation API's document", () => {
  stopAfterEach();

  it('compiles and goes the whole way', async () => {
    const { url, given } = await givenSimulation();
    const folder = given.root;
    const modules = join(typedClient(), 'node_modules');
    symlinkSync(modules, join(folder, 'node_modules'), 'junction');
    copyFileSync(join(root, 'docs', 'simulation-openapi.json'), join(folder, 'openapi.json'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'client.ts'), `declare const process: { env: Record<string, string | undefined> };\n${client}`);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['client.ts'] }));
    const at = { cwd: folder, env: { ...process.env, U: url, TOKEN: token } };
    const node = (...args: readonly string[]) => run(process.execPath, [...args], at);
    await node(
      join(modules, 'openapi-typescript', 'bin', 'cli.js'),
      'openapi.json',
      '--output',
      'api.ts',
      '--default-non-nullable',
      'false',
    );
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    await node(compiler, '-p', 'tsconfig.json', '--singleThreaded').catch((error: { stdout?: string }) =>
      assert.fail(error.stdout),
    );
    const { stdout } = await node('client.js');
    assert.deepEqual(JSON.parse(stdout), ['succeeded', 1, 10, 'typed', [true], 4, 'completed', 2, 'not_found']);
  });
});

real('openapi-typescript', "the documents of the servers' interfaces", () => {
  it('have no error by the rules that Redocly recommends', async () => {
    const documents = ['openapi.json', 'simulation-openapi.json'].map((name) => join(root, 'docs', name));
    const script = `const { lint, createConfig } = require('@redocly/openapi-core');
      const checked = (ref, config) => lint({ ref, config }).then((found) =>
        found.filter(({ severity }) => severity === 'error').map(({ ruleId, message }) => ref + ' ' + ruleId + ': ' + message));
      createConfig({ extends: ['recommended'] })
        .then((config) => Promise.all(${JSON.stringify(documents)}.map((ref) => checked(ref, config))))
        .then((found) => console.log(JSON.stringify(found)))`;
    const { stdout } = await run(process.execPath, ['--eval', script], { cwd: typedClient() });
    assert.deepEqual(JSON.parse(stdout), [[], []]);
  });
});

real('python', 'a client of the simulation in plain Python', () => {
  stopAfterEach();

  it('goes the whole way', async () => {
    const { url } = await givenSimulation();
    const { stdout } = await run('python3', [join(root, 'test', 'http', 'simulation', 'client.py'), url, token]);
    assert.deepEqual(stdout.trim().split('\n'), [
      'succeeded 5',
      '304',
      'year,capability,affected,p05,p25,p50,p75,p95,affected_p05,affected_p25,affected_p50,affected_p75,affected_p95',
      'effectiveness,risk,complexity,rank',
      '1 run reaches year 5',
      'completed [0, 6]',
      '409 cannot be cancelled',
      '415',
    ]);
  });
});
