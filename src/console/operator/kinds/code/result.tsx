/** What a candidate passed, and where it ran. */
import type { CodeView } from '../../../../kinds/code/view.js';
import { Figures } from '../../../kit/controls/figures.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { Limits } from '../shared/common.js';
import { words } from './words.js';

export function CodeResult({ result }: { readonly result: CodeView }) {
  const { t, f } = useWordsOf(words);
  const { passed, case_count, accuracy, image, limits } = result;
  return (
    <>
      <Figures
        figures={[
          [t.result.heldout, t.result.passedOf(f.number(passed), f.number(case_count))],
          [t.result.accuracy, f.percent(accuracy)],
        ]}
      />
      <p>
        {t.result.image} <code class="hash">{image}</code>
      </p>
      <Limits limits={limits} />
    </>
  );
}
