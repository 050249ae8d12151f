/**
 * The largest mission of every kind at the default effort, on the thread that missions run on: seconds against the work budget of
 * 600 s, progress reports, and the peak of the process's memory.
 */
import { canonicalJson } from '../src/base/canonical-json.js';
import { work_budget_ms } from '../src/base/limits.js';
import { prng } from '../src/base/prng.js';
import { engineInput } from '../src/kinds/engine-input.js';
import { runOnThread } from '../src/app/threads/engine-thread.js';
import { readSubmission } from '../src/app/missions/submit.js';

export const name = 'upper-bounds';

const default_evaluations = 10_000;
const words = 'the council plans a bridge over the river and asks what it costs who builds it when it opens and why'.split(' ');

function research(): unknown {
  const random = prng(1, 1);
  const sentence = (): string => Array.from({ length: 12 }, () => words[random.below(words.length)]).join(' ');
  const text = (): string => Array.from({ length: 34 }, () => `${sentence()}.`).join(' ');
  const sources = Array.from({ length: 200 }, (_, i) => ({ id: `s${i}`, title: `Report ${i}`, text: text() }));
  return { goal: 'Who builds the bridge, and what does it cost?', work: { kind: 'research', sources } };
}

function allocation(): unknown {
  const random = prng(2, 1);
  const items = Array.from({ length: 2_000 }, (_, i) => {
    const cost = 1 + random.below(10_000);
    const item = { id: `i${i}`, cost, value: cost + random.below(1_000), risk: random.below(100) };
    if (i % 10 === 1) return { ...item, group: `g${i % 40}` };
    if (i % 10 === 2) return { ...item, requires: [`i${i - 1}`] };
    return i % 10 === 3 ? { ...item, excludes: [`i${i - 3}`] } : item;
  });
  return { goal: 'Most value', work: { kind: 'allocation', items, budget: 4_000_000, max_risk: 40_000 } };
}

/** Returns 200 jobs of 20 operations on 20 machines. */
function schedule(objective: string): unknown {
  const random = prng(3, 1);
  const jobs = Array.from({ length: 200 }, (_, j) => {
    const operations = Array.from({ length: 20 }, () => ({ machine: `m${random.below(20)}`, duration: 1 + random.below(99) }));
    return { id: `j${j}`, operations, due: 1_000 + random.below(9_000), weight: 1 + random.below(9) };
  });
  return { goal: 'Finish early', work: { kind: 'schedule', objective, jobs } };
}

function forecast(): unknown {
  const random = prng(4, 1);
  const observations = Array.from({ length: 20_000 }, (_, i) => 500 + (i % 24) * 3 + (i % 168) + random.below(50));
  return {
    goal: 'Forecast',
    work: { kind: 'forecast', observations, horizon: 1_000, holdout: 1_000, season: 24, seasons: [24, 168] },
  };
}

export async function run(print: (line: string) => void): Promise<void> {
  const missions = [
    ['research', research()],
    ['allocation', allocation()],
    ['schedule, makespan', schedule('makespan')],
    ['schedule, weighted tardiness', schedule('weighted_tardiness')],
    ['forecast', forecast()],
  ] as const;
  for (const [what, mission] of missions) {
    const bytes = Buffer.from(canonicalJson(mission));
    const { request } = readSubmission(bytes);
    const { kind } = request.work;
    let reports = 0;
    const began = performance.now();
    const onProgress = (): void => void reports++;
    const answer = await runOnThread(
      { type: 'run', kind, input: engineInput(request, { max_evaluations: default_evaluations }, null) },
      { onProgress },
    );
    const seconds = (performance.now() - began) / 1_000;
    const passed = answer.type === 'answered' && answer.verification.passed;
    const memory = Math.round(process.resourceUsage().maxRSS / 1_024);
    print(
      `${what} (${Math.round(bytes.length / 1_024)} KiB): ${seconds.toFixed(1)} s of ${work_budget_ms / 1_000}, ` +
        `${reports} progress reports, ${passed ? 'verified' : `NOT verified (${answer.type})`}, process at most ${memory} MiB so far`,
    );
  }
}
