/** The form of a new run or sweep: texts in, a request out, checked with the server's own codec before it is sent. */
import { useId, useMemo, useState } from 'preact/hooks';
import type { FieldError } from '../../../base/refusal.js';
import { simulation_work_max } from '../../../base/limits.js';
import { createdCodec } from '../../../codec/api-simulation.js';
import { simulationInput } from '../../../codec/simulation.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { CommandLine, saveJson } from '../../kit/controls/copy.js';
import { Button, Form, Segmented } from '../../kit/controls/inputs.js';
import { LazyDetails, ProblemBox } from '../../kit/controls/pieces.js';
import { FaultsContext, Field, LabelsContext, Members, Summary } from '../../kit/forms/fields.js';
import { keptForm, useAskOnLeave, useKeptForm, useKeptState } from '../../kit/forms/kept.js';
import type { Labels } from '../../kit/forms/labels.js';
import { checked } from '../../kit/forms/values.js';
import { useAction, useIsThere, usePostOnce } from '../../kit/load.js';
import { SaveSectors } from '../parts/parts.js';
import {
  type Draft,
  type Group,
  membersOf,
  named,
  presetNames,
  presetOf,
  presets,
  requestFields,
  requestOf,
  sectorCellOf,
  sectorMembers,
  sectorsOfFile,
  sectorWays,
  simulateCommand,
  sweepBodyOf,
  workOf,
} from '../pure/draft.js';
import { goTo, useSession, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import * as E from 'fp-ts/lib/Either.js';
import { localProblem } from '../../kit/api/client.js';
import type { Cells } from '../../kit/grid/cells.js';
import { TableField } from '../../kit/grid/grid.js';
import { sweepCreated, type SweepField, sweepFields } from '../../../codec/sweep.js';

/** The words of the form by the members of the request. */
function useLabels(): Labels {
  const { t } = useWords();
  return {
    ...t.form.fields,
    name: t.form.name,
    sectors: { label: t.form.sectors, one: t.form.sector, members: t.form.sectorFields },
  };
}

/** @param begin what the form holds at first; `from` the run that it is of */
export function RunForm({ begin = presets.quick, from = null }: { readonly begin?: Draft; readonly from?: string | null }) {
  const { t, f } = useWords();
  const [kept] = useState(() => keptForm<{ readonly draft: Draft; readonly name: string }>(from ?? ''));
  const [draft, setDraft] = useState<Draft>({ ...begin, ...kept?.draft });
  const [name, setName] = useState(kept?.name ?? '');
  const [isChanged, setChanged] = useState(kept !== null);
  const forgetKept = useKeptForm(from ?? '', isChanged ? { draft, name } : null);
  useAskOnLeave(isChanged && (name !== '' || presetOf(draft) === null));
  const [tried, setTried] = useState(0);
  const { busy, problem, run, forget } = useAction();
  const start = useStart(forgetKept);
  const request = useMemo(() => requestOf(draft), [draft]);
  const { faults: mine, value: input } = useMemo(() => checked(simulationInput, request), [request]);
  const told = problem?.document.errors ?? [];
  const faults: readonly FieldError[] = tried > 0 && mine.length > 0 ? mine : told;
  const set = (part: Partial<Draft>): void => {
    forget();
    setChanged(true);
    setDraft((all) => ({ ...all, ...part }));
  };
  const choose = (preset: Draft): void => (setTried(0), set(preset));
  const submit = (): void => {
    setTried((n) => n + 1);
    if (mine.length === 0) run(() => start(named(request, name)));
  };
  return (
    <LabelsContext.Provider value={useLabels()}>
      <FaultsContext.Provider value={faults}>
        <Form submit={submit}>
          <PresetChoice
            draft={draft}
            choose={choose}
            start={(preset) => (choose(preset), run(() => start(named(requestOf(preset), name))))}
            busy={busy}
            from={from}
          />
          <Field path="name" {...t.form.name} value={name} set={(text) => (forget(), setChanged(true), setName(text))} />
          <FieldGroup group="scenario" draft={draft} set={set} />
          <SectorFields draft={draft} set={set} />
          <FieldGroup group="search" draft={draft} set={set} />
          <FieldGroup group="repeat" draft={draft} set={set} />
          {input !== null && <p class="help">{t.form.work(f.number(workOf(input)), f.number(simulation_work_max))}</p>}
          <Summary faults={faults} round={tried} />
          {problem !== null && told.length === 0 && <ProblemBox title={t.failed.start} problem={problem} />}
          <div class="actions">
            <Button type="submit" class="primary" disabled={busy} text={t.form.submit} />
            <Button class="quiet" onClick={() => saveJson(request, 'request.json')} text={t.form.save} />
          </div>
        </Form>
        <SweepForm request={request} name={name} sent={forgetKept} />
        <CommandLine lines={[simulateCommand(named(request, name))]} />
        <SaveSectors of={request} />
      </FaultsContext.Provider>
    </LabelsContext.Provider>
  );
}

interface PresetProps {
  readonly draft: Draft;
  readonly choose: (draft: Draft) => void;
  /** Starts a run of a preset as it is. */
  readonly start: (draft: Draft) => void;
  readonly busy: boolean;
  readonly from: string | null;
}

/** The choice of what the form begins with. */
function PresetChoice({ draft, choose, start, busy, from }: PresetProps) {
  const { t } = useWords();
  const current = presetOf(draft);
  return (
    <>
      <fieldset class="choices presets">
        <legend>{t.form.preset}</legend>
        {presetNames.map((name) => (
          <div class="preset" key={name}>
            <label>
              <input type="radio" name="preset" value={name} checked={name === current} onChange={() => choose(presets[name])} />
              <span>
                <strong>{t.form.presets[name].name}</strong>
                <span class="help">{t.form.presets[name].text}</span>
              </span>
            </label>
            <Button
              class="small"
              disabled={busy}
              aria-label={t.form.startOf(t.form.presets[name].name)}
              onClick={() => start(presets[name])}
              text={t.form.startPreset}
            />
          </div>
        ))}
      </fieldset>
      {current === null && <p class="help">{from === null ? t.form.changed : t.form.fromRun(from)}</p>}
    </>
  );
}

/** Sends a request and goes to the run's page. */
function useStart(sent: () => void): (request: Readonly<Record<string, unknown>>) => Promise<void> {
  const { t } = useWords();
  const { api } = useSession();
  const announce = useAnnounce();
  const post = usePostOnce(api);
  const isThere = useIsThere();
  return async (request) => {
    const { id } = await post('/simulate', createdCodec, JSON.stringify(request));
    sent();
    announce(t.form.started);
    if (isThere()) goTo({ page: 'run', id });
  };
}

// The fields of a request that are single values.

type FieldsProps = { readonly draft: Draft; readonly set: (part: Partial<Draft>) => void };

/** The fields of one part of the form. */
function GroupFields({ group, draft, set }: FieldsProps & { readonly group: Group }) {
  const { t } = useWords();
  const { fields, curveDefault } = t.form;
  return (
    <Members
      names={membersOf(group)}
      fields={requestFields}
      within=""
      words={fields}
      texts={draft}
      set={set}
      more={(name) => {
        if (name === 'curve') return { blank: curveDefault(fields.curve.options.logistic) };
        // What it is by default depends on the curve; this is what most of them take.
        return name === 'x0' ? { placeholder: '0' } : {};
      }}
    />
  );
}

/** A part of the form with its title. */
export function FieldGroup({ group, draft, set }: FieldsProps & { readonly group: 'scenario' | 'search' | 'repeat' }) {
  const { t } = useWords();
  return (
    <fieldset class="group">
      <legend>{t.form[group]}</legend>
      <GroupFields group={group} draft={draft} set={set} />
      {group === 'scenario' && <p class="help">{t.form.decimal}</p>}
    </fieldset>
  );
}

/** The sectors of a request: alike and by number, or one by one in a table. */
export function SectorFields({ draft, set }: FieldsProps) {
  const { t } = useWords();
  const c = t.form;
  return (
    <fieldset class="group">
      <legend>{c.sectors}</legend>
      <Segmented
        label={c.sectors}
        options={sectorWays.map((way) => [way, c.ways[way]] as const)}
        value={draft.way}
        choose={(way) => set({ way })}
      />
      {draft.way === 'alike' ? <GroupFields group="alike" draft={draft} set={set} /> : <SectorTable draft={draft} set={set} />}
    </fieldset>
  );
}

function SectorTable({ draft: { rows }, set }: FieldsProps) {
  const { t } = useWords();
  const c = t.form;
  const announce = useAnnounce();
  const columns = sectorMembers.map((name) => ({ name, label: c.sectorFields[name].label, numeric: name !== 'name' }));
  return (
    <>
      {/* The table leaves a paste to the page that has more columns than it. */}
      <div onPaste={() => announce(c.tooWide)}>
        <TableField
          path="sectors"
          title={c.ways.rows}
          columns={columns}
          rows={rows}
          set={(cells) => set({ rows: cells })}
          cellOf={sectorCellOf}
        />
      </div>
      <p class="help">
        {c.fields.entropy.hint}. {c.tableHint}
      </p>
      <SectorFile take={(cells) => set({ rows: cells })} />
    </>
  );
}

/** Opens a file of sectors, which takes the place of the table's rows. */
function SectorFile({ take }: { readonly take: (rows: Cells) => void }) {
  const { t, f } = useWords();
  const c = t.form;
  const id = useId();
  const announce = useAnnounce();
  const { problem, run } = useAction();
  const open = (file: File): void =>
    run(async () => {
      const read = sectorsOfFile(new Uint8Array(await file.arrayBuffer()));
      if (E.isLeft(read)) throw localProblem('file', read.left.detail);
      const { right: rows } = read;
      take(rows);
      announce(c.fileRead(rows.length, f.number(rows.length)));
    });
  return (
    <div class="field">
      <label for={id}>{c.file}</label>
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          // The same file may be chosen again, after it was corrected.
          event.currentTarget.value = '';
          if (file !== undefined) open(file);
        }}
      />
      <p id={`${id}-hint`} class="help">
        {c.fileHint}
      </p>
      {problem !== null && <ProblemBox title={t.failed.file} problem={problem} />}
    </div>
  );
}

// The part of the form that starts a sweep: the request of the form with one field varied.

interface SweepProps {
  /** The request of the form. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly name: string;
  /** Called when the sweep is started. */
  readonly sent: () => void;
}

export function SweepForm(props: SweepProps) {
  const { t } = useWords();
  return <LazyDetails title={t.sweep.start}>{() => <Fields {...props} />}</LazyDetails>;
}

const first = { field: 'entropy', from: '1', to: '3', step: '0.5', seeds: '5' };
const numbers = ['from', 'to', 'step', 'seeds'] as const;

function Fields({ request, name, sent }: SweepProps) {
  const { t } = useWords();
  const { api, announce, busy, problem, run, forget } = useTask();
  const post = usePostOnce(api);
  const isThere = useIsThere();
  const { form: texts, set, forget: forgetKept } = useKeptState('sweep', first);
  const change = (part: Partial<typeof first>): void => (forget(), set(part));
  const start = (): void =>
    run(async () => {
      const { id } = await post('/sweeps', sweepCreated, sweepBodyOf(request, name, texts));
      sent();
      forgetKept();
      announce(t.sweep.started);
      if (isThere()) goTo({ page: 'sweep', id });
    });
  const options = sweepFields.map((each: SweepField) => [each, t.form.fields[each].label] as const);
  return (
    <>
      <p class="help">{t.sweep.startText}</p>
      <div class="cells">
        <Field
          path="sweep.field"
          label={t.sweep.field}
          value={texts.field}
          options={options}
          set={(field) => change({ field })}
        />
        {numbers.map((each) => (
          <Field
            key={each}
            path={`sweep.${each}`}
            label={t.sweep.numbers[each]}
            numeric
            value={texts[each]}
            set={(text) => change({ [each]: text })}
          />
        ))}
      </div>
      {problem !== null && <ProblemBox title={t.failed.startSweep} problem={problem} />}
      <div class="actions">
        <Button disabled={busy} onClick={start} text={t.sweep.startButton} />
      </div>
    </>
  );
}
