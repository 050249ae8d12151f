/** Cancelling several missions: the selected ones are named and confirmed, then each reports its own result. */
import { useState } from 'preact/hooks';
import { missionRecordCodec, type MissionItem } from '../../../codec/api-missions.js';
import { asProblem, type Problem } from '../../kit/api/problem.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { Dialog } from '../../kit/controls/dialog.js';
import { useAction } from '../../kit/load/use-load.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { isCancelable, type Selection } from './selection.js';

interface BarProps {
  readonly items: readonly MissionItem[];
  readonly selection: Selection;
  readonly reload: () => void;
}

/** How many missions are selected, and what may be done with them; nothing while nothing on the page can be cancelled. */
export function SelectionBar({ items, selection, reload }: BarProps) {
  const { t, f } = useWords();
  const [chosen, setChosen] = useState<readonly MissionItem[] | null>(null);
  const cancelable = items.filter(isCancelable);
  const selected = cancelable.filter(({ id }) => selection.ids.has(id));
  const close = (): void => {
    setChosen(null);
    selection.setAll([]);
    reload();
  };
  if (cancelable.length === 0 && chosen === null) return null;
  return (
    <div class="selection" role="group" aria-label={t.list.selection}>
      <button
        type="button"
        class="small quiet"
        onClick={() => selection.setAll(selected.length === cancelable.length ? [] : cancelable.map(({ id }) => id))}
      >
        {selected.length === cancelable.length && selected.length > 0
          ? t.list.selectNone
          : t.list.selectAll(f.number(cancelable.length))}
      </button>
      {selected.length > 0 && (
        <>
          <span role="status">{t.list.selected(f.number(selected.length))}</span>
          <button type="button" class="small danger" onClick={() => setChosen(selected)}>
            {t.list.cancel(selected.length)}
          </button>
        </>
      )}
      {chosen !== null && <CancelDialog missions={chosen} onClose={close} />}
    </div>
  );
}

type Outcome = 'cancelled' | Problem;

/** Cancels one mission after the other. Once the agent cannot be reached, the rest is not tried. */
function useCancel(missions: readonly MissionItem[]) {
  const { t } = useWords();
  const { api } = useSession();
  const announce = useAnnounce();
  const { busy, run } = useAction();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const cancelOne = async (id: string): Promise<Outcome> => {
    try {
      await api.post(`/api/missions/${id}/cancel`, missionRecordCodec);
      return 'cancelled';
    } catch (error) {
      return asProblem(error);
    }
  };
  const cancel = (): void =>
    run(async () => {
      const all = new Map<string, Outcome>();
      for (const { id } of missions) {
        const outcome = await cancelOne(id);
        all.set(id, outcome);
        setOutcomes(new Map(all));
        if (outcome !== 'cancelled' && outcome.document.code === 'network') break;
      }
      const done = [...all.values()].filter((outcome) => outcome === 'cancelled').length;
      announce(t.list.cancelled(done, missions.length));
    });
  return { busy, outcomes, cancel, isDone: outcomes.size > 0 && !busy };
}

function CancelDialog({ missions, onClose }: { readonly missions: readonly MissionItem[]; readonly onClose: () => void }) {
  const { k, t } = useWords();
  const { busy, outcomes, cancel, isDone } = useCancel(missions);
  return (
    <Dialog title={t.list.cancelTitle(missions.length)} onClose={() => !busy && onClose()} wide>
      <p>{t.list.cancelText}</p>
      <ul class="outcomes">
        {missions.map(({ id, goal }) => (
          <li key={id}>
            <span class="id">{id.slice(0, 8)}</span> {goal}
            <OutcomeLine outcome={outcomes.get(id)} isDone={isDone} />
          </li>
        ))}
      </ul>
      <div class="actions">
        {!isDone && (
          <button type="button" class="danger" disabled={busy} onClick={cancel}>
            {busy ? t.list.cancelling : t.list.cancel(missions.length)}
          </button>
        )}
        <button type="button" disabled={busy} onClick={onClose}>
          {isDone ? t.list.toList : k.back}
        </button>
      </div>
    </Dialog>
  );
}

function OutcomeLine({ outcome, isDone }: { readonly outcome: Outcome | undefined; readonly isDone: boolean }) {
  const { t } = useWords();
  if (outcome === 'cancelled') return <p class="verdict-good">✓ {t.list.cancelledOne}</p>;
  if (outcome === undefined) return isDone ? <p class="muted">{t.list.notTried}</p> : null;
  const { code, detail } = outcome.document;
  return (
    <p class="verdict-bad">
      ✕ {t.failed.cancel}: <span lang="en">{detail}</span> (<code>{code}</code>)
    </p>
  );
}
