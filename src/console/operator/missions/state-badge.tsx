/** The state of a mission, with a mark that does without colour. */
import type { MissionState } from '../../../codec/record.js';
import { Badge } from '../../kit/controls/pieces.js';
import { useWords } from '../text/words.js';

const marks: Readonly<Record<MissionState, string>> = {
  queued: '○',
  running: '◐',
  review: '●',
  completed: '✓',
  rejected: '✕',
  failed: '!',
};

export function StateBadge({ state }: { readonly state: MissionState }) {
  const { t } = useWords();
  return <Badge tone={state} mark={marks[state]} text={t.states[state]} />;
}
