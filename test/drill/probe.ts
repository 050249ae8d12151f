/** Asks a daemon for its health, and pauses and resumes it, again and again, and measures how long each takes. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEffort } from '../support/effort.js';
import type { Target } from './real-daemon.js';

export interface Spread {
  readonly count: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  /** Responses other than 200, and connections that failed. */
  readonly failed: number;
}

export interface Probed {
  readonly health: Spread;
  /** Null if it was not measured. */
  readonly control: Spread | null;
}

export interface Probe {
  readonly end: () => Promise<Probed>;
}

export interface Asked {
  /** 0 if the connection failed. */
  readonly status: number;
  readonly text: string;
}

/** A request on a connection of its own, as an operator's command sends it. */
export function ask(
  url: string,
  method: string,
  token?: string,
  body?: unknown,
  fields: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const headers: Record<string, string> = { ...fields, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  const sent = body === undefined ? undefined : JSON.stringify(body);
  if (method !== 'GET')
    Object.assign(headers, { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(sent ?? '')) });
  return new Promise((resolve) => {
    const asked = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => void (text += part));
      response.once('close', () => resolve({ status: response.complete ? (response.statusCode ?? 0) : 0, text }));
    });
    asked.on('error', ({ message }) => resolve({ status: 0, text: message })).end(sent);
  });
}

const health_gap_ms = atEffort(40, 10);
const control_gap_ms = 40;

/** Begins to probe. With `control`, also pauses and resumes; at the end the agent is resumed. */
export function probe({ operator, token }: Target, options: { readonly control: boolean }): Probe {
  const now = { isOver: false };
  const control = (state: string): Promise<number> => status(ask(`${operator}api/control`, 'POST', token, { state }));
  const measure = async (gap_ms: number, act: (n: number) => Promise<number>): Promise<Spread> => {
    const times: number[] = [];
    let failed = 0;
    for (let n = 0; !now.isOver || n % 2 === 1; n++) {
      const began = performance.now();
      if ((await act(n)) !== 200) failed++;
      times.push(performance.now() - began);
      await sleep(gap_ms);
    }
    return spreadOf(times, failed);
  };
  const health = measure(health_gap_ms, () => status(ask(`${operator}healthz`, 'GET')));
  const pausing = options.control ? measure(control_gap_ms, (n) => control(n % 2 === 0 ? 'paused' : 'ready')) : null;
  return {
    end: async () => {
      now.isOver = true;
      return { health: await health, control: await pausing };
    },
  };
}

const status = async (asked: ReturnType<typeof ask>): Promise<number> => (await asked).status;

/** Returns the spread of times in ms. */
export function spreadOf(times: readonly number[], failed: number): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { count: times.length, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1), failed };
}
