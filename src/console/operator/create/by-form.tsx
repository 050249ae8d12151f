/** The form: texts in, a mission file out, checked with the agent's own codec before it is sent. */
import { useId, useMemo, useState } from 'preact/hooks';
import type { FieldError } from '../../../base/refusal.js';
import { missionRecordCodec } from '../../../codec/api-missions.js';
import { type Kind, kinds } from '../../../codec/kinds.js';
import { asProblem, type Problem } from '../../kit/api/problem.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { CommandLine, saveJson } from '../../kit/controls/copy.js';
import { Button, Form } from '../../kit/controls/inputs.js';
import { LazyDetails } from '../../kit/controls/pieces.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { FaultsContext, LabelsContext, Member, Members, Summary } from '../../kit/forms/fields.js';
import type { Labels } from '../../kit/forms/labels.js';
import { useAction, usePostOnce } from '../../kit/load.js';
import type { DraftOf, KindView } from '../kinds/shared/work.js';
import { kindViews, useKindWords } from '../kinds/table.js';
import { goTo, replaceRoute, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { type CommonDraft, commonFields, commonOf, emptyCommon, faultsOf, requestOf } from './request.js';

/** A draft for each kind: what was typed for one kind stays when another is looked at. */
type Drafts = { readonly [K in Kind]: DraftOf<K> };

const emptyDrafts = Object.fromEntries(kinds.map((kind) => [kind, kindViews[kind].empty])) as unknown as Drafts;

function requestFor<K extends Kind>(kind: K, common: CommonDraft, drafts: Drafts): unknown {
  const view: KindView<K> = kindViews[kind];
  return requestOf(kind, common, view.valuesOf(drafts[kind]), view.search);
}

interface Typed {
  readonly drafts: Drafts;
  readonly common: CommonDraft;
}

/** What is typed, and the request that it makes. `before` is what an example took the place of. */
function useDraft(kind: Kind) {
  const [{ drafts, common }, setTyped] = useState<Typed>({ drafts: emptyDrafts, common: emptyCommon });
  const [before, setBefore] = useState<(Typed & { readonly kind: Kind }) | null>(null);
  const request = useMemo(() => requestFor(kind, common, drafts), [kind, common, drafts]);
  return {
    request,
    common,
    drafts,
    canUndo: before?.kind === kind,
    set: <K extends Kind>(of: K, part: Partial<DraftOf<K>>): void => {
      setBefore(null);
      setTyped((all) => ({ ...all, drafts: { ...all.drafts, [of]: { ...all.drafts[of], ...part } } }));
    },
    setCommon: (part: Partial<CommonDraft>): void => {
      setBefore(null);
      setTyped((all) => ({ ...all, common: { ...all.common, ...part } }));
    },
    loadExample: (): void => {
      const { work, ...rest } = kindViews[kind].example;
      setBefore({ kind, drafts, common });
      setTyped({ drafts: { ...drafts, [kind]: kindViews[kind].fromWork(work) }, common: commonOf(rest) });
    },
    undo: (): void => {
      if (before !== null) setTyped(before);
      setBefore(null);
    },
  };
}

/** The faults of what was tried to send, of this kind only: those of another kind belong to fields that are not there. */
function useFaults(kind: Kind, request: unknown, problem: Problem | null) {
  const [tried, setTried] = useState<{ readonly kind: Kind; readonly count: number } | null>(null);
  const isTried = tried?.kind === kind;
  const mine = useMemo(() => (isTried ? faultsOf(request) : []), [isTried, request]);
  const told = isTried ? problem : null;
  const faults: readonly FieldError[] = mine.length > 0 ? mine : (told?.document.errors ?? []);
  return {
    faults,
    told,
    round: isTried ? tried.count : 0,
    attempt: (): void => setTried((before) => ({ kind, count: (before?.count ?? 0) + 1 })),
    clear: (): void => setTried(null),
  };
}

export function ByForm({ kind }: { readonly kind: Kind }) {
  const { k, t } = useWords();
  const c = t.create;
  const { request, common, drafts, ...change } = useDraft(kind);
  const { busy, problem, run, forget } = useAction();
  const { faults, told, round, attempt, clear } = useFaults(kind, request, problem);
  const labels = useLabels(kind);
  const queue = useQueue();
  const { search } = kindViews[kind];
  const setCommon = (part: Partial<CommonDraft>): void => (forget(), change.setCommon(part));
  const submit = (execute: boolean): void => {
    attempt();
    if (faultsOf(request).length === 0) run(() => queue(JSON.stringify(request), execute));
  };
  const afresh = (act: () => void) => (): void => (clear(), forget(), act());
  return (
    <LabelsContext.Provider value={labels}>
      <FaultsContext.Provider value={faults}>
        <Form submit={() => submit(false)}>
          <KindChoice kind={kind} choose={(each) => (clear(), forget(), replaceRoute({ page: 'create', kind: each }))} />
          <ExampleChoice load={afresh(change.loadExample)} undo={change.canUndo ? afresh(change.undo) : null} />
          <Member
            field={commonFields.goal}
            path="goal"
            words={c.fields.goal}
            rows={3}
            value={common.goal}
            set={(goal) => setCommon({ goal })}
          />
          <WorkForm kind={kind} drafts={drafts} set={(of, part) => (forget(), change.set(of, part))} />
          {search.length > 0 && (
            <LazyDetails key={kind} title={`${c.search} (${k.rows.optional})`}>
              {() => <Members names={search} fields={commonFields} within="" words={c.fields} texts={common} set={setCommon} />}
            </LazyDetails>
          )}
          <Summary faults={faults} round={round} />
          {told !== null && told.document.errors.length === 0 && <ProblemBox title={t.failed.queue} problem={told} />}
          <Buttons busy={busy} queueAndExecute={() => submit(true)} request={request} file={fileOf(kind)} />
        </Form>
        <CommandLine lines={[agentCli('run', fileOf(kind)), agentCli('run', fileOf(kind), '--execute')]} />
      </FaultsContext.Provider>
    </LabelsContext.Provider>
  );
}

/** The words of the form by the members of the request. */
function useLabels(kind: Kind): Labels {
  const { t } = useWords();
  const wordsOf = useKindWords();
  return useMemo(() => ({ ...t.create.fields, work: { label: '', members: wordsOf(kind).fields } }), [t, kind]);
}

interface ExampleProps {
  readonly load: () => void;
  /** Brings back what the example took the place of; null where there is nothing to bring back. */
  readonly undo: (() => void) | null;
}

function ExampleChoice({ load, undo }: ExampleProps) {
  const { t } = useWords();
  const announce = useAnnounce();
  return (
    <div class="actions">
      <Button class="small" onClick={() => (load(), announce(t.create.exampleLoaded))} text={t.create.loadExample} />
      {undo !== null && <Button class="small quiet" onClick={undo} text={t.create.undoExample} />}
    </div>
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
  return (
    <div class="actions">
      <Button type="submit" class="primary" disabled={busy} text={t.create.submit} />
      <Button disabled={busy} onClick={queueAndExecute} text={t.create.submitRun} />
      <Button class="quiet" onClick={() => saveJson(request, file)} text={t.create.saveFile} />
    </div>
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

/** The choice of a kind: one that this agent cannot execute says why, and cannot be chosen. */
function KindChoice({ kind, choose }: { readonly kind: Kind; readonly choose: (kind: Kind) => void }) {
  const { t } = useWords();
  const wordsOf = useKindWords();
  const { capabilities } = useSession().status;
  const id = useId();
  return (
    <fieldset class="kinds">
      <legend>{t.create.kind}</legend>
      {kinds.map((each) => {
        const why = capabilities.find((one) => one.kind === each && !one.available)?.detail;
        return (
          <label key={each} class={why === undefined ? '' : 'kind-unavailable'}>
            <input
              type="radio"
              name="kind"
              value={each}
              checked={each === kind}
              disabled={why !== undefined}
              aria-describedby={why === undefined ? undefined : `${id}-${each}`}
              onChange={() => choose(each)}
            />
            <span>
              <strong>{wordsOf(each).name}</strong>
              <span class="help">{wordsOf(each).about}</span>
              {why !== undefined && (
                <span class="help kind-why" id={`${id}-${each}`}>
                  {t.create.unavailable}: <span lang="en">{why}</span>
                </span>
              )}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** Sends exactly this text and goes to the mission's page, executing the mission first if `execute` is set. */
export function useQueue(): (text: string, execute: boolean) => Promise<void> {
  const { t } = useWords();
  const { api, refused } = useSession();
  const announce = useAnnounce();
  const post = usePostOnce(api);
  return async (text, execute) => {
    const { id } = await post('/api/missions', missionRecordCodec, text);
    announce(t.create.queued);
    if (execute) {
      // The mission stays queued even if executing it fails; its page says why.
      const asked = api.post(`/api/missions/${id}/execute`, missionRecordCodec);
      await asked.catch((error: unknown) => refused.set(id, asProblem(error)));
    }
    goTo({ page: 'mission', id });
  };
}
