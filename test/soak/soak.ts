/**
 * The soak: mixed load on a real daemon, which is killed and stopped at random times and started again; then a search for anything that was
 * acknowledged and is not there, for memory and file handles that grew, and for operations that failed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { prng, type Prng } from '../../src/base/prng.js';
import type { Kind } from '../../src/codec/kinds.js';
import { Acknowledged } from '../drill/load.js';
import { until } from '../support/app/given-daemon.js';
import { whyAbsent } from '../support/real.js';
import { hang_ms } from '../support/wait.js';
import { atWork } from './clients.js';
import {
  flat_handles_max,
  grown,
  type Level,
  levelOf,
  medianOf,
  type OperationRow,
  Operations,
  type Sample,
} from './measured.js';
import { afterwards } from './search.js';
import { Site } from './site.js';
import type { Soaked } from './soaked.js';

export interface SoakOptions {
  readonly seed: number;
  readonly ms: number;
  /** The part with kills lasts until there were so many, however long that takes. */
  readonly kills_min?: number | undefined;
  /** Also runs code missions, where there is a container engine. */
  readonly code: boolean;
  readonly print: (line: string) => void;
  /** Time between two lines of progress. */
  readonly progress_ms: number;
}

export interface Report {
  readonly seed: number;
  readonly seconds: number;
  readonly operations: readonly OperationRow[];
  readonly acknowledged: number;
  readonly kills: number;
  /** Times that it was stopped by SIGTERM. */
  readonly stops: number;
  readonly lost: number;
  readonly doubled: number;
  readonly levels: Readonly<Record<'start' | 'middle' | 'end' | 'at rest before' | 'at rest after', Level>>;
  /** Why the soak fails; empty if every invariant held. */
  readonly wrong: readonly string[];
}

/** The last part of the time is without kills, so that one daemon lives long enough to show what grows. */
const quiet_share = 1 / 3;
/** Between two kills: this share of the time on average, within bounds. */
const disturbed_share = 1 / 40;
const disturbed_ms_min = 3_000;
const disturbed_ms_max = 60_000;
/** Number of kills among every ten stops of the daemon. */
const kills_of_ten = 7;
const sample_ms = 250;
/** Number of samples after which the daemon has done what it does at its start. */
const rest_samples = 8;
export async function soak(options: SoakOptions): Promise<Report> {
  const { seed, print } = options;
  const why = options.code ? whyAbsent('container') : 'not wanted';
  const code = why === null;
  print(`seed ${seed}; ${(options.ms / 60_000).toFixed(1)} minutes; code missions: ${why ?? 'yes'}`);
  const site = await Site.make({ code });
  try {
    await site.start();
    return await soakAt(site, code, options);
  } finally {
    await site.remove();
  }
}

async function soakAt(site: Site, code: boolean, options: SoakOptions): Promise<Report> {
  const kinds: readonly Kind[] = ['allocation', 'schedule', 'forecast', 'research', ...(code ? (['code'] as const) : [])];
  const soaked: Soaked = {
    site,
    operations: new Operations(site.disturbances),
    acknowledged: new Acknowledged(),
    sent: [],
    backups: [],
    random: prng(options.seed),
    kinds,
    isOver: false,
  };
  const before = await atRest(site);
  const began = performance.now();
  const watching = watch(soaked, began, options);
  const working = atWork(soaked);
  // A failure is reported where the work is awaited.
  working.catch(() => undefined);
  const load = async () => {
    const counts = await disturb(soaked, began, options);
    const end = Math.max(began + options.ms, performance.now() + options.ms * quiet_share);
    while (performance.now() < end && site.wrong === null) await sleep(sample_ms);
    soaked.isOver = true;
    await Promise.race([working, stuck()]);
    return counts;
  };
  const disturbed = await load().finally(watching.end);
  const samples = watching.end();
  const after = await atRest(site, before);
  const seconds = (performance.now() - began) / 1_000;
  options.print('the load has ended; searching for what was acknowledged');
  const { lost, doubled, wrong } = await afterwards(soaked);
  const quiet = samples.filter(({ life }) => life === site.life);
  const levels = {
    'at rest before': before,
    start: levelOf(samples, 0, 0.1),
    middle: levelOf(samples, 0.45, 0.55),
    end: levelOf(samples, 0.9, 1),
    'at rest after': after,
  };
  const { operations } = soaked;
  return {
    seed: options.seed,
    seconds,
    operations: operations.rows(),
    acknowledged: soaked.acknowledged.steps,
    ...disturbed.counts,
    lost,
    doubled,
    levels,
    wrong: [...operations.failures, ...disturbed.wrong, ...wrong, ...grown(quiet, samples, before, after)],
  };
}

/** @throws when clients have not ended their round long after the load is over: a daemon does not respond */
async function stuck(): Promise<never> {
  await sleep(hang_ms, undefined, { ref: false });
  throw new Error('the load is over, and clients still wait for an answer');
}

/** Waits until the daemon holds no more handles than it may, or for so long that it never will. Returns its memory and its handles. */
async function atRest(site: Site, before?: Level): Promise<Level> {
  const levels: Level[] = [];
  const read = (): Level => {
    const { rss_bytes = 0, handles = 0 } = site.sample() ?? {};
    levels.push({ rss_bytes, handles });
    return { rss_bytes, handles };
  };
  for (let n = 0; n < rest_samples; n++) {
    await sleep(sample_ms);
    read();
  }
  const most = (before?.handles ?? Number.POSITIVE_INFINITY) + flat_handles_max;
  await until(() => read().handles <= most, 'file handles of a daemon at rest').catch(() => undefined);
  return {
    rss_bytes: medianOf(levels.map((level) => level.rss_bytes)),
    handles: Math.min(...levels.map((level) => level.handles)),
  };
}

/** Kills or stops the daemon at random times, and starts it again, until the quiet part begins. */
async function disturb(
  { site, operations, random }: Soaked,
  began: number,
  { ms, kills_min = 0 }: SoakOptions,
): Promise<{ readonly counts: { readonly kills: number; readonly stops: number }; readonly wrong: readonly string[] }> {
  const counts = { kills: 0, stops: 0 };
  const wrong: string[] = [];
  const end = began + ms * (1 - quiet_share);
  for (;;) {
    const wait_ms = betweenOf(ms, random);
    const isOver = performance.now() + wait_ms > end && counts.kills >= kills_min;
    if (isOver || site.wrong !== null) return { counts, wrong };
    await sleep(wait_ms);
    const isKill = random.below(10) < kills_of_ten || counts.kills === 0;
    counts[isKill ? 'kills' : 'stops']++;
    wrong.push(...(await site.end(isKill ? 'SIGKILL' : 'SIGTERM')));
    await operations.timed(
      'start the daemon again',
      () => site.start(),
      () => null,
      false,
    );
  }
}

function betweenOf(ms: number, random: Prng): number {
  const mean_ms = Math.min(disturbed_ms_max, Math.max(disturbed_ms_min, ms * disturbed_share));
  return mean_ms * (0.5 + random.unit());
}

interface Watching {
  /** Ends it. Returns the samples. */
  readonly end: () => readonly Sample[];
}

/** Looks at the daemon's memory and handles, and prints how far the soak is. */
function watch({ site, operations, acknowledged }: Soaked, began: number, { ms, print, progress_ms }: SoakOptions): Watching {
  const samples: Sample[] = [];
  let shown = began;
  const timer = setInterval(() => {
    const sample = site.sample();
    if (sample !== null) samples.push(sample);
    const now = performance.now();
    if (now - shown < progress_ms) return;
    shown = now;
    const state = sample === null ? 'starting' : `${Math.round(sample.rss_bytes / 1_048_576)} MB, ${sample.handles} handles`;
    const done = `${operations.count} operations, ${acknowledged.steps} steps acknowledged, ${operations.failures.length} failures`;
    print(
      `${clock(now - began)} of ${clock(ms)}, ${clock(Math.max(0, began + ms - now))} remaining: ${done}; daemon ${site.life + 1}: ${state}`,
    );
  }, sample_ms);
  return {
    end: () => {
      clearInterval(timer);
      return samples;
    },
  };
}

/** Returns minutes and seconds, as in 2:05. */
const clock = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
