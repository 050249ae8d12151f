/** Progress: the share of an attempt that is done, and a bar on standard error, on a terminal only, with the time that is expected to remain; silent elsewhere. */
import { type Mark, remainingSeconds } from '../base/time.js';
import { type Role, roles } from '../codec/roles.js';
import { glyphsFor } from '../pictures/screen.js';
import { widthOf } from './text.js';

interface Progress {
  readonly update: (label: string, done: number) => void;
  readonly end: () => void;
}

const bar_columns_max = 30;
/** The label, the percentage and the time that remains. */
const words_columns = 38;
const silent: Progress = { update: () => undefined, end: () => undefined };

function progress(enabled: boolean): Progress {
  if (!enabled || !process.stderr.isTTY) return silent;
  let shown = '';
  let stage: { readonly label: string; readonly first: Mark } | null = null;
  const show = (line: string): void => {
    if (line !== shown) process.stderr.write(`\r${line}${' '.repeat(Math.max(0, shown.length - line.length))}`);
    shown = line;
  };
  return {
    update: (label, done) => {
      const share = Math.min(1, Math.max(0, done));
      const now = { at: performance.now(), done: share };
      if (stage?.label !== label) stage = { label, first: now };
      const left = remainingSeconds(stage.first, now);
      const { full, shades } = glyphsFor(process.env, process.platform);
      const columns = Math.min(bar_columns_max, widthOf(process.env, process.stderr.columns || undefined) - words_columns);
      const bar = full.repeat(Math.round(share * columns)).padEnd(columns, shades[0]);
      const remains = left === null ? '' : `, about ${left} s left`;
      show(`${label.padEnd(10)} ${bar} ${Math.round(share * 100)} %${remains}`);
    },
    end: () => {
      if (shown !== '') process.stderr.write(`\r${' '.repeat(shown.length)}\r`);
      shown = '';
    },
  };
}

/** Shows a bar while `use` works, and removes it whatever happens; `use` can remove it for a question. */
export async function withProgress<A>(
  enabled: boolean,
  use: (update: Progress['update'], clear: Progress['end']) => Promise<A> | A,
): Promise<A> {
  const bar = progress(enabled);
  try {
    return await use(bar.update, bar.end);
  } finally {
    bar.end();
  }
}

/** What each stage takes of the whole, roughly; the strategy stage is the search. */
const weights: Readonly<Record<Role, number>> = {
  planning: 2,
  research: 2,
  strategy: 80,
  market: 4,
  codegen: 4,
  safety: 4,
  memory: 4,
};

interface Step {
  /** Names the work in progress. */
  readonly label: string;
  /** From 0 to 1. */
  readonly done: number;
}

/** Returns what to show after a stage reported its share. The verification follows the search before the next stage begins. */
export function overall(stage: Role, done: number): Step {
  const before = roles.slice(0, roles.indexOf(stage)).reduce((sum, role) => sum + weights[role], 0);
  const total = roles.reduce((sum, role) => sum + weights[role], 0);
  const next = done < 1 ? stage : stage === 'strategy' ? 'verifying' : (roles[roles.indexOf(stage) + 1] ?? stage);
  return { label: next, done: (before + weights[stage] * Math.min(1, Math.max(0, done))) / total };
}

/** The search takes most of a simulation; the quantiles and the verification follow it. */
const search_share = 0.9;

export const simulated = (done: number): Step =>
  done < 1 ? { label: 'search', done: done * search_share } : { label: 'quantiles', done: search_share };
