/** The form: texts in, a mission file out, checked with the agent's own codec before it is sent. */
import { useMemo, useState } from 'preact/hooks';
import type { FieldError } from '../../../base/refusal.js';
import { kinds, type Kind } from '../../../codec/kinds.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { saveBlob } from '../../kit/controls/download.js';
import { LazyDetails } from '../../kit/controls/lazy-details.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { replaceRoute } from '../session/use-route.js';
import { useWords } from '../text/words.js';
import { faultsOf } from './errors.js';
import { FaultsContext, Field } from '../../kit/forms/field.js';
import { WorkForm } from './kind-forms.js';
import { emptyDrafts, requestOf, type Drafts } from './model.js';
import { useQueue } from './submit.js';
import { Summary } from '../../kit/forms/summary.js';

export function ByForm({ kind }: { readonly kind: Kind }) {
  const { k, t } = useWords();
  const c = t.create;
  const [drafts, setDrafts] = useState<Drafts>(emptyDrafts);
  const [tried, setTried] = useState(0);
  const { busy, problem, run, forget } = useAction();
  const queue = useQueue();
  const request = useMemo(() => requestOf(kind, drafts), [kind, drafts]);
  const mine = useMemo(() => (tried > 0 ? faultsOf(request) : []), [tried, request]);
  const faults: readonly FieldError[] = mine.length > 0 ? mine : (problem?.document.errors ?? []);
  const set = <K extends keyof Drafts>(part: K, change: Partial<Drafts[K]>): void => {
    forget();
    setDrafts((all) => ({ ...all, [part]: { ...all[part], ...change } }));
  };
  const submit = (execute: boolean): void => {
    setTried((n) => n + 1);
    if (faultsOf(request).length === 0) run(() => queue(JSON.stringify(request), execute));
  };
  const file = `${kind}.json`;
  const save = (): void => saveBlob(new Blob([`${JSON.stringify(request, null, 2)}\n`], { type: 'application/json' }), file);
  return (
    <FaultsContext.Provider value={faults}>
      <form noValidate onSubmit={(event) => (event.preventDefault(), submit(false))}>
        <KindChoice kind={kind} choose={(each) => (setTried(0), forget(), replaceRoute({ page: 'create', kind: each }))} />
        <Field
          path="goal"
          label={c.goal}
          hint={c.goalHint}
          rows={3}
          value={drafts.common.goal}
          set={(goal) => set('common', { goal })}
        />
        <WorkForm kind={kind} drafts={drafts} set={set} />
        <LazyDetails title={`${c.search} (${k.rows.optional})`}>
          {() => <SearchFields draft={drafts.common} set={(part) => set('common', part)} />}
        </LazyDetails>
        <Summary faults={faults} round={tried} />
        {problem !== null && problem.document.errors.length === 0 && <ProblemBox problem={problem} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={busy}>
            {c.submit}
          </button>
          <button type="button" disabled={busy} onClick={() => submit(true)}>
            {c.submitRun}
          </button>
          <button type="button" class="quiet" onClick={save}>
            {c.saveFile}
          </button>
        </div>
      </form>
      <CommandLine lines={[agentCli('run', file), agentCli('run', file, '--execute')]} />
    </FaultsContext.Provider>
  );
}

function KindChoice({ kind, choose }: { readonly kind: Kind; readonly choose: (kind: Kind) => void }) {
  const { t } = useWords();
  return (
    <fieldset class="kinds">
      <legend>{t.create.kind}</legend>
      {kinds.map((each) => (
        <label key={each}>
          <input type="radio" name="kind" value={each} checked={each === kind} onChange={() => choose(each)} />
          <span>
            <strong>{t.kinds[each]}</strong>
            <span class="help">{t.create.kindText[each]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface SearchProps {
  readonly draft: Drafts['common'];
  readonly set: (part: Partial<Drafts['common']>) => void;
}

function SearchFields({ draft, set }: SearchProps) {
  const { t } = useWords();
  const c = t.create;
  return (
    <div class="cells">
      <Field numeric path="seed" label={c.seed} placeholder="42" value={draft.seed} set={(seed) => set({ seed })} />
      <Field
        numeric
        path="population"
        label={c.population}
        placeholder="20"
        value={draft.population}
        set={(population) => set({ population })}
      />
      <Field
        numeric
        path="generations"
        label={c.generations}
        placeholder="12"
        value={draft.generations}
        set={(generations) => set({ generations })}
      />
    </div>
  );
}
