/** What must be in order before a candidate may run: the signed configuration, the tool, and a sandbox that passed its self-test. */
import type { Refusal } from '../../base/refusal.js';
import { RefusalError, unwrap } from '../../base/result.js';
import type { Config } from '../../codec/config.js';
import { pausedRefusal } from '../../domain/mission-decide.js';
import { readControl } from '../../rows/control.js';
import type { Home } from '../home/home.js';
import { toolRefusal } from '../tools/require.js';
import { generatorOf } from './generator.js';
import { requireSandbox } from './sandbox.js';

const notAllowed: Refusal = {
  code: 'code_not_allowed',
  detail: 'the configuration does not allow code execution (allow_code_execution is false)',
  hint: 'set allow_code_execution to true in the configuration: agent-cli pause, then agent-cli configure FILE, then agent-cli resume',
};

export const codeRefusal = ({ allow_code_execution }: Pick<Config, 'allow_code_execution'>): Refusal | null =>
  allow_code_execution ? null : notAllowed;

/**
 * @param mustGenerate whether a language model is to write the candidate
 * @throws RefusalError `paused`, `code_not_allowed`, `tool_disabled`, `provider_unconfigured` or `engine_unavailable`
 */
export async function requireCode(home: Home, mustGenerate: boolean): Promise<void> {
  if (readControl(home.db).state === 'paused') throw new RefusalError(pausedRefusal);
  const config = home.config();
  const refusal =
    toolRefusal(home.db, 'mission_code') ??
    codeRefusal(config) ??
    toolRefusal(home.db, 'container_run') ??
    (mustGenerate ? toolRefusal(home.db, 'provider_call') : null);
  if (refusal === null && mustGenerate) unwrap(generatorOf(config, home.world.env));
  if (refusal !== null) throw new RefusalError(refusal);
  await requireSandbox(home.world.env);
}
