/** The result of a mission as people read it; one of an unknown shape by its own figures. */
import type { ComponentChildren } from 'preact';
import type { MissionRecord } from '../api/shapes.js';
import { Facts } from '../../kit/controls/pieces.js';
import { useWords } from '../text/words.js';
import { AllocationResult } from '../kinds/allocation/result.js';
import { CodeInput } from '../kinds/code/result.js';
import { ForecastResult } from '../kinds/forecast/result.js';
import { ResearchResult } from '../kinds/research/result.js';
import { ScheduleResult } from '../kinds/schedule/result.js';

export function ResultSection({ record }: { readonly record: MissionRecord }) {
  const { t } = useWords();
  const { kind, result, result_hash, request } = record;
  return (
    <section aria-labelledby="result">
      <h2 id="result">{t.mission.result}</h2>
      {result === null ? <p class="muted">{result_hash === null ? t.mission.noResult : t.mission.resultGone}</p> : drawn(record)}
      {kind === 'code' && <CodeInput request={request} />}
    </section>
  );
}

function drawn({ kind, result, request, goal }: MissionRecord): ComponentChildren {
  if (kind === 'allocation') {
    const view = viewOf(allocationResult, result);
    if (view !== null) return <AllocationResult result={view} input={viewOf(allocationRequest, request)?.work ?? null} />;
  }
  if (kind === 'schedule') {
    const view = viewOf(scheduleResult, result);
    if (view !== null) return <ScheduleResult result={view} input={viewOf(scheduleRequest, request)?.work ?? null} />;
  }
  if (kind === 'forecast') {
    const view = viewOf(forecastResult, result);
    const history = viewOf(forecastRequest, request)?.work.observations ?? null;
    if (view !== null) return <ForecastResult result={view} history={history} />;
  }
  if (kind === 'research') {
    const view = viewOf(researchResult, result);
    if (view !== null) return <ResearchResult result={view} request={request} goal={goal} />;
  }
  return <PlainResult result={result} />;
}

/** Members that are single values, and how long the lists are. */
function PlainResult({ result }: { readonly result: unknown }) {
  const { t, f } = useWords();
  const members = typeof result === 'object' && result !== null ? Object.entries(result) : [];
  return (
    <>
      <p class="muted">{t.mission.otherShape}</p>
      <Facts
        wide
        facts={members.map(([name, value]) => {
          if (Array.isArray(value)) return [name, `[${f.number(value.length)}]`];
          return typeof value === 'object' && value !== null
            ? null
            : [name, typeof value === 'number' ? f.number(value) : String(value)];
        })}
      />
    </>
  );
}
