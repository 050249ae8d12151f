/** The tour of the program: from an empty place to a restored home. It is walked wherever the program is installed. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';

export interface Place {
  /** Runs a command with `--json` in a place without a home and returns its document. @throws when it fails */
  readonly agent: (...words: readonly string[]) => Readonly<Record<string, unknown>>;
  /** Returns the path of a file or directory of the tour, as the commands have it. */
  readonly at: (name: string) => string;
}

/** Walks it: init, run, execute, review, export, verify-export, backup, restore. */
export function walkTour({ agent, at }: Place): void {
  const { public_key } = agent('init');
  match(String(public_key), /^[0-9a-f]{64}$/);
  agent('examples', '--output', at('missions'));
  const { id, state } = agent('run', at('missions/allocation.json'));
  strictEqual(state, 'queued');
  const executed = agent('execute', String(id));
  strictEqual(executed['state'], 'review');
  const { revision, result_hash } = executed;
  const decision = ['--revision', String(revision), '--result-hash', String(result_hash), '--approve', '--note', 'fits'];
  strictEqual(agent('review', String(id), ...decision)['state'], 'completed');
  agent('export', String(id), '--output', at('result.json'));
  const verified = agent('verify-export', at('result.json'), '--public-key', String(public_key), '--recompute');
  strictEqual(verified['recomputed'], true);
  const { head, events } = agent('backup', at('home.zip'));
  const whole = `${String(events)}:${String(head)}`;
  strictEqual(agent('--home', at('restored'), 'restore', at('home.zip'), '--expect-head', whole)['valid'], true);
  const deep = agent('--home', at('restored'), 'verify', '--deep');
  deepStrictEqual([deep['valid'], deep['events']], [true, Number(events) + 1], 'the restore is recorded too');
}
