/** A process that makes changes and tries commands on them, one at a time as it is told: a hang or a crash costs one change. */
import { join } from 'node:path';
import { placeIn } from './change.js';
import { allChanges, type Drawn, drawnChange } from './generate.js';
import type { ProbeName } from './probes.js';
import { Trials, type Tried } from './trial.js';

export interface Task {
  readonly name: string;
  readonly isThorough: boolean;
  readonly turn: number;
  /** The change, if it is none of the sweep's own; tried with the given commands alone. */
  readonly drawn?: Drawn;
  readonly only?: readonly ProbeName[];
}

export type Reply = Tried | 'ready';

const [root = '', folder = ''] = process.argv.slice(2);
const changes = new Map(allChanges(root).map((change) => [change.name, change]));
const trials = await Trials.in(root, folder);
const reply = (message: Reply): void => void process.send?.(message);

process.on('message', ({ name, drawn, ...options }: Task) => {
  const change = drawn === undefined ? changes.get(name) : drawnChange(drawn, placeIn(join(root, 'main')));
  if (change === undefined) throw new Error(`there is no change ${name}`);
  void trials.try(change, options).then(reply);
});
reply('ready');
