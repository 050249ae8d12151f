/** The state of a run, with a mark that does without colour. */
import type { RunState } from '../../../codec/simulation.js';
import { useWords } from '../text/words.js';

const marks: Readonly<Record<RunState, string>> = {
  queued: '○',
  running: '◐',
  succeeded: '✓',
  failed: '!',
  cancelled: '✕',
};
const tones: Readonly<Record<RunState, string>> = {
  queued: 'badge-queued',
  running: 'badge-running',
  succeeded: 'badge-completed',
  failed: 'badge-failed',
  cancelled: 'badge-cancelled',
};

export function RunBadge({ state }: { readonly state: RunState }) {
  const { t } = useWords();
  return (
    <span class={`badge ${tones[state]}`}>
      <span aria-hidden="true">{marks[state]}</span> {t.states[state]}
    </span>
  );
}
