/** The form of a new run: texts in, a request out, checked with the server's own codec before it is sent. */
import { useMemo, useState } from 'preact/hooks';
import type { FieldError } from '../../../base/refusal.js';
import { simulation_work_max } from '../../../base/simulation-limits.js';
import { FaultsContext, Field, LabelsContext } from '../../kit/forms/field.js';
import type { Labels } from '../../kit/forms/labels.js';
import { Summary } from '../../kit/forms/summary.js';
import { CommandLine } from '../../kit/controls/copy.js';
import { saveBlob } from '../../kit/controls/download.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { useAction } from '../../kit/load/use-load.js';
import { simulateCommand } from '../pure/command.js';
import { bodyOf, presets, requestOf, workOf, type Draft } from '../pure/draft.js';
import { useWords } from '../text/words.js';
import { checked } from './faults.js';
import { FieldGroup } from './fields.js';
import { PresetChoice } from './preset.js';
import { SectorFields } from './sectors.js';
import { useStart } from './start.js';

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
  const { t } = useWords();
  const [draft, setDraft] = useState(begin);
  const [name, setName] = useState('');
  const [tried, setTried] = useState(0);
  const { busy, problem, run, forget } = useAction();
  const start = useStart();
  const request = useMemo(() => requestOf(draft), [draft]);
  const { faults: mine, input } = useMemo(() => checked(request), [request]);
  const told = problem?.document.errors ?? [];
  const faults: readonly FieldError[] = tried > 0 && mine.length > 0 ? mine : told;
  const set = (part: Partial<Draft>): void => {
    forget();
    setDraft((all) => ({ ...all, ...part }));
  };
  const choose = (preset: Draft): void => (setTried(0), set(preset));
  const submit = (event: Event): void => {
    event.preventDefault();
    setTried((n) => n + 1);
    if (mine.length === 0) run(() => start(bodyOf(draft, name)));
  };
  const save = (): void =>
    saveBlob(new Blob([`${JSON.stringify(request, null, 2)}\n`], { type: 'application/json' }), 'request.json');
  return (
    <LabelsContext.Provider value={useLabels()}>
      <FaultsContext.Provider value={faults}>
        <form noValidate onSubmit={submit}>
          <PresetChoice
            draft={draft}
            choose={choose}
            start={(preset) => (choose(preset), run(() => start(bodyOf(preset, name))))}
            busy={busy}
            from={from}
          />
          <Field path="name" {...t.form.name} value={name} set={(text) => (forget(), setName(text))} />
          <FieldGroup group="scenario" draft={draft} set={set} />
          <SectorFields draft={draft} set={set} />
          <FieldGroup group="search" draft={draft} set={set} />
          <FieldGroup group="repeat" draft={draft} set={set} />
          {input !== null && <Work work={workOf(input)} />}
          <Summary faults={faults} round={tried} />
          {problem !== null && told.length === 0 && <ProblemBox title={t.failed.start} problem={problem} />}
          <div class="actions">
            <button type="submit" class="primary" disabled={busy}>
              {t.form.submit}
            </button>
            <button type="button" class="quiet" onClick={save}>
              {t.form.save}
            </button>
          </div>
        </form>
        <CommandLine lines={[simulateCommand(name.trim() === '' ? request : { ...request, name })]} />
      </FaultsContext.Provider>
    </LabelsContext.Provider>
  );
}

function Work({ work }: { readonly work: number }) {
  const { t, f } = useWords();
  return <p class="help">{t.form.work(f.number(work), f.number(simulation_work_max))}</p>;
}
