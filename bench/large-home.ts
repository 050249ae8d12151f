/** Homes of many entries, with which the benches measure the start of commands. */
import { randomUUID } from 'node:crypto';
import { sha256Hex } from '../src/base/bytes.js';
import { openHome } from '../src/app/home/open.js';
import type { World } from '../src/app/home/home.js';
import { initHome } from '../src/app/home/init.js';
import type { Command } from '../src/journal/writer.js';

const batch = 1_000;

/** Queues a mission, in an entry with a body of 900 bytes. */
const submit: Command<null> = (tx) => {
  const id = randomUUID();
  const request = { goal: 'x'.repeat(310), seed: 1, work: { kind: 'forecast', unit: 'units' } };
  const document = { kind: 'forecast', goal: 'a goal', request, request_hash: sha256Hex(id), actor: 'operator' } as const;
  tx.append(id, { type: 'mission.submitted', document });
  return null;
};

/** Makes a home with so many entries, each in a stream of its own. */
export function makeHome(world: World, entries: number): void {
  initHome(world);
  const home = openHome(world);
  while (home.writer.head.size < entries) {
    home.writer.begin();
    home.writer.run(Array.from({ length: Math.min(batch, entries - home.writer.head.size) }, () => submit));
    home.moveSnapshot();
  }
  home.close();
}
