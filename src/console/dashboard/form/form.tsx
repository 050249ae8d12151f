/** The form of a new run: texts in, a request out, checked with the server's own codec before it is sent. */
import { useMemo, useState } from 'preact/hooks';
import type { FieldError } from '../../../base/refusal.js';
import { simulation_work_max } from '../../../base/limits.js';
import { createdCodec } from '../../../codec/api-simulation.js';
import { simulationInput } from '../../../codec/simulation.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { CommandLine, saveJson } from '../../kit/controls/copy.js';
import { Button, Form } from '../../kit/controls/inputs.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { FaultsContext, Field, LabelsContext, Summary } from '../../kit/forms/fields.js';
import { keptForm, useAskOnLeave, useKeptForm } from '../../kit/forms/kept.js';
import type { Labels } from '../../kit/forms/labels.js';
import { checked } from '../../kit/forms/values.js';
import { useAction, useIsThere, usePostOnce } from '../../kit/load.js';
import { SaveSectors } from '../parts/parts.js';
import { type Draft, named, presetNames, presetOf, presets, requestOf, simulateCommand, workOf } from '../pure/draft.js';
import { goTo, useSession } from '../session/session.js';
import { useWords } from '../text/words.js';
import { FieldGroup, SectorFields } from './fields.js';
import { SweepForm } from './sweep.js';

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
