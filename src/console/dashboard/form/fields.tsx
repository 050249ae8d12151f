/** The fields of a request that are single values. */
import * as E from 'fp-ts/lib/Either.js';
import { useId } from 'preact/hooks';
import { localProblem } from '../../kit/api/problem.js';
import { useAnnounce } from '../../kit/controls/announce.js';
import { Segmented } from '../../kit/controls/inputs.js';
import { ProblemBox } from '../../kit/controls/problem.js';
import { Members } from '../../kit/forms/fields.js';
import type { Cells } from '../../kit/grid/cells.js';
import { TableField } from '../../kit/grid/grid.js';
import { useAction } from '../../kit/load.js';
import type { Draft, Group } from '../pure/draft.js';
import { membersOf, requestFields, sectorCellOf, sectorMembers, sectorsOfFile, sectorWays } from '../pure/draft.js';
import { useWords } from '../text/words.js';

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
