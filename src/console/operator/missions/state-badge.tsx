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

/** The mark of a goal, and of the titles and sources with it, that an assistant wrote; nothing for those of a person. */
export function AssistantBadge({ of: { assistant } }: { readonly of: { readonly assistant?: string } }) {
  const { t } = useWords();
  return assistant === undefined ? null : <Badge tone="assistant" mark="⚙" text={t.mission.assistant(assistant)} />;
}
