/** The fields of a request that are single values. */
import { Segmented } from '../../kit/controls/inputs.js';
import { Field, Members, Rows } from '../../kit/forms/fields.js';
import {
  type Draft,
  emptySector,
  type Group,
  jsonList,
  membersOf,
  requestFields,
  requestOf,
  rowOf,
  sector_rows_max,
  sectorFields,
  type SectorWay,
  sectorWays,
} from '../pure/draft.js';
import { useWords } from '../text/words.js';

interface FieldsProps {
  readonly draft: Draft;
  readonly set: (part: Partial<Draft>) => void;
}

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

/** The sectors of a request: alike and by number, one by one, or as a pasted JSON list. */
const sectorMembers = ['name', 'energy', 'entropy', 'growth'] as const;

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
        choose={(way) => set(turned(draft, way))}
      />
      {draft.way === 'alike' && <GroupFields group="alike" draft={draft} set={set} />}
      {draft.way === 'rows' && <SectorRows draft={draft} set={set} />}
      {draft.way === 'json' && <AsJson draft={draft} set={set} />}
    </fieldset>
  );
}

/** Switches the way in which sectors are given, and keeps what the new way can express. */
function turned(draft: Draft, way: SectorWay): Partial<Draft> {
  if (way === 'json' && draft.way === 'rows' && draft.rows.length > 0)
    return { way, json: JSON.stringify(requestOf(draft)['sectors'], null, 1) };
  if (way !== 'rows') return { way };
  const read = draft.way === 'json' ? jsonList(draft.json) : null;
  if (read !== null && 'list' in read) return { way, rows: read.list.map(rowOf) };
  return { way, rows: draft.rows.length === 0 ? [emptySector] : draft.rows };
}

function SectorRows({ draft: { rows }, set }: FieldsProps) {
  const { t, f } = useWords();
  const c = t.form;
  if (rows.length > sector_rows_max)
    return <p class="notice notice-warn">{c.tooMany(f.number(rows.length), f.number(sector_rows_max))}</p>;
  return (
    <>
      <Rows path="sectors" title={c.ways.rows} what={c.sector} rows={rows} set={(all) => set({ rows: all })} empty={emptySector}>
        {(row, change, path) => (
          <Members
            small
            names={sectorMembers}
            fields={sectorFields}
            within={`${path}.`}
            words={c.sectorFields}
            texts={row}
            set={change}
          />
        )}
      </Rows>
      <p class="help">{rows.length === 0 ? c.noRows : c.fields.entropy.hint}</p>
    </>
  );
}

function AsJson({ draft: { json }, set }: FieldsProps) {
  const { t, f } = useWords();
  const c = t.form;
  const read = jsonList(json);
  const said =
    'list' in read
      ? c.jsonRead(read.list.length, f.number(read.list.length), rowOf(read.list[0]).name)
      : c.jsonFaults[read.fault];
  return (
    <Field
      mono
      path="sectors"
      label={c.json}
      hint={c.jsonHint}
      read={said}
      rows={8}
      value={json}
      set={(text) => set({ json: text })}
    />
  );
}
