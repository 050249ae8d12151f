/**
 * The least Lagrangian bound over the prices of a few rows, exact up to rounding: column generation (Dantzig and Wolfe, Operations
 * Research 8, 1960) over the choices of the relaxation, which ends at a vertex of the dual polytope. Groups stay exact.
 *
 * The master problem seeks the best mix α of relaxed choices that keeps every row: max Σ α v, Σ α = 1, Σ α s ≥ 0 with the slack s of each
 * row. Its simplex multipliers are the prices, at which the next choice is computed.
 */
import { bestChoice, type DualItems, type DualRow } from './dual-choice.js';

// Linear systems of a few unknowns.

/** Solves a square system with its right side in the last column, by elimination with pivoting; null when it is singular. */
function solveLinear(system: Float64Array[], size: number): Float64Array | null {
  for (let c = 0; c < size; c++) {
    let top = c;
    for (let r = c + 1; r < size; r++) if (Math.abs(system[r]?.[c] ?? 0) > Math.abs(system[top]?.[c] ?? 0)) top = r;
    const pivot = system[top];
    const other = system[c];
    if (pivot === undefined || other === undefined || Math.abs(pivot[c] ?? 0) < 1e-13) return null;
    system[top] = other;
    system[c] = pivot;
    for (let r = 0; r < size; r++) {
      const line = system[r];
      if (r === c || line === undefined) continue;
      const by = (line[c] ?? 0) / (pivot[c] ?? 1);
      if (by !== 0) for (let k = c; k <= size; k++) line[k] = (line[k] ?? 0) - by * (pivot[k] ?? 0);
    }
  }
  return Float64Array.from({ length: size }, (_, c) => (system[c]?.[size] ?? 0) / (system[c]?.[c] ?? 1));
}

/** The price of a unit of a row, in scaled units, above which a required row counts as infeasible. */
const price_max = 1e4;
const tolerance = 1e-12;

/**
 * Returns a price for each row, the bound, and the relaxed choices whose mix keeps every row, with their shares: the solution of the linear
 * relaxation.
 * @param spend called with the operations of each step
 */
export const dualVertex = (items: DualItems, rows: readonly DualRow[], steps_max: number, spend: (operations: number) => void) =>
  new Master(items, rows, spend).run(steps_max);

interface Column {
  readonly entries: Float64Array;
  readonly profit: number;
  readonly chosen: readonly number[];
}

class Master {
  private readonly m: number;
  private readonly unit: number;
  private readonly scales: readonly number[];
  private readonly basis: Column[] = [];
  private readonly inverse: Float64Array[] = [];
  private readonly level: Float64Array;
  private readonly gain: Float64Array;
  private readonly best: Int32Array;
  private lowest = Infinity;
  private lowestPrices: Float64Array;

  constructor(
    private readonly items: DualItems,
    private readonly rows: readonly DualRow[],
    private readonly spend: (operations: number) => void,
  ) {
    this.m = rows.length;
    let unit = 0;
    for (const i of items.usable) unit = Math.max(unit, Math.abs(items.gains[i] ?? 0));
    this.unit = unit === 0 ? 1 : unit;
    this.scales = rows.map(({ weights }) => {
      let scale = 0;
      for (const i of items.usable) scale = Math.max(scale, Math.abs(weights[i] ?? 0));
      return scale === 0 ? 1 : scale;
    });
    this.gain = new Float64Array(items.gains.length);
    this.best = new Int32Array(items.groups);
    this.lowestPrices = new Float64Array(this.m);
    this.level = new Float64Array(this.m + 1);
    this.start();
  }

  /** The first basis: the empty choice, and for each row its surplus or the highest price. */
  private start(): void {
    const { m } = this;
    const empty = new Float64Array(m + 1);
    empty[m] = 1;
    for (let k = 0; k < m; k++) empty[k] = (this.rows[k]?.capacity ?? 0) / (this.scales[k] ?? 1);
    for (let k = 0; k < m; k++) {
      const slack = empty[k] ?? 0;
      const sign = slack >= 0 ? -1 : 1;
      this.basis.push(this.unitColumn(k, sign));
      const line = new Float64Array(m + 1);
      line[k] = sign;
      line[m] = -sign * slack;
      this.inverse.push(line);
      this.level[k] = -sign * slack;
    }
    const last = new Float64Array(m + 1);
    last[m] = 1;
    this.inverse.push(last);
    this.basis.push({ entries: empty, profit: 0, chosen: [] });
    this.level[m] = 1;
  }

  /** Returns the column of a row's surplus (sign −1), or of its highest price (sign 1). */
  private unitColumn(k: number, sign: number): Column {
    const entries = new Float64Array(this.m + 1);
    entries[k] = sign;
    return { entries, profit: sign < 0 ? 0 : -price_max, chosen: [] };
  }

  run(steps_max: number) {
    for (let step = 0; step < steps_max; step++) {
      const duals = this.duals();
      const outside = this.outside(duals);
      if (outside !== null) {
        if (!this.enter(outside)) break;
        continue;
      }
      const column = this.relaxed(duals.subarray(0, this.m).map((x) => Math.max(0, -x)));
      const surplus = column.profit - this.priced(column, duals);
      if (surplus <= tolerance * Math.max(1, Math.abs(duals[this.m] ?? 0))) break;
      if (!this.enter(column)) break;
    }
    this.refine();
    const prices = this.lowestPrices.map((price, k) => (price * this.unit) / (this.scales[k] ?? 1));
    const mix = this.basis.map(({ chosen }, r) => ({ share: this.level[r] ?? 0, chosen }));
    return { prices, bound: this.lowest * this.unit, mix };
  }

  /** Returns the multipliers of the rows, which are the prices with their signs changed, and of Σ α = 1. */
  private duals(): Float64Array {
    const out = new Float64Array(this.m + 1);
    for (let r = 0; r <= this.m; r++) {
      const profit = this.basis[r]?.profit ?? 0;
      const line = this.inverse[r] ?? out;
      if (profit !== 0) for (let k = 0; k <= this.m; k++) out[k] = (out[k] ?? 0) + profit * (line[k] ?? 0);
    }
    return out;
  }

  /** Returns the column of the first price outside its range, or null. */
  private outside(duals: Float64Array): Column | null {
    for (let k = 0; k < this.m; k++) {
      if ((duals[k] ?? 0) > 1e-9) return this.unitColumn(k, -1);
      if (-(duals[k] ?? 0) > price_max * (1 + 1e-9)) return this.unitColumn(k, 1);
    }
    return null;
  }

  private priced(column: Column, duals: Float64Array): number {
    let sum = 0;
    for (let k = 0; k <= this.m; k++) sum += (column.entries[k] ?? 0) * (duals[k] ?? 0);
    return sum;
  }

  /** Returns the relaxation's choice at these prices as a column; keeps the prices with the lowest bound. */
  private relaxed(prices: Float64Array, margin = 0): Column {
    const { items, m, gain } = this;
    const perWeight = this.rows.map((_, k) => (prices[k] ?? 0) / (this.scales[k] ?? 1));
    const chosen = bestChoice(items, this.rows, perWeight, this.unit, gain, this.best);
    const entries = new Float64Array(m + 1);
    entries[m] = 1;
    let value = 0;
    let bound = 0;
    for (let k = 0; k < m; k++) {
      const row = this.rows[k];
      let left = row?.capacity ?? 0;
      for (const i of chosen) left -= row?.weights[i] ?? 0;
      entries[k] = left / (this.scales[k] ?? 1);
      bound += (prices[k] ?? 0) * ((row?.capacity ?? 0) / (this.scales[k] ?? 1));
    }
    for (const i of chosen) {
      value += (items.gains[i] ?? 0) / this.unit;
      bound += gain[i] ?? 0;
    }
    if (bound < this.lowest + margin * Math.abs(bound)) {
      this.lowest = bound;
      this.lowestPrices = prices;
    }
    this.spend((items.usable.length + chosen.length) * (2 + m) + items.groups + 4 * (m + 1) * (m + 1));
    return { entries, profit: value, chosen };
  }

  /** Exchanges a column of the basis for this one; returns false when none can leave. */
  private enter(column: Column): boolean {
    const { m } = this;
    const direction = this.inverse.map((line) => this.priced(column, line));
    let leaving = -1;
    let ratio = Infinity;
    for (let r = 0; r <= m; r++) {
      const d = direction[r] ?? 0;
      if (d <= 1e-11) continue;
      const q = Math.max(0, this.level[r] ?? 0) / d;
      if (q < ratio || (q === ratio && d > (direction[leaving] ?? 0))) {
        ratio = q;
        leaving = r;
      }
    }
    const pivot = this.inverse[leaving];
    if (pivot === undefined) return false;
    const by = direction[leaving] ?? 1;
    for (let k = 0; k <= m; k++) pivot[k] = (pivot[k] ?? 0) / by;
    for (let r = 0; r <= m; r++) {
      const d = direction[r] ?? 0;
      const line = this.inverse[r];
      if (r === leaving || line === undefined) continue;
      for (let k = 0; k <= m; k++) line[k] = (line[k] ?? 0) - d * (pivot[k] ?? 0);
      this.level[r] = (this.level[r] ?? 0) - d * ratio;
    }
    this.level[leaving] = ratio;
    this.basis[leaving] = column;
    return true;
  }

  /** Solves the prices of the last basis again from its columns, without the errors of the exchanges. */
  private refine(): void {
    const size = this.m + 1;
    const system = this.basis.map(({ entries, profit }) => Float64Array.from([...entries, profit]));
    const duals = solveLinear(system, size);
    if (duals === null) return;
    const prices = duals.subarray(0, this.m).map((dual) => (-dual < 1e-13 ? 0 : -dual));
    this.relaxed(prices, 1e-11);
  }
}
