/** The result of a mission as people read it; one of an unknown shape by its own figures. */
import { Facts } from '../../kit/controls/pieces.js';
import type { MissionRecord } from '../../../codec/api-missions.js';
import { kindViews } from '../kinds/table.js';
import { useWords } from '../text/words.js';

export function ResultSection({ record }: { readonly record: MissionRecord }) {
  const { t } = useWords();
  const { kind, result, result_hash } = record;
  const view = kindViews[kind];
  return (
    <section aria-labelledby="result">
      <h2 id="result">{t.mission.result}</h2>
      {result === null ? (
        <p class="muted">{result_hash === null ? t.mission.noResult : t.mission.resultGone}</p>
      ) : (
        (view.result(record) ?? <PlainResult result={result} />)
      )}
      {view.input(record)}
    </section>
  );
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
