/** The label of a spec, scenario and seed, is what its maker wrote there: it may stand over other series than the built-in ones. */
import { canonicalJson } from '../../base/canonical-json.js';
import { builtInScenarios, type TransferSpec } from '../../codec/transfer.js';
import { builtInSpec } from '../../engines/transfer/scenarios.js';

/** Warns of a built-in scenario's name over a spec that is not the built-in one, with what differs. */
export function labelWarnings(spec: TransferSpec): string[] {
  const known = builtInScenarios.find((name) => name === spec.scenario);
  if (known === undefined) return [];
  const builtIn = builtInSpec(known, spec.seed);
  const names = Object.keys(builtIn) as (keyof TransferSpec)[];
  const others = names.filter((name) => canonicalJson(spec[name]) !== canonicalJson(builtIn[name]));
  if (others.length === 0) return [];
  return [
    `the spec is labelled ${known}, seed ${spec.seed}, but is not the built-in one of that label: it has another ${others.join(', ')}`,
  ];
}
