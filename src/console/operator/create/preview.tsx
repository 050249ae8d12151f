/** The table that a file was read as, with what a person says about its columns, its sheet and its steps. */
import type { IntakeFault, IntakePreview, IntakeOptions } from '../../../codec/api-intake.js';
import type { Kind } from '../../../codec/kinds.js';
import { Check, Select } from '../../kit/controls/inputs.js';
import { Scroll } from '../../kit/controls/pieces.js';
import { kindViews } from '../kinds/table.js';
import { useWords } from '../text/words.js';
import type { Reading } from './intake.js';

interface MenuProps {
  readonly reading: Reading;
  readonly read: (options: IntakeOptions) => void;
  readonly preview: IntakePreview;
}

/** The menus of a table: its sheet, of a series the step, and of jobs the unit of time. */
export function Menus({ reading: { kind, options }, preview, read }: MenuProps) {
  const c = useWords().t.create;
  return (
    <div class="actions intake-menus">
      {preview.sheets !== undefined && (
        <Select
          label={c.sheet}
          value={preview.sheet ?? ''}
          options={preview.sheets.map((sheet) => [sheet, sheet])}
          choose={(sheet) => read({ sheet })}
        />
      )}
      {kind === 'forecast' && (
        <Select
          label={c.every}
          value={options.every ?? ''}
          options={Object.entries(c.steps)}
          // Whether the values are added up or averaged is asked then.
          choose={(every) => read({ ...withoutSteps(options), ...(every === '' ? {} : { every }) })}
        />
      )}
      {options.every !== undefined && (
        <Check
          text={c.keepPartial}
          checked={options.keepPartial === true}
          set={(keepPartial) => read({ ...options, keepPartial })}
        />
      )}
      {kind === 'schedule' && (
        <Select
          label={c.unit}
          value={options.unit ?? 'minute'}
          options={Object.entries(c.units) as readonly (readonly [keyof typeof c.units, string])[]}
          choose={(unit) => read({ ...options, unit })}
        />
      )}
    </div>
  );
}

const withoutSteps = ({
  every: _every,
  sum: _sum,
  mean: _mean,
  keepPartial: _keepPartial,
  ...options
}: IntakeOptions): IntakeOptions => options;

interface PreviewProps {
  readonly kind: Kind;
  readonly preview: IntakePreview;
  readonly faults: readonly IntakeFault[];
  /** Makes a column a member of the mission; empty leaves it out. */
  readonly map: (column: string, member: string) => void;
}

/** The table as it was read, with a menu at each column. */
export function PreviewTable({ kind, preview: { sheet, columns, rows, total }, faults, map }: PreviewProps) {
  const { t, f, language } = useWords();
  const c = t.create;
  const title = sheet === null ? c.preview : c.previewOf(sheet);
  // Members are called as in the table of the form, in which they come to stand.
  const named = Object.values(kindViews[kind].form.tables ?? {}).flatMap((table) => table.columns(language));
  /** A number tells the columns of a table apart that has several machines in a row. */
  const nameOfMember = (member: string): string => {
    const [, name = '', number = ''] = /^(.*?)(\d*)$/.exec(member) ?? [];
    const label = c.members[name] ?? named.find((column) => column.name === name)?.label ?? name;
    return `${label} ${number}`.trimEnd();
  };
  const isFaulty = (row: number, column: string): boolean =>
    faults.some((fault) => fault.column === column && fault.rows.includes(row));
  return (
    <>
      <p class="help">
        {title}. {rows.length < total ? c.firstRows(f.number(rows.length), f.number(total)) : ''}
      </p>
      <Scroll label={title}>
        <table class="data intake-preview" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{c.row}</th>
              {columns.map(({ name, member, members }) => (
                <th key={name} scope="col">
                  <span>{name === '' ? c.unnamed : name}</span>
                  <select
                    aria-label={c.columnIs(name)}
                    value={member ?? ''}
                    onChange={(event) => map(name, event.currentTarget.value)}
                  >
                    <option value="">{c.leftOut}</option>
                    {[...new Set([...(member === null ? [] : [member]), ...members])].map((each) => (
                      <option key={each} value={each}>
                        {nameOfMember(each)}
                      </option>
                    ))}
                  </select>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, cells }) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {columns.map(({ name }, col) => (
                  <td key={name} class={isFaulty(row, name) ? 'intake-bad' : ''}>
                    {cells[col]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
