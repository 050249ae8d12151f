/** A client that waits for the end of a run, and one that asks again when Retry-After says so. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { preferredWait, retryAfter, wait_s_max } from '../../../src/http/simulation/runs.js';
import type { Simulation } from '../../../src/http/simulation/simulation.js';
import { until } from '../../support/app/given-daemon.js';
import { packageRoot } from '../../support/package-root.js';
import { real } from '../../support/real.js';
import { givenSimulation, held, stopAfterEach, token } from './given-simulation.js';
import { problemIn } from '../plain-http.js';

describe('simulation API: waiting for a run', () => {
  stopAfterEach();

  it('responds when the run has ended', async () => {
    const { ask, run, until } = await givenSimulation({ service: { simulate: held } });
    const id = await run();
    await until(id, 'running');
    const waiting = ask('GET', `/runs/${id}?wait=30`);
    await ask('DELETE', `/runs/${id}`);
    const { status, body } = await waiting;
    assert.deepEqual([status, body.state], [200, 'cancelled']);
    assert.equal((await ask('GET', `/runs/${id}?wait=30`)).body.state, 'cancelled');
  });

  it('responds with the state when the time is over', async () => {
    const { ask, run, until } = await givenSimulation({ service: { simulate: held } });
    const id = await run();
    await until(id, 'running');
    assert.equal((await ask('GET', `/runs/${id}?wait=1`)).body.state, 'running');
    assert.equal((await ask('GET', `/runs/${id}?wait=0`)).body.state, 'running');
  });

  it('refuses a time that is too long or no number, and knows no run that does not exist', async () => {
    const { ask, succeeded } = await givenSimulation();
    const id = await succeeded();
    for (const wait of ['31', '-1', '1.5', 'x', ''])
      assert.equal((await ask('GET', `/runs/${id}?wait=${wait}`)).status, 422, wait);
    assert.equal((await ask('GET', `/runs/${'f'.repeat(16)}?wait=30`)).status, 404);
  });

  it('ends when the server stops', async () => {
    const { ask, service, stop } = await givenSimulation({ service: { simulate: held } });
    const waiting = ask('POST', '/simulate', { body: {}, headers: { Prefer: 'wait=30' } });
    await until(() => service.counts().running === 1);
    await stop();
    assert.match((await waiting).body.state, /^(?:queued|running|failed)$/);
  });

  it('waits for a new run when the request prefers it', async () => {
    const { ask } = await givenSimulation();
    const { status, body, headers } = await ask('POST', '/simulate', { body: {}, headers: { Prefer: 'respond-async, wait=30' } });
    assert.deepEqual([status, body.state, headers.get('preference-applied')], [200, 'succeeded', 'wait=30']);
    const other = await ask('POST', '/simulate', { body: {}, headers: { Prefer: 'return=minimal' } });
    assert.deepEqual([Object.keys(other.body), other.headers.get('preference-applied')], [['id'], null]);
  });

  it('reads the preference as RFC 7240 writes it', () => {
    for (const prefer of ['wait=7', 'WAIT=7', 'a, wait = "7"', 'respond-async, wait=7; x=y'])
      assert.equal(preferredWait(prefer), 7, prefer);
    assert.equal(preferredWait('wait=3600'), wait_s_max);
    for (const prefer of [undefined, '', 'wait', 'wait=x', 'wait=-1', 'await=7', 'x; wait=7'])
      assert.equal(preferredWait(prefer), null, prefer);
  });
});

/** Runs the block of the page in a language, as when its lines are typed; returns what it prints. */
async function typed(language: string, command: string, flag: string): Promise<string> {
  const page = readFileSync(join(packageRoot(import.meta.url), 'docs', 'simulation-api.md'), 'utf8');
  const [, program = ''] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? [];
  const { url, given } = await givenSimulation();
  writeFileSync(join(given.root, 'simulation.token'), `${token}\n`);
  const options = { cwd: given.root, env: { ...process.env, U: url } };
  return (await promisify(execFile)(command, [flag, program], options)).stdout;
}

const yearsIn = (printed: string): number => printed.split('\n').filter((line) => /^\d+ \d/.test(line)).length;

real('python', 'docs/simulation-api.md: the loop in Python', () => {
  stopAfterEach();

  it('prints the forecast when its lines are typed', async () => {
    assert.equal(yearsIn(await typed('python', 'python3', '-c')), 10);
  });
});

real('r', 'docs/simulation-api.md: the loop in R', () => {
  stopAfterEach();

  it('prints the forecast when its lines are typed', async () => {
    assert.equal(yearsIn(await typed('r', 'Rscript', '-e')), 10);
  });
});

describe('simulation API: Retry-After', () => {
  stopAfterEach();

  it('leaves more time between two requests while more runs are in flight', async () => {
    const { ask, run, until } = await givenSimulation({
      settings: { rate_limit: 600 },
      service: { simulate: held, running_max: 1 },
    });
    const first = await run();
    await until(first, 'running');
    const after = async (): Promise<string | null> => {
      const answer = await ask('GET', `/results/${first}`);
      problemIn(answer);
      return answer.headers.get('retry-after');
    };
    const [alone, ...queued] = [await after(), ...(await Promise.all(Array.from({ length: 14 }, () => run())))];
    assert.ok(Number(alone) >= 1);
    assert.ok(Number(await after()) >= (2 * (queued.length + 1) * 60) / 600);
  });

  it('never lets a client of ten runs of two minutes exceed the limit of a minute', () => {
    const [runs, took_s, rate_limit] = [10, 120, 60];
    for (const running_max of [1, 2, 10]) {
      let now_s = 0;
      /** When each run ends: some execute at once, the others wait in the queue. */
      const ends = Array.from({ length: runs }, (_, i) => (Math.floor(i / running_max) + 1) * took_s);
      const service = {
        requests: () => ends.filter((end_s) => end_s > now_s).length,
        remainingOf: (id: string) => {
          const left_s = (ends[Number(id)] ?? 0) - now_s;
          return left_s < took_s - 1 ? left_s : null;
        },
      };
      const simulation = { service, rate_limit } as unknown as Simulation;
      const sent = ends.map(() => 0);
      const next = ends.map(() => 0);
      for (; ends.some((end_s) => end_s > now_s); now_s++) {
        next.forEach((at_s, i) => {
          if (at_s > now_s || (ends[i] ?? 0) < now_s - took_s) return;
          sent.push(now_s);
          next[i] = now_s + retryAfter(simulation, String(i));
        });
      }
      for (let from = 0; from < now_s; from++) {
        const inMinute = sent.filter((at) => at >= from && at < from + 60).length;
        assert.ok(inMinute <= rate_limit, `${inMinute} requests in the minute from ${from} s, ${running_max} at once`);
      }
    }
  });
});
