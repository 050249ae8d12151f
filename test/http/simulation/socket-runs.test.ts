import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { affectedByYear, pathOf, scenarioOf } from '../../../src/engines/simulation/scenario.js';
import { requestOf } from '../../support/app/simulation.js';
import { givenSimulation, held, stopAfterEach, token, type GivenSimulation } from './given-simulation.js';
import { connect, type Client } from './given-socket.js';
import { until } from '../../support/app/given-daemon.js';

const onThreads = { simulate: undefined };
const headers = { Authorization: `Bearer ${token}` };
const open = ({ port }: GivenSimulation, query = ''): Promise<Client> => connect(port, query, { headers });

/** The lines of a run, by the engine itself. */
function linesOf(document: { readonly generations: number }): readonly string[] {
  const scenario = scenarioOf(requestOf(document));
  const affected = affectedByYear(
    scenario.horizon,
    scenario.sectors.map((sector) => pathOf(scenario, sector)),
  );
  return [
    ...affected.map((count, i) => `Year ${i + 1}: ${count} affected`),
    ...Array.from({ length: document.generations }, (_, i) => `Generation ${i + 1}`),
  ];
}

const disrupting = { horizon: 8, generations: 12, pop_size: 20, entropy: 2, curve: 'linear' };

describe('progress socket: real runs', () => {
  stopAfterEach();

  it('sends the same lines and 1000 to listeners before, during and after a run', async () => {
    const given = await givenSimulation({ service: onThreads });
    const waiting = await open(given);
    const id = await given.run(disrupting);
    const late = await open(given, `?id=${id}`);
    strictEqual((await waiting.closed).code, 1000);
    strictEqual((await late.closed).code, 1000);
    const after = await open(given, `?id=${id}`);
    strictEqual((await after.closed).code, 1000);
    const lines = linesOf(disrupting);
    ok(lines.some((line) => !line.endsWith(' 0 affected') && line.startsWith('Year')));
    deepStrictEqual(waiting.messages, lines);
    deepStrictEqual(late.messages, lines);
    deepStrictEqual(after.messages, lines);
  });

  it('reports with format=json how each of several runs ended', async () => {
    const given = await givenSimulation();
    const all = await open(given, '?format=json');
    const fine = await given.run({ generations: 2 });
    const unlucky = await given.run({ seed: 13 });
    strictEqual((await all.closed).code, 1000);
    const items = all.messages.map((message) => JSON.parse(message) as { id: string; type: string; state?: string });
    deepStrictEqual(
      items.filter(({ id }) => id === fine).map(({ type }) => type),
      ['year', 'year', 'year', 'year', 'year', 'generation', 'generation', 'ended'],
    );
    const replayed = await open(given, `?id=${unlucky}&format=json`);
    strictEqual((await replayed.closed).code, 1000);
    deepStrictEqual(JSON.parse(replayed.messages.at(-1) ?? ''), { id: unlucky, type: 'ended', state: 'failed' });
  });

  it('ends the listeners of a cancelled run with 1000', async () => {
    const given = await givenSimulation({ service: { simulate: held } });
    const id = await given.run();
    const { messages, closed } = await open(given, '?format=json');
    await given.until(id, 'running');
    strictEqual((await given.ask('DELETE', `/runs/${id}`)).status, 202);
    strictEqual((await closed).code, 1000);
    deepStrictEqual(JSON.parse(messages.at(-1) ?? ''), { id, type: 'ended', state: 'cancelled' });
  });

  it('ends with 1001 at once at a stop, also while no line is due', async () => {
    const given = await givenSimulation({ service: { simulate: held } });
    const id = await given.run();
    await given.until(id, 'running');
    const [all, one] = [await open(given), await open(given, `?id=${id}`)];
    await until(() => all.messages.length === 2 && one.messages.length === 2);
    await given.stopAll();
    for (const { closed } of [all, one]) deepStrictEqual(await closed, { code: 1001, reason: 'the server stops' });
    deepStrictEqual(all.messages, ['Year 1: 0 affected', 'Generation 1']);
  });
});
