/** Reads an untrusted schedule result: exactly its fields, each of its type, every count and time a safe integer. */
import type { Prices } from './prices.js';

export interface Row {
  readonly job: string;
  readonly operation: number;
  readonly machine: string;
  readonly start: number;
  readonly end: number;
}

export interface Claim {
  readonly method: string;
  readonly rows: readonly Row[];
  readonly makespan: number;
  readonly tardiness: number;
  readonly lower_bound: number;
  readonly gap: number;
  readonly optimality_proven: unknown;
  readonly baseline: number;
  readonly improvement: number;
  readonly iterations: number;
  readonly utilisation: ReadonlyMap<string, number>;
  readonly unit: string;
  readonly limits: readonly string[];
  readonly iterations_max: number;
  readonly iterations_formula: string;
  readonly certificate: ClaimedCertificate | null;
}

/** The tree of a refutation, or prices of a machine's time. */
export type ClaimedCertificate = { readonly refutation: string } | Prices;

class ShapeError extends Error {}

const resultKeys =
  'baseline certificate gap improvement iterations iterations_formula iterations_max limits lower_bound makespan method operations ' +
  'optimality_proven tardiness unit utilisation';
const rowKeys = 'end job machine operation start';

/** Returns the claim, or a description of what is wrong with its shape. */
export function readClaim(value: unknown): Claim | string {
  try {
    return claimOf(value);
  } catch (error) {
    if (error instanceof ShapeError) return error.message;
    throw error;
  }
}

function claimOf(value: unknown): Claim {
  const r = members(value, 'the result', resultKeys);
  return {
    method: text(r['method'], 'method'),
    rows: list(r['operations'], 'operations').map(rowOf),
    makespan: integer(r['makespan'], 'makespan'),
    tardiness: integer(r['tardiness'], 'tardiness'),
    lower_bound: integer(r['lower_bound'], 'lower_bound'),
    gap: number(r['gap'], 'gap'),
    optimality_proven: r['optimality_proven'],
    baseline: integer(r['baseline'], 'baseline'),
    improvement: number(r['improvement'], 'improvement'),
    iterations: integer(r['iterations'], 'iterations'),
    utilisation: sharesOf(r['utilisation']),
    unit: text(r['unit'], 'unit'),
    limits: list(r['limits'], 'limits').map((one, i) => text(one, `limits[${i}]`)),
    iterations_max: integer(r['iterations_max'], 'iterations_max'),
    iterations_formula: text(r['iterations_formula'], 'iterations_formula'),
    certificate: r['certificate'] === null ? null : certificateOf(r['certificate']),
  };
}

function certificateOf(value: unknown): ClaimedCertificate {
  if (Object.hasOwn(record(value, 'certificate'), 'refutation')) {
    return { refutation: text(members(value, 'certificate', 'refutation')['refutation'], 'certificate.refutation') };
  }
  const r = members(value, 'certificate', 'from machine prices scale width');
  return {
    machine: text(r['machine'], 'certificate.machine'),
    from: integer(r['from'], 'certificate.from'),
    width: integer(r['width'], 'certificate.width'),
    scale: integer(r['scale'], 'certificate.scale'),
    prices: list(r['prices'], 'certificate.prices').map((price, i) => integer(price, `certificate.prices[${i}]`)),
  };
}

function rowOf(value: unknown, i: number): Row {
  const path = `operations[${i}]`;
  const r = members(value, path, rowKeys);
  return {
    job: text(r['job'], `${path}.job`),
    operation: integer(r['operation'], `${path}.operation`),
    machine: text(r['machine'], `${path}.machine`),
    start: integer(r['start'], `${path}.start`),
    end: integer(r['end'], `${path}.end`),
  };
}

const sharesOf = (value: unknown): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(record(value, 'utilisation')).map(([machine, share]) => [machine, number(share, `utilisation.${machine}`)]),
  );

function members(value: unknown, path: string, keys: string): Record<string, unknown> {
  const object = record(value, path);
  if (Object.keys(object).sort().join(' ') !== keys) throw new ShapeError(`${path} must have exactly the members ${keys}`);
  return object;
}

function record(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError(`${path} is not an object`);
  return value as Record<string, unknown>;
}

function list(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ShapeError(`${path} is not a list`);
  return value as readonly unknown[];
}

function text(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new ShapeError(`${path} is not a text`);
  return value;
}

function number(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ShapeError(`${path} is not a number`);
  return value;
}

function integer(value: unknown, path: string): number {
  const n = number(value, path);
  if (!Number.isSafeInteger(n)) throw new ShapeError(`${path} is not an integer`);
  return n;
}
