/** The files that a result becomes: reports and spreadsheets for people, and the signed export. Of a result in review there are only drafts. */
import { useState } from 'preact/hooks';
import type { MissionRecord } from '../../../codec/api-missions.js';
import { scheduleRequest } from '../../../kinds/schedule/view.js';
import { viewOf } from '../../../kinds/view-fields.js';
import { saveBlob } from '../../kit/controls/copy.js';
import { Button } from '../../kit/controls/inputs.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { exportName } from '../review/commands.js';
import { useTask } from '../session/session.js';
import { useWords } from '../text/words.js';

type Format = 'html' | 'xlsx' | 'csv' | 'ics' | 'md';

/** Returns the formats that there are of a result. */
function formatsOf({ kind, state, request }: MissionRecord): readonly Format[] {
  if (state === 'review') return ['html', 'md'];
  const hasStart = kind === 'schedule' && viewOf(scheduleRequest, request)?.work.start !== undefined;
  return hasStart ? ['html', 'xlsx', 'csv', 'ics', 'md'] : ['html', 'xlsx', 'csv', 'md'];
}

export function Downloads({ record }: { readonly record: MissionRecord }) {
  const { t } = useWords();
  const { api, announce, busy, problem, run } = useTask();
  const [failed, setFailed] = useState(t.failed.report);
  const { id, state } = record;
  const save = (path: string, failedTitle: string): void => {
    setFailed(failedTitle);
    run(async () => {
      const { blob, name } = await api.download(`/api/missions/${id}/${path}`);
      const file = name ?? exportName(id);
      saveBlob(blob, file);
      announce(t.mission.exported(file));
    });
  };
  const isDraft = state === 'review';
  const { title, draftTitle, hint, draftHint } = t.downloads;
  return (
    <section class="downloads" aria-labelledby="downloads">
      <h2 id="downloads">{isDraft ? draftTitle : title}</h2>
      <div class="actions">
        {formatsOf(record).map((format, i) => (
          <Button
            key={format}
            class={i === 0 && !isDraft ? 'primary' : ''}
            disabled={busy}
            onClick={() => save(`report.${format}`, t.failed.report)}
            text={t.downloads.formats[format]}
          />
        ))}
        {!isDraft && <Button disabled={busy} onClick={() => save('export', t.failed.export)} text={t.mission.export} />}
      </div>
      <p class="help">{isDraft ? draftHint : hint}</p>
      {problem !== null && <ProblemBox title={failed} problem={problem} />}
    </section>
  );
}
