/** The form: texts in, a mission file out, checked with the agent's own codec before it is sent. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { applyMergePatch, mergePatchBetween } from '../../../base/merge-patch.js';
import type { FieldError } from '../../../base/refusal.js';
import { flagWords } from '../../../base/text.js';
import type { IntakeOptions } from '../../../codec/api-intake.js';
import type { MissionRecord } from '../../../codec/api-missions.js';
import { type Kind, kinds } from '../../../codec/kinds.js';
import { estimateOf, evaluationsOf } from '../../../kinds/effort.js';
import { type MissionRequest, requestedEffort } from '../../../kinds/request.js';
import { asProblem, type Problem } from '../../kit/api/client.js';
import { agentCli } from '../../kit/controls/agent-cli.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { CommandLine, saveJson } from '../../kit/controls/copy.js';
import { Button, Form } from '../../kit/controls/inputs.js';
import { LazyDetails, ProblemBox } from '../../kit/controls/pieces.js';
import { FaultsContext, LabelsContext, Member, Members, Summary } from '../../kit/forms/fields.js';
import { keptForm, useAskOnLeave, useKeptForm } from '../../kit/forms/kept.js';
import { checked, memberValues } from '../../kit/forms/values.js';
import { useAction } from '../../kit/load.js';
import type { Draft, Members as WorkMembers } from '../kinds/shared/draft.js';
import { WorkForm } from '../kinds/form.js';
import { kindViews, useKindWords, useLabels } from '../kinds/table.js';
import { estimateText } from '../missions/estimate.js';
import { replaceRoute, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import type { Reading } from './intake.js';
import { useQueue } from './queue.js';
import { type CommonDraft, commonFields, commonOf, emptyCommon, faultsOf, type MissionDocument, requestOf } from './request.js';

/** A draft for each kind: what was typed for one kind stays when another is looked at. */
type Drafts = Readonly<Record<Kind, Draft>>;

const emptyDrafts = Object.fromEntries(kinds.map((kind) => [kind, kindViews[kind].form.empty])) as Drafts;

function requestFor(kind: Kind, common: CommonDraft, drafts: Drafts): MissionDocument {
  const { form, search } = kindViews[kind];
  return requestOf(kind, common, form.valuesOf(drafts[kind]), search);
}

/** What is typed, and for which kind. */
export type FormState = { readonly drafts: Drafts; readonly common: CommonDraft; readonly kind?: Kind };

/** The draft of the agent, or the request of another mission, that the form was filled from, and what the form made of it unchanged. */
type Source = Readonly<ReturnType<typeof filling>>;

/** Returns what was typed with what a draft says; texts that the draft leaves blank stay as they were typed. */
function filledFrom<D extends object>(typed: D, draft: D): D {
  const entries = Object.entries<unknown>(draft as Readonly<Record<string, unknown>>);
  const kept = entries.map(([name, value]) => [name, value === '' ? typed[name as keyof D] : value] as const);
  return Object.fromEntries(kept) as D;
}

const drafted = (kind: Kind, mission: MissionDocument): Draft => kindViews[kind].form.fromWork(mission['work'] as WorkMembers);

function sourceOf(kind: Kind, reading: Reading | null, origin: MissionRecord | null): Source | null {
  if (reading?.outcome.outcome === 'draft') return filling(kind, reading.draft, reading.outcome.draft as MissionDocument);
  return origin?.kind === kind ? filling(kind, null, origin.request as MissionDocument) : null;
}

/** @param draft null for the request of a mission */
function filling(kind: Kind, draft: string | null, mission: MissionDocument) {
  const drafts: Drafts = { ...emptyDrafts, [kind]: filledFrom(emptyDrafts[kind], drafted(kind, mission)) };
  return { draft, mission, base: requestFor(kind, commonOf(mission), drafts) };
}

/** Returns a function that makes its value when it is first asked for: at most key presses nobody asks for the mission of a large table. */
function once<A extends object>(make: () => A): () => A {
  let made: A | undefined;
  return () => (made ??= make());
}

function missionOf(source: Source | null, request: MissionDocument) {
  if (source === null) return { mission: request, text: JSON.stringify(request) };
  const changes = mergePatchBetween(source.base, request);
  const mission = applyMergePatch(source.mission, changes) as MissionDocument;
  return { mission, text: JSON.stringify(source.draft === null ? mission : { draft: source.draft, changes }) };
}

/**
 * What is typed, and the mission that it makes: of a draft that was read from files, its own mission with what was changed by hand.
 * `before` is what an example took the place of.
 */
function useDraft(kind: Kind, reading: Reading | null, restored: Reading | null, origin: MissionRecord | null) {
  const [kept] = useState(() => keptForm<FormState>(origin?.id ?? ''));
  const [{ drafts, common }, setTyped] = useState<FormState>(
    kept === null ? { drafts: emptyDrafts, common: emptyCommon } : { ...kept, drafts: { ...emptyDrafts, ...kept.drafts } },
  );
  const [before, setBefore] = useState<(FormState & { readonly kind: Kind }) | null>(null);
  const source = useMemo(() => sourceOf(kind, reading, origin), [reading, origin?.kind === kind]);
  const isTyped = drafts !== emptyDrafts || common !== emptyCommon;
  const forgetKept = useKeptForm(origin?.id ?? '', isTyped ? { drafts, common, kind } : null);
  const [isChanged, setChanged] = useState(kept !== null);
  useAskOnLeave(isChanged);
  const lastGoal = useRef('');
  // Before it is painted: an empty form would be seen for a moment, and what is typed in it would be lost.
  useLayoutEffect(() => {
    if (source === null) return;
    const read = commonOf(source.mission);
    // A form that was left comes back as it was typed.
    if (kept !== null && (source.draft === null || reading === restored)) return void (lastGoal.current = read.goal);
    setBefore(null);
    setTyped((all) => {
      // A goal that a person typed stays.
      const isOwn = all.common.goal.trim() !== '' && all.common.goal !== lastGoal.current;
      const goal = isOwn ? all.common.goal : read.goal;
      return {
        common: { ...filledFrom(all.common, read), goal },
        drafts: { ...all.drafts, [kind]: filledFrom(all.drafts[kind], drafted(kind, source.mission)) },
      };
    });
    lastGoal.current = read.goal;
  }, [source]);
  const made = useMemo(() => once(() => missionOf(source, requestFor(kind, common, drafts))), [source, kind, common, drafts]);
  return {
    /** The mission that is typed, and the text that is sent for it. */
    made,
    common,
    drafts,
    forgetKept,
    canUndo: before?.kind === kind,
    set: (of: Kind, part: Draft): void => {
      setChanged(true);
      setBefore(null);
      setTyped((all) => ({ ...all, drafts: { ...all.drafts, [of]: { ...all.drafts[of], ...part } } }));
    },
    setCommon: (part: Partial<CommonDraft>): void => {
      setChanged(true);
      setBefore(null);
      setTyped((all) => ({ ...all, common: { ...all.common, ...part } }));
    },
    loadExample: (): void => {
      const { work, ...rest } = kindViews[kind].example;
      setBefore({ kind, drafts, common });
      setTyped({ drafts: { ...drafts, [kind]: kindViews[kind].form.fromWork(work) }, common: commonOf(rest) });
    },
    undo: (): void => {
      if (before !== null) setTyped(before);
      setBefore(null);
    },
  };
}

/** The faults of what was tried to send, of this kind only: those of another kind belong to fields that are not there. */
function useFaults(kind: Kind, made: ReturnType<typeof useDraft>['made'], problem: Problem | null) {
  const [tried, setTried] = useState<{ readonly kind: Kind; readonly count: number } | null>(null);
  const isTried = tried?.kind === kind;
  const mine = useMemo(() => (isTried ? faultsOf(made().mission) : []), [isTried, made]);
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

interface ByFormProps {
  /** Null before a person chose one. */
  readonly kind: Kind | null;
  /** The names of the files that the mission is made of. */
  readonly files: readonly string[];
  /** How they are read. */
  readonly options: IntakeOptions;
  /** The draft that was read from them as this kind; null while they are being read or wait for a decision. */
  readonly source: Reading | null;
  /** What was read when the page was left. */
  readonly restored: Reading | null;
  /** The mission whose request is changed, or null. */
  readonly origin: MissionRecord | null;
  readonly sendAgain: (of: Reading) => Promise<string>;
  /** Forgets the files: an example takes their place. */
  readonly forgetFiles: () => void;
  /** The files, above what they fill. */
  readonly children: ComponentChildren;
}

type SourceProps = Pick<ByFormProps, 'source' | 'origin' | 'sendAgain'>;

/** Returns a function that queues a mission. The agent keeps files for half an hour: after that they are sent once more. */
function useSourceQueue({ source, origin, sendAgain }: SourceProps): ReturnType<typeof useQueue> {
  const queue = useQueue(origin?.id);
  return (text, execute) =>
    queue(text, execute).catch(async (error: unknown) => {
      if (source === null || asProblem(error).document.status !== 404) throw error;
      await queue(JSON.stringify({ ...(JSON.parse(text) as object), draft: await sendAgain(source) }), execute);
    });
}

/** The form, under the files that fill it. */
export function ByForm({ kind: chosen, files, options, restored, forgetFiles, children, ...from }: ByFormProps) {
  const { source, origin } = from;
  const kind = chosen ?? 'research';
  const draft = useDraft(kind, source, restored, origin);
  const { made } = draft;
  const { busy, problem, run, forget } = useAction();
  const { faults, told, round, attempt, clear } = useFaults(kind, made, problem);
  const { t } = useWords();
  const labels = useLabels(kind);
  const queue = useSourceQueue(from);
  const send = async (execute: boolean): Promise<void> => {
    await queue(made().text, execute);
    draft.forgetKept();
    forgetFiles();
  };
  const submit = (execute: boolean): void => {
    attempt();
    if (faultsOf(made().mission).length === 0) run(() => send(execute));
  };
  const afresh = (act: () => void) => (): void => (clear(), forget(), act());
  const isPending = files.length > 0 && source === null;
  const command = files.length > 0 ? ['run', ...files, '--kind', chosen ?? 'KIND', ...flagWords(options)] : ['run', fileOf(kind)];
  return (
    <LabelsContext.Provider value={labels}>
      <FaultsContext.Provider value={faults}>
        <Form submit={() => submit(false)}>
          <KindChoice
            kind={isPending ? chosen : kind}
            choose={(each) => (clear(), forget(), replaceRoute({ page: 'create', kind: each }))}
          />
          {children}
          {!isPending && (
            <>
              <ExampleChoice
                load={afresh(() => (forgetFiles(), draft.loadExample()))}
                undo={draft.canUndo ? afresh(draft.undo) : null}
              />
              <MissionFields kind={kind} draft={draft} isFromDocuments={kind === 'research' && source !== null} forget={forget} />
              <Summary faults={faults} round={round} />
              {told !== null && told.document.errors.length === 0 && <ProblemBox title={t.failed.queue} problem={told} />}
              <Buttons busy={busy} queueAndExecute={() => submit(true)} save={() => saveJson(made().mission, fileOf(kind))} />
            </>
          )}
        </Form>
        <CommandLine lines={[agentCli(...command), agentCli(...command, '--execute')]} />
      </FaultsContext.Provider>
    </LabelsContext.Provider>
  );
}

interface MissionFieldsProps {
  readonly kind: Kind;
  readonly draft: ReturnType<typeof useDraft>;
  /** Documents are listed where they were read. */
  readonly isFromDocuments: boolean;
  readonly forget: () => void;
}

/** What the mission says. */
function MissionFields({ kind, draft: { common, drafts, ...change }, isFromDocuments, forget }: MissionFieldsProps) {
  const { k, t } = useWords();
  const c = t.create;
  const { search } = kindViews[kind];
  const details = search.filter((name) => name !== 'effort');
  const setCommon = (part: Partial<CommonDraft>): void => (forget(), change.setCommon(part));
  return (
    <>
      <Member
        field={commonFields.goal}
        path="goal"
        words={c.fields.goal}
        rows={3}
        value={common.goal}
        set={(goal) => setCommon({ goal })}
      />
      {!isFromDocuments && (
        <WorkForm key={kind} kind={kind} draft={drafts[kind]} set={(part) => (forget(), change.set(kind, part))} />
      )}
      {search.includes('effort') && <EffortField kind={kind} effort={common.effort} set={(effort) => setCommon({ effort })} />}
      {details.length > 0 && (
        <LazyDetails key={kind} title={`${c.search} (${k.rows.optional})`}>
          {() => <Members names={details} fields={commonFields} within="" words={c.fields} texts={common} set={setCommon} />}
        </LazyDetails>
      )}
    </>
  );
}

type EffortProps = { readonly kind: Kind; readonly effort: string; readonly set: (effort: string) => void };

/** The effort, and how long the search will take with it. */
function EffortField({ kind, effort, set }: EffortProps) {
  const { t, f } = useWords();
  const { effort: configured } = useSession().status;
  const value = memberValues({ effort: commonFields.effort }, { effort }).effort;
  const isValid = checked(requestedEffort, value ?? 'normal').faults.length === 0;
  const estimate = isValid ? estimateOf(kind, evaluationsOf(value as MissionRequest['effort'], configured)) : null;
  const said = estimate === null ? {} : { read: estimateText(t.mission, f, estimate) };
  return <Member field={commonFields.effort} path="effort" words={t.create.fields.effort} value={effort} set={set} {...said} />;
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

type ButtonsProps = { readonly busy: boolean; readonly queueAndExecute: () => void; readonly save: () => void };

function Buttons({ busy, queueAndExecute, save }: ButtonsProps) {
  const { t } = useWords();
  return (
    <div class="actions">
      <Button type="submit" class="primary" disabled={busy} text={t.create.submit} />
      <Button disabled={busy} onClick={queueAndExecute} text={t.create.submitRun} />
      <Button class="quiet" onClick={save} text={t.create.saveFile} />
    </div>
  );
}

/** The choice of a kind: one that this agent cannot execute says why, and cannot be chosen. */
function KindChoice({ kind, choose }: { readonly kind: Kind | null; readonly choose: (kind: Kind) => void }) {
  const { t, k } = useWords();
  const wordsOf = useKindWords();
  const { capabilities } = useSession().status;
  const id = useId();
  return (
    <fieldset class="kinds choices">
      <legend>{t.create.kind}</legend>
      {kinds.map((each) => {
        const reason = capabilities.find((capability) => capability.kind === each && !capability.available)?.detail;
        return (
          <label key={each}>
            <input
              type="radio"
              name="kind"
              value={each}
              checked={each === kind}
              disabled={reason !== undefined}
              aria-describedby={reason === undefined ? undefined : `${id}-${each}`}
              onChange={() => choose(each)}
            />
            <span>
              <strong>{wordsOf(each).name}</strong>
              <span class="help">{wordsOf(each).about}</span>
              {reason !== undefined && (
                <span class="help toned tone-warn" id={`${id}-${each}`}>
                  {t.create.unavailable + k.colon}
                  <span lang="en">{reason}</span>
                </span>
              )}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
