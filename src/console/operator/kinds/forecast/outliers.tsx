/** The outliers of a forecast, in its chart and in words. */
import { explanations } from '../../../../kinds/explained.js';
import { outliersOf } from '../../../../kinds/forecast/view.js';
import { Explained } from '../../../kit/controls/pieces.js';
import { useWordsOf } from '../../../kit/text/context.js';
import { type DrawnOutlier, scaleOf, type Series, useStepName } from './series.js';
import { words } from './words.js';

interface OutlierProps extends DrawnOutlier {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** The upper end of the field. */
  readonly top: number;
}

/** A ring around an outlier; one that lies beyond the scale has its value beside it, and the line to it is broken. */
export function OutlierMark({ value, x, y, width, top, isBeyond: isBroken }: OutlierProps) {
  const { f } = useWordsOf(words);
  const isRight = x > width / 2;
  const down = y > top + 1 ? -1 : 1;
  return (
    <g class="outlier tone-bad">
      {isBroken && <path class="axis-break" d={`M${x - 7} ${y + down * 22}l14 -5m-14 11l14 -5`} />}
      <circle class="ring" cx={x} cy={y} r="5" />
      {isBroken && (
        <text x={isRight ? x - 10 : x + 10} y={y} dy={down > 0 ? '0.75em' : '-0.1em'} text-anchor={isRight ? 'end' : 'start'}>
          {f.number(value)}
        </text>
      )}
    </g>
  );
}

/** How many outliers are named. */
const named_outliers_max = 5;

/** The outliers, each with its step or date and what stands for it. @param first the first step that is drawn */
export function Outliers({ first, ...series }: Series & { readonly first: number }) {
  const { t, f, language } = useWordsOf(words);
  const name = useStepName(series);
  const all = outliersOf(series.result);
  if (all.length === 0) return null;
  const beyond = scaleOf(series, first).outliers.flatMap(({ step, isBeyond }) => (isBeyond ? [step] : []));
  const more = all.length - named_outliers_max;
  return (
    <ul class="marked outliers">
      {all.slice(0, named_outliers_max).map((each) => (
        <li key={each.step}>
          <Explained means={explanations[language].outlier}>{t.result.outlier}</Explained>{' '}
          {t.result.outlierIs(name(each.step), f.number(each.value), f.number(each.replacement))}
          {beyond.includes(each.step) && ` ${t.result.beyond}`}
        </li>
      ))}
      {more > 0 && <li>{t.result.moreOutliers(f.number(more))}</li>}
    </ul>
  );
}
