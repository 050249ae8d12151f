/** Chooses what executes a kind: a thread with its engine, or a container. */
import type { Kind } from '../../codec/kinds.js';
import { missionKind } from '../../kinds/table.js';
import type { Home } from '../home/home.js';
import { runOnThread, type RunEngine } from '../threads/engine-thread.js';
import { codeEngineOf } from './engine.js';
import { generatorOf } from './generator.js';

export function engineFor({ world: { env }, config, signer }: Pick<Home, 'world' | 'config' | 'signer'>, kind: Kind): RunEngine {
  if (!missionKind(kind).needsSandbox) return runOnThread;
  return codeEngineOf(env, { generator: () => generatorOf(config(), env), home: signer.identity });
}
