/** How far a run is: its years, its generations, and a summary for who does not see the bar that does not chatter. */
import type { Run } from '../../../codec/api-simulation.js';
import type { SimulationRequest } from '../../../codec/simulation.js';
import { shareDone, type RunProgress } from '../api/progress.js';
import { useWords } from '../text/words.js';

/** What is spoken changes at these steps only. */
const spoken_steps = 4;

interface ProgressProps {
  readonly run: Pick<Run, 'id' | 'state' | 'queue_position' | 'remaining_s'> & { readonly request: SimulationRequest };
  readonly progress: RunProgress | undefined;
}

/** Only the bar, for lists. */
export function RunBar({ run: { id, request }, progress }: ProgressProps) {
  const { t, f } = useWords();
  const share = shareDone(progress, request.generations);
  return (
    <progress max={1} value={share} aria-label={t.run.progressOf(id)}>
      {f.percent(share)}
    </progress>
  );
}

export function RunProgressBox({ run, progress }: ProgressProps) {
  const { t, f } = useWords();
  const { horizon, generations } = run.request;
  const generation = progress?.generation ?? 0;
  const years = progress?.affected ?? [];
  const begun = years.length > 0 || generation > 0;
  const spoken = Math.floor(shareDone(progress, generations) * spoken_steps) / spoken_steps;
  return (
    <section class="notice running" aria-label={t.run.progress}>
      <p>
        <strong>{begun ? t.run.running : t.run.waiting}</strong>
      </p>
      <RunBar run={run} progress={progress} />
      <p class="running-share">
        {t.run.generation(f.number(generation), f.number(generations))}
        {' · '}
        {t.run.years(f.number(years.length), f.number(horizon))}
        {' · '}
        {t.run.affected(f.number(years.at(-1) ?? 0))}
        {!begun && run.queue_position !== undefined && ` · ${t.run.position(f.number(run.queue_position))}`}
        {begun && run.remaining_s !== undefined && ` · ${t.run.remaining(f.number(run.remaining_s))}`}
      </p>
      <p class="sr-only" role="status">
        {begun ? t.run.spoken(f.percent(spoken)) : t.run.waiting}
      </p>
    </section>
  );
}
