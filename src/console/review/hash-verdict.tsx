/** Whether what the page shows is what the agent recorded. */
import type { HashCheck } from '../pure/result-hash.js';
import { Facts, Mono } from '../parts/pieces.js';
import { useText } from '../text/context.js';

export function HashVerdict({ check: { computed, recorded, equal } }: { readonly check: HashCheck }) {
  const { t } = useText();
  return (
    <div
      class={`notice ${equal ? 'notice-good' : 'notice-bad'}`}
      role={equal ? undefined : 'alert'}
      data-hash={equal ? 'equal' : 'differs'}
    >
      <p>
        <strong>{t.review.hashTitle}</strong> {equal ? t.review.hashEqual : t.review.hashDiffers}
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
