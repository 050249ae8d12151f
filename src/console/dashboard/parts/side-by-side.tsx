/** Tables that have a column for each run. */
import { useMemo, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { DataTable } from '../../kit/charts/table.js';
import type { Results } from '../../../codec/api-simulation.js';
import { fieldRows, sectorRows, type Disruption, type FieldValue, type RequestField } from '../pure/differences.js';
import { shownName } from '../pure/results.js';
import { sized } from '../pure/unit.js';
import { useWords } from '../text/words.js';
import { useCurveName } from './curve-name.js';
import { Turn } from './turn.js';
import { pageOf } from './page-of.js';

interface Runs {
  readonly runs: readonly Results[];
}

const sector_rows = 25;

/** Marks a row for eyes and for screen readers. */
function Name({ name, differs }: { readonly name: ComponentChildren; readonly differs: boolean }) {
  const { t } = useWords();
  return (
    <>
      <span class="row-name">{name}</span>
      {differs && <span class="differs"> {t.compare.differs}</span>}
    </>
  );
}

function OnlyDifferences({ on, change }: { readonly on: boolean; readonly change: (on: boolean) => void }) {
  const { t } = useWords();
  return (
    <label class="check">
      <input type="checkbox" checked={on} onChange={(event) => change(event.currentTarget.checked)} />
      {t.compare.onlyDifferences}
    </label>
  );
}

const useHead = (first: string, runs: readonly Results[]): string[] => {
  const { t, f } = useWords();
  return [first, ...runs.map((_, i) => t.compare.run(f.number(i + 1)))];
};

export function Requests({ runs }: Runs) {
  const { t } = useWords();
  const [only, setOnly] = useState(false);
  const head = useHead(t.compare.field, runs);
  const nameOf = useFieldNames();
  const print = useFieldText();
  const rows = fieldRows(runs).filter(({ differs }) => differs || !only);
  return (
    <>
      <OnlyDifferences on={only} change={setOnly} />
      {rows.length === 0 ? (
        <p>{t.compare.same}</p>
      ) : (
        <DataTable
          label={t.compare.request}
          head={head}
          rows={rows.map(({ field, values, differs }) => [<Name name={nameOf(field)} differs={differs} />, ...values.map(print)])}
        />
      )}
    </>
  );
}

/** Names the members as the form does. */
function useFieldNames(): (field: RequestField) => string {
  const { t } = useWords();
  return (field) => {
    if (field === 'sectors') return t.form.sectors;
    return field === 'islands' ? t.run.islands : t.form.fields[field].label;
  };
}

function useFieldText(): (value: FieldValue) => string {
  const { t, f } = useWords();
  const nameOf = useCurveName();
  return (value) => {
    switch (value.kind) {
      case 'number':
        return value.own ? t.compare.own(f.number(value.value)) : f.number(value.value);
      case 'curve':
        return nameOf(value.value);
      case 'sectors':
        return value.named ? t.compare.named(f.number(value.count)) : t.compare.generated(f.number(value.count));
      case 'names':
        return value.value.join(', ');
      case 'unused':
        return t.compare.unused;
    }
  };
}

export function Outcomes({ runs }: Runs) {
  const { t, f } = useWords();
  const head = useHead(t.compare.outcome, runs);
  const count = <A,>(all: readonly A[], has: (one: A) => boolean): string =>
    t.run.ofSectors(f.number(all.filter(has).length), f.number(all.length));
  return (
    <>
      <DataTable
        label={t.compare.outcome}
        head={head}
        rows={[
          [
            t.run.hypervolume,
            ...runs.map(({ hypervolume }) => (hypervolume === null ? t.compare.noVolume : sized(hypervolume, f.number))),
          ],
          [t.run.front, ...runs.map(({ population }) => count(population, ({ rank }) => rank === 0))],
          [t.run.disrupted, ...runs.map(({ sectors }) => count(sectors, ({ disrupted_year: year }) => year !== null))],
        ]}
      />
      <p class="help">{t.compare.hypervolumeText}</p>
    </>
  );
}

export function Sectors({ runs }: Runs) {
  const { t, f } = useWords();
  const [only, setOnly] = useState(false);
  const [wanted, setWanted] = useState(0);
  const head = useHead(t.compare.sector, runs);
  const all = useMemo(() => sectorRows(runs), [runs]);
  const rows = only ? all.filter(({ differs }) => differs) : all;
  const { items, page, pages } = pageOf(rows, wanted, sector_rows);
  const print = (year: Disruption): ComponentChildren => {
    if (year !== undefined) return year === null ? t.sectors.never : f.number(year);
    return (
      <>
        <span aria-hidden="true">–</span>
        <span class="sr-only">{t.compare.absent}</span>
      </>
    );
  };
  return (
    <>
      <OnlyDifferences on={only} change={setOnly} />
      {rows.length === 0 ? (
        <p>{t.compare.sameYears}</p>
      ) : (
        <DataTable
          label={t.compare.years}
          head={head}
          rows={items.map(({ name, years, differs }) => [<Name name={shownName(name)} differs={differs} />, ...years.map(print)])}
        />
      )}
      <Turn label={t.population.pages} page={page} pages={pages} size={sector_rows} count={rows.length} turn={setWanted} />
    </>
  );
}
