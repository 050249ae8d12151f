/** What can be executed, by mission kind, and what executes it. */
import { isRefused } from '../../base/refusal.js';
import type { Capability } from '../../codec/api-status.js';
import type { Config } from '../../codec/config.js';
import { kinds, type Kind } from '../../codec/kinds.js';
import { missionKind } from '../../kinds/table.js';
import type { World } from '../home/home.js';
import { providerOf } from '../home/config.js';
import { isComputedByWorkers } from '../workers/mission-queue.js';

/** @param config null where it cannot be read: then code is not allowed, and no model is configured */
export const capabilitiesOf = (config: Config | null, env: World['env']): readonly Capability[] =>
  kinds.map((kind) => capabilityOf(kind, config, env));

/** Returns which workers a kind's engine runs on, unless it runs on this machine. */
const where = (kind: Kind, config: Config | null): string =>
  config === null || !isComputedByWorkers(config, kind) ? '' : ` on the workers of ${config.execution}`;

function capabilityOf(kind: Kind, config: Config | null, env: World['env']): Capability {
  const { solver, needsSandbox, usesProvider } = missionKind(kind);
  if (needsSandbox && config?.allow_code_execution !== true)
    return { kind, available: false, detail: 'the configuration does not allow code execution' };
  if (solver === null) return { kind, available: false, detail: 'no engine in this version' };
  const named = ({ name, version }: { readonly name: string; readonly version: string }): string => `${name} ${version}`;
  const provider = config === null || !usesProvider ? null : providerOf(config, env);
  if (provider !== null && isRefused(provider)) return { kind, available: false, detail: provider.left.detail };
  const settings = provider?.right ?? null;
  if (settings === null || solver.model === undefined)
    return { kind, available: true, detail: `${named(solver.engine)}${where(kind, config)}` };
  return { kind, available: true, detail: `${named(solver.model.engine)} with the model ${settings.model}` };
}
