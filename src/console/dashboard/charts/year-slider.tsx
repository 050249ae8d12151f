/** One year of a chart, chosen by slider, keyboard or pointer, and its values in words. */
import { useId } from 'preact/hooks';
import { useWords } from '../text/words.js';

interface YearSliderProps {
  readonly years: readonly number[];
  readonly at: number;
  readonly point: (at: number) => void;
  readonly reading: string;
}

export function YearSlider({ years, at, point, reading }: YearSliderProps) {
  const { t } = useWords();
  const id = useId();
  return (
    <div class="year">
      <label for={id}>{t.forecast.year}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={years.length - 1}
        step={1}
        value={at}
        disabled={years.length < 2}
        aria-valuetext={reading}
        onInput={(event) => point(event.currentTarget.valueAsNumber)}
      />
      <p class="reading">{reading}</p>
    </div>
  );
}
