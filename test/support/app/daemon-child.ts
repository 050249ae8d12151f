/**
 * Processes beside a daemon: `executing` is a daemon whose one mission executes for ever, `command` a command that executes one, `writing` holds the journal's write lock,
 * `append N` records N missions. Each prints `ready` and what else it has to say, and ends with its standard input.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startDaemon } from '../../../src/app/daemon/daemon.js';
import { openHome } from '../../../src/app/home/open.js';
import type { World } from '../../../src/app/home/home.js';
import { homePaths } from '../../../src/home/paths.js';
import { openDatabase } from '../../../src/store/database.js';
import { leftRunning, queued } from './given-home.js';
import { heldEngine, unverified } from './given-daemon.js';
import { submit } from './temporary-home.js';

const ended = async (): Promise<void> => {
  process.stdin.resume();
  await once(process.stdin, 'end');
};

async function executing(world: World): Promise<void> {
  const daemon = await startDaemon(world, { ...unverified, onWarning: console.error, runEngine: heldEngine().engine });
  const { id } = await queued(daemon.home);
  await daemon.executions.request(id, 'ada');
  console.log(`ready ${id}`);
  await ended();
}

async function command(world: World): Promise<void> {
  const home = openHome(world);
  const { id } = await queued(home);
  await leftRunning(home, id);
  console.log(`ready ${id}`);
  await ended();
}

async function writing(directory: string): Promise<void> {
  const db = openDatabase(homePaths(directory).journal);
  db.exec('BEGIN IMMEDIATE');
  console.log('ready');
  await ended();
  db.exec('ROLLBACK');
  db.close();
}

async function append(world: World, count: number): Promise<void> {
  const home = openHome(world);
  console.log('ready');
  for (let i = 0; i < count; i++) {
    await home.transact(submit(1_000_000 + i));
    if (i % 20 === 19) await sleep(20);
  }
  home.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [mode = '', directory = '', figure = '0'] = process.argv.slice(2);
  const world: World = { env: process.env, clock: () => Date.now(), directory };
  if (mode === 'executing') await executing(world);
  else if (mode === 'command') await command(world);
  else if (mode === 'writing') await writing(directory);
  else await append(world, Number(figure));
}
