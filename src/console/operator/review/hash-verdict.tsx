/** The verdict on whether the page shows what the agent recorded. */
import type { HashCheck } from '../../kit/hash/result-hash.js';
import { Facts, Mono } from '../../kit/controls/pieces.js';
import { useWords } from '../text/words.js';

interface VerdictProps {
  readonly check: HashCheck;
  /** The recorded hash is over the text of another agent. */
  readonly foreign: boolean;
}

export function HashVerdict({ check: { computed, recorded, equal }, foreign }: VerdictProps) {
  const { t } = useWords();
  return (
    <div
      class={`notice ${equal ? 'notice-good' : foreign ? 'notice-warn' : 'notice-bad'}`}
      role={equal ? undefined : 'alert'}
      data-hash={equal ? 'equal' : 'differs'}
    >
      <p>
        <strong>{t.review.hashTitle}</strong> {equal ? t.review.hashEqual : foreign ? t.review.hashForeign : t.review.hashDiffers}
      </p>
      <Facts
        wide
        facts={[
          [t.review.computed, <Mono>{computed ?? '–'}</Mono>],
          [t.review.recorded, <Mono>{recorded ?? '–'}</Mono>],
        ]}
      />
    </div>
  );
}
