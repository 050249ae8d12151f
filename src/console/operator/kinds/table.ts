/** The kinds of missions that the console knows. A kind that is missing here, or in the words beside it, does not compile. */
import { useMemo } from 'preact/hooks';
import type { Kind } from '../../../codec/kinds.js';
import type { Labels } from '../../kit/forms/labels.js';
import { useText } from '../../kit/text/context.js';
import { allocation } from './allocation/view.js';
import { code } from './code/view.js';
import { forecast } from './forecast/view.js';
import { research } from './research/view.js';
import { schedule } from './schedule/view.js';
import { useWords } from '../text/words.js';
import type { KindView } from './shared/view.js';
import type { KindWords } from './shared/draft.js';
import { kindWords } from './words.js';

export const kindViews: { readonly [K in Kind]: KindView<K> } = { research, allocation, schedule, forecast, code };

/** The words of a kind in the chosen language. */
export function useKindWords(): <K extends Kind>(kind: K) => KindWords<K> {
  const { language } = useText();
  return (kind) => kindWords[kind][language];
}

/** The words of the form by the members of the request. */
export function useLabels(kind: Kind): Labels {
  const { t } = useWords();
  const wordsOf = useKindWords();
  return useMemo(() => ({ ...t.create.fields, work: { label: '', members: wordsOf(kind).fields } }), [t, kind]);
}
