/** The model provider as `doctor` sees it: what is configured, and with `--probe` whether it lists the model. */
import { isRefused } from '../../base/result.js';
import type { Check, DoctorReport } from '../../codec/api-status.js';
import type { Config } from '../../codec/config.js';
import { probeModel } from '../../provider/complete.js';
import type { Home } from '../home/home.js';
import { providerOf } from '../home/config.js';

const name = 'provider';

/** Returns the configuration, or null for a damaged one: the configuration and the entries have checks of their own. */
export const readableConfig = ({ faults, config }: Home): Config | null =>
  faults.config === null && faults.entries === null ? config() : null;

/** Returns the check of a provider that is configured, without a request to it. */
export function providerCheck(home: Home): Check[] {
  const config = readableConfig(home);
  const provider = config === null ? null : providerOf(config, home.world.env);
  if (config === null || provider === null) return [];
  if (isRefused(provider))
    return [{ name, status: 'fail', detail: provider.left.detail, fix: `set ${config.llm_key_env} to the key, or unset it` }];
  if (provider.right === null) return [];
  const { model, mode, key, allowRemote } = provider.right;
  const said = `${model}, ${mode}, ${key === null ? `no key in ${config.llm_key_env}` : `key from ${config.llm_key_env}`}`;
  if (allowRemote && key === null && !config.llm_url.startsWith('http:'))
    return [{ name, status: 'warn', detail: `${said}; most remote providers want one`, fix: `set ${config.llm_key_env}` }];
  return [{ name, status: 'ok', detail: `${said}; not contacted (doctor --probe checks that it lists the model)`, fix: null }];
}

/** Returns the report with a check that asks the provider for its models. No mission's text is sent. */
export async function withProbe(home: Home, report: DoctorReport): Promise<DoctorReport> {
  const probed = await probe(home);
  if (probed === null) return report;
  const { checks } = report;
  const isThere = checks.some((check) => check.name === name);
  return { ...report, checks: isThere ? checks.map((check) => (check.name === name ? probed : check)) : [...checks, probed] };
}

/** The command that leads to another configuration. */
const reconfigure = 'agent-cli pause, then agent-cli configure FILE';

async function probe(home: Home): Promise<Check | null> {
  const config = readableConfig(home);
  const provider = config === null ? null : providerOf(config, home.world.env);
  if (config === null || provider === null || isRefused(provider)) return null;
  if (provider.right === null)
    return { name, status: 'warn', detail: 'llm_url is not set, so there is nothing to probe', fix: null };
  const { model } = provider.right;
  const listed = await probeModel(provider.right, { deadline_ms: config.llm_timeout * 1_000 });
  if (isRefused(listed)) return { name, status: 'fail', detail: listed.left.detail, fix: reconfigure };
  switch (listed.right) {
    case true:
      return { name, status: 'ok', detail: `it lists the model ${model}`, fix: null };
    case false:
      return { name, status: 'fail', detail: `it does not list the model ${model}`, fix: reconfigure };
    default:
      return {
        name,
        status: 'warn',
        detail: `it responds, but has no list of models: whether it has ${model} is not known`,
        fix: null,
      };
  }
}
