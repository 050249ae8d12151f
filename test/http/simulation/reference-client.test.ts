/**
 * A client that knows the specification of the reference service and nothing else: the bearer header, the request's fields, and the
 * members that the document names. What it does not know it does not look at.
 */
import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { givenSimulation, stopAfterEach, token } from './given-simulation.js';
import { freshFetch } from '../../support/http/fetch.js';
import { hang_ms } from '../../support/wait.js';

interface ForecastEntry {
  readonly year: number;
  readonly capability: number;
}
interface Individual {
  readonly effectiveness: number;
  readonly risk: number;
  readonly complexity: number;
  readonly rank: number;
}
interface Results {
  readonly id: string;
  readonly forecast: readonly ForecastEntry[];
  readonly population: readonly Individual[];
}

class ReferenceClient {
  private readonly headers: Readonly<Record<string, string>>;
  constructor(
    private readonly base: string,
    secret: string,
  ) {
    this.headers = { Authorization: `Bearer ${secret}` };
  }

  private async call(path: string, body?: unknown): Promise<{ readonly status: number; readonly json: unknown }> {
    const sent = { ...this.headers, 'Content-Type': 'application/json' };
    const post = body === undefined ? {} : { method: 'POST', headers: sent, body: JSON.stringify(body) };
    const response = await freshFetch(this.base + path, { headers: this.headers, ...post });
    return { status: response.status, json: await response.json() };
  }

  async simulate(request: Readonly<Record<string, unknown>>): Promise<string> {
    const { status, json } = await this.call('/simulate', request);
    strictEqual(status, 200);
    return (json as { id: string }).id;
  }

  /** Polls as the reference's own clients do: 404 until the run is there. */
  async results(id: string): Promise<Results> {
    for (const end = performance.now() + hang_ms; performance.now() < end; await sleep(20)) {
      const { status, json } = await this.call(`/results/${id}`);
      if (status === 200) return json as Results;
      strictEqual(status, 404);
    }
    throw new Error(`no results within ${hang_ms / 1_000} s`);
  }

  async newest(): Promise<Results> {
    return (await this.call('/results')).json as Results;
  }

  async population(id: string): Promise<readonly Individual[]> {
    return (await this.call(`/population/${id}`)).json as readonly Individual[];
  }

  async insight(ids?: readonly string[]): Promise<readonly ForecastEntry[]> {
    const path = '/insight';
    const bare = (): Promise<Response> => freshFetch(this.base + path, { method: 'POST', headers: this.headers });
    const json = ids === undefined ? await (await bare()).json() : (await this.call(path, { ids })).json;
    return (json as { forecast: readonly ForecastEntry[] }).forecast;
  }

  async status(): Promise<Readonly<Record<string, { readonly last_beat: number; readonly restarts: number }>>> {
    return ((await this.call('/status')).json as { agents: Record<string, { last_beat: number; restarts: number }> }).agents;
  }

  /** Connects, and hears every line until this one; then closes. */
  async progressUntil(last: string): Promise<{ readonly lines: Promise<readonly string[]> }> {
    const socket = new WebSocket(`${this.base.replace('http', 'ws')}/ws/progress`, { headers: { ...this.headers } });
    const lines: string[] = [];
    const told = new Promise<void>((resolve, reject) => {
      socket.on('message', (line: Buffer) => {
        lines.push(line.toString());
        if (lines.at(-1) === last) resolve();
      });
      socket.on('error', reject).on('close', () => resolve());
    });
    const heard = async (): Promise<readonly string[]> => {
      await told;
      if (socket.readyState === WebSocket.CLOSED) return lines;
      const gone = once(socket, 'close');
      socket.close();
      await gone;
      return lines;
    };
    await once(socket, 'open');
    return { lines: heard() };
  }
}

/** Every field that the specification names. */
const full = {
  horizon: 4,
  pop_size: 8,
  generations: 5,
  mut_rate: 0.1,
  xover_rate: 0.5,
  curve: 'logistic',
  k: 8,
  x0: 0.5,
  energy: 1,
  entropy: 1,
  sectors: [
    { name: 'power', energy: 1, entropy: 2, growth: 0.01 },
    { name: 'health', energy: 3, entropy: 1, growth: 0 },
  ],
};

describe("a client of the reference's interface", () => {
  stopAfterEach();

  it('submits, watches, polls, reads the population and the insight', async () => {
    const given = await givenSimulation({ service: { simulate: undefined } });
    const client = new ReferenceClient(given.url, token);
    const watching = await client.progressUntil('Generation 5');
    const id = await client.simulate(full);
    ok(typeof id === 'string' && id !== '');
    const lines = await watching.lines;
    deepStrictEqual(
      lines.map((line) => /^(?:Year (\d+): \d+ affected|Generation (\d+))$/.exec(line)?.slice(1, 3)),
      [...['1', '2', '3', '4'].map((n) => [n, undefined]), ...['1', '2', '3', '4', '5'].map((n) => [undefined, n])],
    );
    const results = await client.results(id);
    strictEqual(results.id, id);
    deepStrictEqual(
      results.forecast.map(({ year }) => year),
      [1, 2, 3, 4],
    );
    for (const { year, capability } of results.forecast) {
      const expected = 1 / (1 + Math.exp(-8 * (year / 4 - 0.5)));
      ok(Math.abs(capability - expected) < 1e-12, `year ${year}: ${capability}`);
    }
    strictEqual(results.population.length, 8);
    for (const { effectiveness, risk, complexity, rank } of results.population) {
      ok([effectiveness, risk, complexity].every((value) => Number.isFinite(value)) && Number.isInteger(rank) && rank >= 0);
    }
    ok(results.population.some(({ rank }) => rank === 0));
    deepStrictEqual(await client.population(id), results.population);
    strictEqual((await client.newest()).id, id);
  });

  it('averages capability over runs, all of them or those that it names', async () => {
    const given = await givenSimulation();
    const client = new ReferenceClient(given.url, token);
    const ids = [
      await client.simulate({ horizon: 2, curve: 'linear' }),
      await client.simulate({ horizon: 2, curve: 'exponential' }),
    ];
    const runs = [await client.results(ids[0]!), await client.results(ids[1]!)];
    const mean = [0, 1].map((y) => (runs[0]!.forecast[y]!.capability + runs[1]!.forecast[y]!.capability) / 2);
    for (const forecast of [await client.insight(), await client.insight(ids)]) {
      deepStrictEqual(
        forecast.map(({ year }) => year),
        [1, 2],
      );
      for (const [y, { capability }] of forecast.entries()) ok(Math.abs(capability - mean[y]!) < 1e-12);
    }
    const [only] = await client.insight([ids[0]!]);
    ok(Math.abs(only!.capability - 0.5) < 1e-12);
  });

  it('accepts the defaults and bare defaults written out, and sees seven agents alive', async () => {
    const given = await givenSimulation();
    const client = new ReferenceClient(given.url, token);
    const { forecast, population } = await client.results(await client.simulate({}));
    deepStrictEqual([forecast.length, population.length], [5, 6]);
    await client.results(await client.simulate({ k: null, x0: null, sectors: null, horizon: 5, curve: 'logistic' }));
    const agents = await client.status();
    deepStrictEqual(Object.keys(agents).toSorted(), [
      'codegen',
      'market',
      'memory',
      'planning',
      'research',
      'safety',
      'strategy',
    ]);
    for (const { last_beat, restarts } of Object.values(agents)) {
      ok(Math.abs(last_beat - Date.now() / 1_000) < 30);
      strictEqual(restarts, 0);
    }
  });

  it('is refused without the header', async () => {
    const { url } = await givenSimulation();
    for (const path of ['/results', '/status', '/openapi.json', '/metrics', '/population/0123456789abcdef']) {
      strictEqual((await freshFetch(url + path)).status, 401, path);
    }
  });
});
