/** AGI_ISLAND_BACKENDS, and islands on several threads. */
import assert from 'node:assert/strict';
import { islandGroups, one_island, readIslands } from '../../../src/app/simulation/islands/settings.js';
import { type SimulationAnswer, simulateOnThread } from '../../../src/app/simulation/runs/thread.js';
import { requireRun } from '../../../src/app/simulation/runs/runs.js';
import { storedRun } from '../../../src/app/simulation/runs/stored.js';
import { until } from '../../support/app/given-daemon.js';
import { rejectsRefusal, throwsRefusal } from '../../support/app/given-home.js';
import { ask, servicesForEach } from '../../support/app/given-simulations.js';
import { requestOf } from '../../support/app/simulation.js';
import { homeForEach } from '../../support/app/temporary-home.js';

const services = servicesForEach();
const homes = homeForEach();
const faultOf = (text: string): string => {
  const { errors, detail } = throwsRefusal(() => readIslands(text), 'invalid');
  assert.equal(errors?.[0]?.path, 'AGI_ISLAND_BACKENDS', text);
  return detail.replace(/^AGI_ISLAND_BACKENDS: /, '');
};

describe('AGI_ISLAND_BACKENDS', () => {
  it('is one island without it', () => {
    assert.deepEqual([readIslands(undefined), readIslands(''), readIslands('  ')], [one_island, one_island, one_island]);
  });

  it('names islands and backends, in code-point order whatever the order given', () => {
    assert.deepEqual(readIslands(' b=threads , a=threads:3,B=threads:64'), [
      { name: 'B', backend: { type: 'threads', threads: 64 } },
      { name: 'a', backend: { type: 'threads', threads: 3 } },
      { name: 'b', backend: { type: 'threads', threads: null } },
    ]);
  });

  it('is refused with what is wrong', () => {
    const known = 'known backends are threads, threads:N, nats://HOST:PORT and tls://HOST:PORT';
    for (const [text, fault] of [
      ['main', '"main" is not name=backend'],
      ['a=threads,', '"" is not name=backend'],
      ['a=b=threads', '"a=b=threads" is not name=backend'],
      ['=threads', '"" is not a valid island name: 1 to 64 letters, digits, _ and -'],
      ['a b=threads', '"a b" is not a valid island name: 1 to 64 letters, digits, _ and -'],
      ['a=threads,a=threads:2', 'names the island a twice'],
      ['a=threads:0', 'a: "threads:0" must be threads:N with N from 1 to 64'],
      ['a=threads:65', 'a: "threads:65" must be threads:N with N from 1 to 64'],
      ['a=threads:1e1', 'a: "threads:1e1" must be threads:N with N from 1 to 64'],
      ['a=gpu', `a: unknown backend "gpu"; ${known}`],
      ['a=Threads', `a: unknown backend "Threads"; ${known}`],
      ['a=kafka://localhost:4222', `a: unknown backend "kafka://localhost:4222"; ${known}`],
      ['a=nats://example.org', 'a: the address of the queue must use tls:// unless its host is loopback'],
      [
        'a=tls://user:secret@example.org',
        'a: the address of the queue must have no user or password; AGENT_NATS_CREDS names a credentials file, AGENT_NATS_TOKEN holds a token',
      ],
      ['a=nats://localhost:0', 'a: the address of the queue must have a port from 1 to 65535'],
      ['a=tls://example.org/path', 'a: the address of the queue must be nats://host:port or tls://host:port, without a path'],
      [Array.from({ length: 65 }, (_, i) => `i${i}=threads`).join(','), 'names 65 islands, more than 64'],
    ] as const)
      assert.equal(faultOf(text), fault);
  });

  it('gives the islands of one backend its threads', () => {
    const placesOf = (text: string, spare: number) => islandGroups(readIslands(text), spare).map(({ places }) => places);
    assert.deepEqual(placesOf('a=threads,b=threads,c=threads,d=threads,e=threads', 2), [
      [0, 2, 4],
      [1, 3],
    ]);
    assert.deepEqual(placesOf('a=threads:4,b=threads,c=threads:4', 1), [[0], [2], [1]]);
    assert.deepEqual(islandGroups(one_island, 8), [{ places: [0], queue: null }]);
  });

  it('gives the islands of one queue to its workers together', () => {
    const islands = readIslands('a=nats://localhost:4222,b=threads,c=nats://LOCALHOST,d=tls://example.org:4443');
    assert.deepEqual(
      islandGroups(islands, 1).map(({ places, queue }) => [places, queue?.url]),
      [
        [[0, 2], 'nats://localhost:4222'],
        [[1], undefined],
        [[3], 'tls://example.org:4443'],
      ],
    );
  });
});

describe('islands on several threads', () => {
  const document = { entropy: 2, pop_size: 41, generations: 23, num_sectors: 7, mut_rate: 0.3 };

  it('give the outcome of one thread, bit for bit, and report the generations in order', async () => {
    const islands = ['a', 'b', 'c', 'd', 'e'];
    const answers: SimulationAnswer[] = [];
    for (const threads of [1, 2, 3, 5]) {
      const heard: number[] = [];
      const shares: number[] = [];
      const settings = readIslands(islands.map((name) => `${name}=threads:${threads}`).join(','));
      const onGeneration = (generation: number, done: number): void => {
        heard.push(generation);
        shares.push(done);
      };
      answers.push(await simulateOnThread({ request: requestOf(document), islands }, { islands: settings, onGeneration }));
      assert.deepEqual([heard.at(-1), heard], [23, heard.toSorted((a, b) => a - b)]);
      assert.ok(shares.every((share, i) => share <= 1 && share >= (shares[i - 1] ?? 0)) && shares.at(-1) === 1);
    }
    assert.equal(answers[0]?.type, 'answered');
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
  });

  it('are those of every run of the server; too few individuals for them are refused', async () => {
    const { service, daemon } = await services.start(homes.get(), {
      islands: readIslands('b=threads:2,a=threads:2,c=threads'),
      daemon: { orchestrator: {} },
    });
    const few = await rejectsRefusal(service.request({ pop_size: 5 }, { actor: 'operator' }), 'invalid');
    assert.equal(few.errors?.[0]?.path, 'pop_size');
    const id = await ask(service, { pop_size: 6 });
    await until(() => service.ended().succeeded === 1);
    assert.deepEqual(storedRun(daemon.home.db, requireRun(daemon.home.db, id)).islands, ['a', 'b', 'c']);
  });
});
