/** The words of a kind in the chosen language. */
import type { Kind } from '../../../codec/kinds.js';
import { useText } from '../../kit/text/context.js';
import type { KindWords } from './shared/work.js';
import { kindWords } from './words.js';

export function useKindWords(): <K extends Kind>(kind: K) => KindWords<K> {
  const { language } = useText();
  return (kind) => kindWords[kind][language];
}
