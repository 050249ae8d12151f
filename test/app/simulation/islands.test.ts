/** AGI_ISLAND_BACKENDS, and islands on several threads. */
import assert from 'node:assert/strict';
import { one_island, readIslands, threadGroups } from '../../../src/app/simulation/islands.js';
import type { SimulationAnswer } from '../../../src/app/simulation/protocol.js';
import { simulateOnThread } from '../../../src/app/simulation/thread.js';
import { requireRun } from '../../../src/app/simulation/runs.js';
import { storedRun } from '../../../src/app/simulation/store.js';
import { until } from '../../support/given-daemon.js';
import { rejectsRefusal, throwsRefusal } from '../../support/given-home.js';
import { ask, servicesForEach } from '../../support/given-simulations.js';
import { requestOf } from '../../support/simulation.js';
import { homeForEach } from '../../support/temporary-home.js';

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
    const known = 'known backends are threads and threads:N';
    for (const [text, fault] of [
      ['main', '"main" is not name=backend'],
      ['a=threads,', '"" is not name=backend'],
      ['a=b=threads', '"a=b=threads" is not name=backend'],
      ['=threads', '"" is no island\'s name: 1 to 64 letters, digits, _ and -'],
      ['a b=threads', '"a b" is no island\'s name: 1 to 64 letters, digits, _ and -'],
      ['a=threads,a=threads:2', 'names the island a twice'],
      ['a=threads:0', 'a: "threads:0" must be threads:N with N from 1 to 64'],
      ['a=threads:65', 'a: "threads:65" must be threads:N with N from 1 to 64'],
      ['a=threads:1e1', 'a: "threads:1e1" must be threads:N with N from 1 to 64'],
      ['a=gpu', `a: unknown backend "gpu"; ${known}`],
      ['a=Threads', `a: unknown backend "Threads"; ${known}`],
      ['a=nats://localhost:4222', `a: nats is not in this version; ${known}`],
      [Array.from({ length: 65 }, (_, i) => `i${i}=threads`).join(','), 'names 65 islands, more than 64'],
    ] as const)
      assert.equal(faultOf(text), fault);
  });

  it('gives the islands of one backend its threads', () => {
    assert.deepEqual(threadGroups(readIslands('a=threads,b=threads,c=threads,d=threads,e=threads'), 2), [
      [0, 2, 4],
      [1, 3],
    ]);
    assert.deepEqual(threadGroups(readIslands('a=threads:4,b=threads,c=threads:4'), 1), [[0], [2], [1]]);
    assert.deepEqual(threadGroups(one_island, 8), [[0]]);
  });
});

describe('islands on several threads', () => {
  const document = { entropy: 2, pop_size: 41, generations: 23, num_sectors: 7, mut_rate: 0.3 };

  it('give the outcome of one thread, bit for bit, and tell every generation', async () => {
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
      assert.deepEqual(
        heard,
        Array.from({ length: 23 }, (_, i) => i + 1),
      );
      assert.ok(shares.every((share, i) => share <= 1 && share >= (shares[i - 1] ?? 0)) && shares.at(-1) === 1);
    }
    assert.equal(answers[0]?.type, 'answered');
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
  });

  it('stop when they are told to', async () => {
    const islands = ['a', 'b'];
    const task = { request: requestOf({ pop_size: 500, generations: 10_000, num_sectors: 20 }), islands };
    let heard = 0;
    const settings = readIslands('a=threads:2,b=threads:2');
    const answer = await simulateOnThread(task, {
      islands: settings,
      onGeneration: (n) => void (heard = n),
      mustStop: () => heard > 0,
    });
    assert.deepEqual(answer, { type: 'stopped' });
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
