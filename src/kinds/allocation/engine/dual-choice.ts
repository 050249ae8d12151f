/** The relaxation of a few priced rows: the best choice at given prices, with at most one item of each group. */

export interface DualRow {
  readonly weights: Float64Array;
  readonly capacity: number;
}

export interface DualItems {
  /** The value of each item less the prices of its links. */
  readonly gains: Float64Array;
  /** The group of each item, −1 for none. */
  readonly group: Int32Array;
  readonly groups: number;
  /** Only these items may be chosen. */
  readonly usable: Int32Array;
}

/**
 * Returns the items with a gain at these prices, of each group only the best.
 * @param perWeight the price of a unit of each row, in units of `unit`
 * @param gain takes the gain of each usable item, in units of `unit`
 * @param best a place for each group
 */
export function bestChoice(
  items: DualItems,
  rows: readonly DualRow[],
  perWeight: readonly number[],
  unit: number,
  gain: Float64Array,
  best: Int32Array,
): number[] {
  const out: number[] = [];
  best.fill(-1);
  for (const i of items.usable) {
    let left = (items.gains[i] ?? 0) / unit;
    for (let k = 0; k < rows.length; k++) left -= (perWeight[k] ?? 0) * (rows[k]?.weights[i] ?? 0);
    gain[i] = left;
    if (left <= 0) continue;
    const g = items.group[i] ?? -1;
    if (g < 0) out.push(i);
    else if ((best[g] ?? -1) < 0 || left > (gain[best[g] ?? 0] ?? 0)) best[g] = i;
  }
  for (const i of best) if (i >= 0) out.push(i);
  return out;
}
