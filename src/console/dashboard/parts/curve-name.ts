/** A curve as the reader calls it; one that this page does not know keeps its own name. */
import { curves } from '../../../codec/simulation.js';
import { useWords } from '../text/words.js';

export function useCurveName(): (curve: string) => string {
  const { t } = useWords();
  return (curve) => {
    const known = curves.find((each) => each === curve);
    return known === undefined ? curve : t.form.fields.curve.options[known];
  };
}
