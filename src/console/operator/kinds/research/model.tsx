/** Who wrote the claims of a research result, and the record of the call. */
import type { ResearchView } from '../../../../kinds/research/view.js';
import { Facts, Mono } from '../../../kit/controls/pieces.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { words } from './words.js';

/** Nothing for a result of the built-in engine. */
export function Model({ inference }: { readonly inference: ResearchView['inference'] }) {
  const { t, f } = useWordsOf(words);
  if (inference === undefined) return null;
  const { model, reported_model, mode, usage, request_hash, response_hash } = inference;
  const tokens =
    usage === null ? t.result.uncounted : t.result.tokensUsed(f.number(usage.prompt_tokens), f.number(usage.completion_tokens));
  return (
    <>
      <p class="notice notice-warn">{t.result.model(reported_model ?? model)}</p>
      <details>
        <summary>{t.result.evidence}</summary>
        <div class="details-body">
          <Facts
            wide
            facts={[
              [t.result.asked, model],
              [t.result.reported, reported_model ?? t.result.unnamed],
              [t.result.mode, <Mono>{mode}</Mono>],
              [t.result.tokens, tokens],
              [t.result.requestHash, <Mono>{request_hash}</Mono>],
              [t.result.responseHash, <Mono>{response_hash}</Mono>],
            ]}
          />
        </div>
      </details>
    </>
  );
}
