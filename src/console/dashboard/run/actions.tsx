/** What can be done with a result: keep it, send its address, ask for it again in another way. */
import { copyText } from '../../kit/controls/copy.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { saveBlob } from '../../kit/controls/download.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { hrefOf } from '../session/routes.js';
import { useSession } from '../session/session.js';
import { useWords } from '../text/words.js';

/** The address of a run's page. It is made of the place of the page and the run's id, and of nothing else. */
const linkTo = (id: string): string => `${location.origin}${location.pathname}${hrefOf({ page: 'run', id })}`;

export function Actions({ id }: { readonly id: string }) {
  const { k, t } = useWords();
  const { api } = useSession();
  const announce = useAnnounce();
  const { busy, problem, run } = useAction();
  const save = (path: string, fallback: string): void =>
    run(async () => {
      const { blob, name } = await api.download(path);
      saveBlob(blob, name ?? fallback);
    });
  const copy = async (): Promise<void> => announce((await copyText(linkTo(id))) ? k.copied : k.notCopied);
  return (
    <>
      <div class="actions">
        <button type="button" disabled={busy} onClick={() => save(`/results/${id}.csv`, `run-${id}.csv`)}>
          {t.run.csv}
        </button>
        <button type="button" disabled={busy} onClick={() => save(`/results/${id}?genome=1`, `run-${id}.json`)}>
          {t.run.json}
        </button>
        <button type="button" aria-describedby="link-hint" onClick={() => void copy()}>
          {t.run.link}
        </button>
        <a class="button" href={hrefOf({ page: 'new', from: id })}>
          {t.run.again}
        </a>
      </div>
      <p class="help" id="link-hint">
        {t.run.linkHint}
      </p>
      {problem !== null && <ProblemBox title={t.failed.save} problem={problem} />}
    </>
  );
}
