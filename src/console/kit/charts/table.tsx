/** A table of texts and figures: the first column names the row, numbers are aligned to the right. */
import type { ComponentChildren } from 'preact';
import { Scroll } from '../controls/pieces.js';

interface DataTableProps {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** Columns, counted from 0, that hold text. */
  readonly texts?: readonly number[];
}

export function DataTable({ label, head, rows, texts = [0] }: DataTableProps) {
  const of = (column: number): string => (texts.includes(column) ? '' : 'numeric');
  return (
    <Scroll label={label}>
      <table class="data">
        <caption class="sr-only">{label}</caption>
        <thead>
          <tr>
            {head.map((name, i) => (
              <th scope="col" class={of(i)} key={i}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, r) => (
            <tr key={r}>
              {cells.map((cell, i) =>
                i === 0 ? (
                  <th scope="row" class={of(i)} key={i}>
                    {cell}
                  </th>
                ) : (
                  <td class={of(i)} key={i}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** A share of one as a bar beside its figure; the figure says it, the bar only shows it. */
export function Bar({ share, tone = '' }: { readonly share: number; readonly tone?: string }) {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return (
    <svg class={`bar ${tone}`} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-room" x="0" y="0" width="100" height="8" />
      <rect class="bar-fill" x="0" y="0" width={width} height="8" />
    </svg>
  );
}
