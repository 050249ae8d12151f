/** The verdict on whether the page shows what the agent recorded. */
import type { HashCheck } from '../../kit/hash/result-hash.js';
import { LazyDetails } from '../../kit/controls/lazy-details.js';
import { Facts, Mono } from '../../kit/controls/pieces.js';
import { useWords } from '../text/words.js';

interface VerdictProps {
  readonly check: HashCheck;
  /** The recorded hash is over the text of another agent. */
  readonly foreign: boolean;
}

export function HashVerdict({ check, foreign }: VerdictProps) {
  const { t } = useWords();
  const { equal } = check;
  return (
    <div
      class={`notice ${equal ? 'notice-good' : foreign ? 'notice-warn' : 'notice-bad'}`}
      role={equal ? undefined : 'alert'}
      data-hash={equal ? 'equal' : 'differs'}
    >
      <p>
        <strong>{t.review.hashTitle}</strong> {equal ? t.review.hashEqual : foreign ? t.review.hashForeign : t.review.hashDiffers}
      </p>
      {equal ? <LazyDetails title={t.review.hashes}>{() => <Hashes check={check} />}</LazyDetails> : <Hashes check={check} />}
    </div>
  );
}

function Hashes({ check: { computed, recorded } }: Pick<VerdictProps, 'check'>) {
  const { t } = useWords();
  return (
    <Facts
      wide
      facts={[
        [t.review.computed, <Mono>{computed ?? '–'}</Mono>],
        [t.review.recorded, <Mono>{recorded ?? '–'}</Mono>],
      ]}
    />
  );
}
