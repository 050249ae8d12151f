/** The form: texts in, a mission file out, checked with the agent's own codec before it is sent. */
import { useMemo, useState } from 'preact/hooks';
import type { FieldError } from '../../../base/refusal.js';
import { kinds, type Kind } from '../../../codec/kinds.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { saveBlob } from '../../kit/controls/download.js';
import { LazyDetails } from '../../kit/controls/lazy-details.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { FaultsContext } from '../../kit/forms/field.js';
import { Member, Members } from '../../kit/forms/member.js';
import { Summary } from '../../kit/forms/summary.js';
import { useAction } from '../../kit/load/use-load.js';
import type { DraftOf } from '../kinds/shared/work.js';
import type { KindView } from '../kinds/shared/view.js';
import { kindViews } from '../kinds/table.js';
import { useKindWords } from '../kinds/use-kind-words.js';
import { replaceRoute } from '../session/use-route.js';
import { useWords } from '../text/words.js';
import { faultsOf } from './errors.js';
import { commonFields, emptyCommon, requestOf, searchMembers, type CommonDraft } from './request.js';
import { useQueue } from './submit.js';

/** A draft for each kind: what was typed for one kind stays when another is looked at. */
type Drafts = { readonly [K in Kind]: DraftOf<K> };

const emptyDrafts = Object.fromEntries(kinds.map((kind) => [kind, kindViews[kind].empty])) as unknown as Drafts;

function requestFor<K extends Kind>(kind: K, common: CommonDraft, drafts: Drafts): unknown {
  const view: KindView<K> = kindViews[kind];
  return requestOf(kind, common, view.valuesOf(drafts[kind]));
}

/** What is typed, and the request that it makes. */
function useDraft(kind: Kind) {
  const [drafts, setDrafts] = useState<Drafts>(emptyDrafts);
  const [common, setCommon] = useState<CommonDraft>(emptyCommon);
  const request = useMemo(() => requestFor(kind, common, drafts), [kind, common, drafts]);
  return {
    request,
    common,
    drafts,
    set: <K extends Kind>(of: K, part: Partial<DraftOf<K>>): void =>
      setDrafts((all) => ({ ...all, [of]: { ...all[of], ...part } })),
    setCommon: (part: Partial<CommonDraft>): void => setCommon((all) => ({ ...all, ...part })),
  };
}

export function ByForm({ kind }: { readonly kind: Kind }) {
  const { k, t } = useWords();
  const c = t.create;
  const { request, common, drafts, ...change } = useDraft(kind);
  const [tried, setTried] = useState(0);
  const { busy, problem, run, forget } = useAction();
  const queue = useQueue();
  const mine = useMemo(() => (tried > 0 ? faultsOf(request) : []), [tried, request]);
  const faults: readonly FieldError[] = mine.length > 0 ? mine : (problem?.document.errors ?? []);
  const setCommon = (part: Partial<CommonDraft>): void => (forget(), change.setCommon(part));
  const submit = (execute: boolean): void => {
    setTried((n) => n + 1);
    if (faultsOf(request).length === 0) run(() => queue(JSON.stringify(request), execute));
  };
  return (
    <FaultsContext.Provider value={faults}>
      <form noValidate onSubmit={(event) => (event.preventDefault(), submit(false))}>
        <KindChoice kind={kind} choose={(each) => (setTried(0), forget(), replaceRoute({ page: 'create', kind: each }))} />
        <Member
          field={commonFields.goal}
          path="goal"
          words={c.fields.goal}
          rows={3}
          value={common.goal}
          set={(goal) => setCommon({ goal })}
        />
        <WorkForm kind={kind} drafts={drafts} set={(of, part) => (forget(), change.set(of, part))} />
        <LazyDetails title={`${c.search} (${k.rows.optional})`}>
          {() => (
            <Members names={searchMembers} fields={commonFields} within="" words={c.fields} texts={common} set={setCommon} />
          )}
        </LazyDetails>
        <Summary faults={faults} round={tried} />
        {problem !== null && problem.document.errors.length === 0 && <ProblemBox title={t.failed.queue} problem={problem} />}
        <Buttons busy={busy} queueAndExecute={() => submit(true)} request={request} file={fileOf(kind)} />
      </form>
      <CommandLine lines={[agentCli('run', fileOf(kind)), agentCli('run', fileOf(kind), '--execute')]} />
    </FaultsContext.Provider>
  );
}

const fileOf = (kind: Kind): string => `${kind}.json`;

interface ButtonsProps {
  readonly busy: boolean;
  readonly queueAndExecute: () => void;
  readonly request: unknown;
  readonly file: string;
}

function Buttons({ busy, queueAndExecute, request, file }: ButtonsProps) {
  const { t } = useWords();
  const save = (): void => saveBlob(new Blob([`${JSON.stringify(request, null, 2)}\n`], { type: 'application/json' }), file);
  return (
    <div class="actions">
      <button type="submit" class="primary" disabled={busy}>
        {t.create.submit}
      </button>
      <button type="button" disabled={busy} onClick={queueAndExecute}>
        {t.create.submitRun}
      </button>
      <button type="button" class="quiet" onClick={save}>
        {t.create.saveFile}
      </button>
    </div>
  );
}

function KindChoice({ kind, choose }: { readonly kind: Kind; readonly choose: (kind: Kind) => void }) {
  const { t } = useWords();
  const wordsOf = useKindWords();
  return (
    <fieldset class="kinds">
      <legend>{t.create.kind}</legend>
      {kinds.map((each) => (
        <label key={each}>
          <input type="radio" name="kind" value={each} checked={each === kind} onChange={() => choose(each)} />
          <span>
            <strong>{wordsOf(each).name}</strong>
            <span class="help">{wordsOf(each).about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface WorkProps<K extends Kind> {
  readonly kind: K;
  readonly drafts: Drafts;
  readonly set: (kind: K, part: Partial<DraftOf<K>>) => void;
}

function WorkForm<K extends Kind>({ kind, drafts, set }: WorkProps<K>) {
  const { Form }: KindView<K> = kindViews[kind];
  return <Form draft={drafts[kind]} set={(part) => set(kind, part)} />;
}
