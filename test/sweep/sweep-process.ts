/** A process that makes changes and tries commands on them, one at a time as it is told: a hang or a crash costs one change. */
import { mkdirSync } from 'node:fs';
import { allChanges } from './generate.js';
import { Trials, type Tried } from './trial.js';

export interface Task {
  readonly name: string;
  readonly isThorough: boolean;
  readonly turn: number;
}

export type Reply = Tried | 'ready';

const [root = '', folder = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const changes = new Map(allChanges(root).map((change) => [change.name, change]));
const trials = await Trials.in(root, folder);
const reply = (message: Reply): void => void process.send?.(message);

process.on('message', ({ name, ...options }: Task) => {
  const change = changes.get(name);
  if (change === undefined) throw new Error(`there is no change ${name}`);
  void trials.try(change, options).then(reply);
});
reply('ready');
