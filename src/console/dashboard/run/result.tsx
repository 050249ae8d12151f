/** The results of a run, with their limits, its inputs, and how they can be verified. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Results } from '../../../codec/api-simulation.js';
import type { SimulationRequest } from '../../../codec/simulation.js';
import { CommandLine, CopyButton, copyText, saveBlob } from '../../kit/controls/copy.js';
import { Button, ButtonLink } from '../../kit/controls/inputs.js';
import { type Fact, Facts, Figures, JsonDetails, Mono, ProblemBox } from '../../kit/controls/pieces.js';
import { useAction } from '../../kit/load.js';
import { AffectedChart } from '../charts/affected.js';
import { ForecastChart } from '../charts/forecast.js';
import { Caveat, SaveSectors, useCurveName } from '../parts/parts.js';
import { Population } from '../population/population.js';
import { draftOf, requestOf, simulateCommand, verifyCommand } from '../pure/draft.js';
import { hrefOf } from '../session/routes.js';
import { useSession, useTask } from '../session/session.js';
import { useWords } from '../text/words.js';
import { pageHtml, workbookOf } from './saved.js';
import { Sectors } from './sectors.js';

export function ResultView({ results }: { readonly results: Results }) {
  const { t } = useWords();
  return (
    <>
      <Caveat />
      <Warnings warnings={results.warnings} />
      <Actions results={results} />
      <KeyFigures results={results} />
      <section aria-labelledby="result">
        <h2 id="result" class="sr-only">
          {t.run.result}
        </h2>
        <ByYear results={results} />
        <Population results={results} />
      </section>
      <RequestFacts results={results} />
      <Proof results={results} />
      <PrintFoot results={results} />
    </>
  );
}

/** One year is pointed at in all three pictures: at first the one that disrupts the first sector, or the last. */
function ByYear({ results }: { readonly results: Results }) {
  const [at, setAt] = useState(() => {
    const first = results.forecast.findIndex(({ affected }) => affected > 0);
    return first < 0 ? results.forecast.length - 1 : first;
  });
  return (
    <>
      <ForecastChart results={results} at={at} point={setAt} />
      <AffectedChart results={results} at={at} point={setAt} />
      <Sectors results={results} at={at} point={setAt} />
    </>
  );
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  const { t } = useWords();
  if (warnings.length === 0) return null;
  return (
    <section class="notice warnings" aria-label={t.run.warnings}>
      <p>
        <strong>{t.run.warnings}</strong>
      </p>
      <ul>
        {warnings.map((text) => {
          const known = t.run.warningsKnown[text];
          return known === undefined ? (
            <li key={text} lang="en">
              {text}
            </li>
          ) : (
            <li key={text}>{known}</li>
          );
        })}
      </ul>
    </section>
  );
}

function KeyFigures({ results: { forecast, sectors, population, hypervolume } }: { readonly results: Results }) {
  const { t, f } = useWords();
  const last = forecast.at(-1);
  const first = forecast.find(({ affected }) => affected > 0);
  const front = population.reduce((count, { rank }) => count + (rank === 0 ? 1 : 0), 0);
  const below =
    last?.p05 === undefined || last.p95 === undefined
      ? t.run.inYear(String(last?.year ?? ''))
      : t.run.between(f.percent(last.p05), f.percent(last.p95));
  return (
    <Figures
      figures={[
        [t.run.capabilityEnd, f.percent(last?.capability ?? 0), below],
        [
          t.run.disrupted,
          t.run.ofSectors(f.number(last?.affected ?? 0), f.number(sectors.length)),
          first === undefined ? t.run.none : t.run.firstIn(String(first.year)),
        ],
        [t.run.front, f.number(front), t.run.ofPopulation(f.number(population.length))],
        hypervolume === null ? null : [t.run.hypervolume, f.short(Number(hypervolume.toPrecision(4))), t.run.hypervolumeHint],
      ]}
    />
  );
}

/** The address of a run's page. It is made of the place of the page and the run's id, and of nothing else. */
const linkTo = (id: string): string => `${location.origin}${location.pathname}${hrefOf({ page: 'run', id })}`;

const xlsx_type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function Actions({ results }: { readonly results: Results }) {
  const { id, outcome_hash } = results;
  const { k, t } = useWords();
  const { api, announce, busy, problem, run } = useTask();
  const save = (path: string, name: string): void => run(async () => saveBlob((await api.download(path)).blob, name));
  const saveTables = (): void =>
    saveBlob(new Blob([Uint8Array.from(workbookOf(results))], { type: xlsx_type }), `run-${id}.xlsx`);
  const savePage = (): void => {
    const main = document.querySelector('main');
    const foot = `${t.run.title(id)} · ${t.run.hash} ${outcome_hash}`;
    if (main !== null) saveBlob(new Blob([pageHtml(main, foot)], { type: 'text/html' }), `run-${id}.html`);
  };
  const copy = async (): Promise<void> => announce((await copyText(linkTo(id))) ? k.copied : k.notCopied);
  return (
    <>
      <div class="actions">
        <Button disabled={busy} onClick={() => save(`/results/${id}.csv`, `forecast-${id}.csv`)} text={t.run.csv} />
        <Button onClick={saveTables} text={t.run.xlsx} />
        <Button onClick={savePage} text={t.run.html} />
        <Button disabled={busy} onClick={() => save(`/results/${id}?genome=1`, `run-${id}.json`)} text={t.run.json} />
        <Button aria-describedby="link-hint" onClick={() => void copy()} text={t.run.link} />
        <ButtonLink href={hrefOf({ page: 'new', from: id })} text={t.run.again} />
      </div>
      <p class="help" id="link-hint">
        {t.run.linkHint}
      </p>
      {problem !== null && <ProblemBox title={t.failed.save} problem={problem} />}
    </>
  );
}

/** The inputs of a run, as people read them and in full. */
function RequestFacts({ results }: { readonly results: Results }) {
  const { t, f } = useWords();
  const { request, islands, engine } = results;
  const { horizon, curve, k, x0, pop_size, generations, mut_rate, xover_rate } = request;
  const name = useCurveName()(curve);
  const or = (value: number | null): string => (value === null ? t.run.byDefault : f.number(value));
  const facts: Fact[] = [
    [t.form.fields.horizon.label, f.number(horizon)],
    [t.form.fields.curve.label, curve === 'linear' ? name : t.run.curveWith(name, or(k), or(x0))],
    [t.form.sectors, useSectorsText(request)],
    [t.form.search, t.run.searchText(f.number(pop_size), f.number(generations), f.number(mut_rate), f.number(xover_rate))],
    [t.form.fields.samples.label, useDrawsText(results)],
    [t.form.fields.seed.label, <Mono key="seed">{request.seed}</Mono>],
    [t.run.islands, islands.join(', ')],
    [t.run.engine, `${engine.name} ${engine.version}`],
  ];
  return (
    <section aria-labelledby="request">
      <h2 id="request">{t.run.request}</h2>
      <Facts facts={facts} />
      <JsonDetails title={t.run.requestAll} value={request} />
    </section>
  );
}

function useSectorsText({ sectors, num_sectors, energy, entropy }: SimulationRequest): string {
  const { t, f } = useWords();
  if (sectors !== null) return t.run.sectorsGiven(f.number(sectors.length));
  return t.run.sectorsAlike(f.number(num_sectors), f.number(energy), f.number(entropy));
}

function useDrawsText({ draws }: Results): string {
  const { t, f } = useWords();
  if (draws === undefined) return t.run.samplesNone;
  const { samples, pace, steepness } = draws;
  const text = t.run.drawsText(f.number(samples), f.percent(pace.sigma));
  return steepness === null ? text : text + t.run.drawsSteep(f.percent(steepness.sigma));
}

/** What a printed page ends with: which run it is, and the hash of its results. */
function PrintFoot({ results: { id, outcome_hash } }: { readonly results: Results }) {
  const { t } = useWords();
  return (
    <footer class="print-only">
      <Facts
        facts={[
          [t.run.title('').trim(), <Mono>{id}</Mono>],
          [t.run.hash, <Mono>{outcome_hash}</Mono>],
        ]}
      />
    </footer>
  );
}

/** How a run can be checked: its hash, its entry in the journal, and the command that computes it again. */
function Proof({ results }: { readonly results: Results }) {
  const { t, f } = useWords();
  const { id, outcome_hash, journal, request } = results;
  return (
    <section aria-labelledby="proof">
      <h2 id="proof">{t.run.proof}</h2>
      <p>{t.run.proofText}</p>
      <Facts
        facts={[
          [t.run.hash, <Hash key="hash" text={outcome_hash} what={t.run.hash} />],
          [t.run.entry, t.run.entryText(f.number(journal.seq))],
          [t.run.entryHash, <Hash key="entry" text={journal.hash} what={t.run.entryHash} />],
        ]}
      />
      <Check results={results} />
      <CommandLine lines={[verifyCommand(id), simulateCommand(requestOf(draftOf(request)))]} />
      <SaveSectors of={request} />
    </section>
  );
}

const Hash = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <>
    <Mono>{text}</Mono> <CopyButton text={text} what={what} />
  </>
);

function Check({ results: { id, outcome_hash } }: { readonly results: Results }) {
  const { t } = useWords();
  const { api } = useSession();
  const [equal, setEqual] = useState<boolean | null>(null);
  const { busy, problem, run } = useAction();
  const left = useMemo(() => new AbortController(), []);
  useEffect(() => () => left.abort(), []);
  const check = (): void =>
    run(async () => {
      setEqual(null);
      const { blob } = await api.download(`/results/${id}?genome=1`);
      setEqual(await hashMatches(blob, outcome_hash, left.signal));
    });
  return (
    <>
      <Button disabled={busy} onClick={check} text={busy ? t.run.checking : t.run.check} />
      <div role="status">
        {equal !== null && (
          <p class={`notice ${equal ? 'notice-good' : 'notice-bad'}`}>{equal ? `✓ ${t.run.checkGood}` : `✕ ${t.run.checkBad}`}</p>
        )}
      </div>
      {problem !== null && <ProblemBox title={t.failed.check} problem={problem} />}
    </>
  );
}

/** @param whole the results with genomes, as they were sent */
function hashMatches(whole: Blob, recorded: string, signal: AbortSignal): Promise<boolean> {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<boolean>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    worker.addEventListener('message', ({ data }) => resolve(data === true));
    worker.addEventListener('error', ({ message }) => reject(new Error(message)));
    worker.postMessage({ whole, recorded });
  }).finally(() => worker.terminate());
}
