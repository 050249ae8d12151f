/**
 * The label of a spec: its scenario and seed. The author of the spec chooses it, so it may name a built-in scenario although the
 * series differ.
 */
import { canonicalJson } from '../../base/canonical-json.js';
import { builtInScenarios, type TransferSpec } from '../../codec/transfer.js';
import { builtInSpec } from '../../engines/transfer/scenarios.js';

/** Warns when a spec has a built-in scenario's name but differs from the built-in spec, and names the differences. */
export function labelWarnings(spec: TransferSpec): string[] {
  const known = builtInScenarios.find((name) => name === spec.scenario);
  if (known === undefined) return [];
  const builtIn = builtInSpec(known, spec.seed);
  const names = Object.keys(builtIn) as (keyof TransferSpec)[];
  const others = names.filter((name) => canonicalJson(spec[name]) !== canonicalJson(builtIn[name]));
  if (others.length === 0) return [];
  return [
    `the spec is labelled ${known}, seed ${spec.seed}, but differs from the built-in one of that label in ${others.join(', ')}`,
  ];
}
