/** Chooses what executes a kind: a thread with its engine, or a container. */
import type { Kind } from '../../codec/kinds.js';
import { missionKind } from '../../kinds/table.js';
import type { Home } from '../home/home.js';
import { runOnThread, type RunEngine } from '../threads/engine-thread.js';
import { codeEngineOf } from './engine.js';
import { generatorOf } from './generator.js';

export const engineFor = ({ world: { env }, config }: Pick<Home, 'world' | 'config'>, kind: Kind): RunEngine =>
  missionKind(kind).needsSandbox ? codeEngineOf(env, () => generatorOf(config(), env)) : runOnThread;
