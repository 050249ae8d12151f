/** Nothing was signed because the mission changed: what the reviewer saw beside what there is now. */
import { useEffect, useRef } from 'preact/hooks';
import { missionState } from '../../../codec/record.js';
import type { Problem } from '../../kit/api/problem.js';
import type { MissionRecord } from '../../../codec/api-missions.js';
import { Scroll } from '../../kit/controls/pieces.js';
import { useWords } from '../text/words.js';

interface ConflictProps {
  readonly record: MissionRecord;
  readonly problem: Problem;
  readonly reload: () => void;
}

const shown = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

export function Conflict({ record, problem, reload }: ConflictProps) {
  const { t } = useWords();
  const { facts, detail } = problem.document;
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const stateText = (value: unknown): string => (missionState.is(value) ? t.states[value] : shown(value));
  const rows = [
    ['revision', t.review.fields.revision, shown(record.revision), shown(facts['revision'])],
    ['state', t.review.states, stateText(record.state), stateText(facts['state'])],
    ['result_hash', t.review.fields.result_hash, shown(record.result_hash), shown(facts['result_hash'])],
  ] as const;
  const { seen, now } = t.review.staleColumns;
  return (
    <div class="problem conflict" role="alert">
      <p class="problem-title" ref={heading} tabIndex={-1}>
        {t.review.stale}
      </p>
      <p lang="en">{detail}</p>
      <p>{t.review.staleText}</p>
      <Scroll label={t.review.stale}>
        <table class="compare">
          <thead>
            <tr>
              <td />
              <th scope="col">{seen}</th>
              <th scope="col">{now}</th>
            </tr>
          </thead>
          <tbody>
            {rows
              .filter(([name]) => name in facts)
              .map(([name, label, before, after]) => (
                <tr key={name} class={before === after ? '' : 'differs'}>
                  <th scope="row">{label}</th>
                  <td>
                    <code>{before}</code>
                  </td>
                  <td>
                    <code>{after}</code>
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </Scroll>
      <button type="button" class="primary" onClick={reload}>
        {t.mission.load}
      </button>
    </div>
  );
}
