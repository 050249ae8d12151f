/** The buttons of a mission: only what its state and the actor's role allow. */
import { useState } from 'preact/hooks';
import { missionRecordCodec, type MissionRecord } from '../../../codec/api-missions.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { saveBlob } from '../../kit/controls/download.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { useRights, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { exportName } from '../review/commands.js';

interface ActionsProps {
  readonly record: MissionRecord;
  readonly set: (record: MissionRecord) => void;
}

type Verb = 'execute' | 'recover' | 'cancel';

/** What the mission's buttons do, and why the last one could not. */
function useActions({ record, set }: ActionsProps) {
  const { t } = useWords();
  const { api, refused } = useSession();
  const announce = useAnnounce();
  const { busy, problem: own, run } = useAction();
  const [tried, setTried] = useState<Verb | 'export'>('execute');
  const { id, state } = record;
  const handed = state === 'queued' ? (refused.get(id) ?? null) : null;
  const post = (verb: Verb): void => {
    refused.delete(id);
    setTried(verb);
    run(async () => set(await api.post(`/api/missions/${id}/${verb}`, missionRecordCodec)));
  };
  const save = (): void => {
    setTried('export');
    run(async () => {
      const { blob, name } = await api.download(`/api/missions/${id}/export`);
      saveBlob(blob, name ?? exportName(id));
      announce(t.mission.exported(name ?? exportName(id)));
    });
  };
  return { busy, problem: own ?? handed, isHanded: own === null, title: t.failed[tried], post, save };
}

export function Actions(props: ActionsProps) {
  const { t } = useWords();
  const { review } = useRights();
  const { busy, problem, isHanded, title, post, save } = useActions(props);
  const { state, interrupted = false } = props.record;
  const labels: Readonly<Record<Verb, string>> = {
    execute: t.mission.execute,
    recover: t.mission.recover,
    cancel: t.mission.cancelRun,
  };
  const verbs = review ? verbsFor(state, interrupted) : [];
  if (verbs.length === 0 && state !== 'completed' && !(state === 'review' && review) && problem === null) return null;
  return (
    <section aria-label={t.mission.actions}>
      <div class="actions">
        {verbs.map((verb, i) => (
          <button
            type="button"
            key={verb}
            class={i === 0 && verb !== 'cancel' ? 'primary' : ''}
            disabled={busy}
            onClick={() => post(verb)}
          >
            {labels[verb]}
          </button>
        ))}
        {state === 'completed' && (
          <button type="button" class="primary" disabled={busy} onClick={save} title={t.mission.exportHint}>
            {t.mission.export}
          </button>
        )}
        {state === 'review' && review && (
          <button
            type="button"
            class="primary to-decision"
            onClick={() => document.querySelector<HTMLElement>('#decision')?.focus()}
          >
            {t.mission.toReview} ↓
          </button>
        )}
      </div>
      {state === 'completed' && <p class="help">{t.mission.exportHint}</p>}
      {problem !== null && <ProblemBox title={title} problem={problem} {...(isHanded ? { retry: () => post('execute') } : {})} />}
    </section>
  );
}

function verbsFor(state: MissionRecord['state'], interrupted: boolean): readonly Verb[] {
  if (state === 'queued') return ['execute', 'cancel'];
  if (state === 'running') return interrupted ? ['recover'] : ['cancel'];
  return state === 'failed' ? ['recover'] : [];
}
