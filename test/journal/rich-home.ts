/** A journal with something of everything, for tests that alter a copy of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configure, pause, resume } from '../../src/app/home/control.js';
import { unwrap } from '../../src/base/result.js';
import { configText, configCodec } from '../../src/codec/config.js';
import { decode } from '../../src/codec/kit.js';
import type { Command } from '../../src/journal/writer.js';
import { sharedHome, submit, submitted, temporaryHome, uuidOf, type TemporaryHome } from '../support/temporary-home.js';

export const newest = 620;

/** Queues mission 1 with its request in a blob. */
const submitApart: Command<number> = (tx) => {
  const request_blob = tx.putBlob(Buffer.from('{"goal":"a source text"}'));
  const { type, document } = submitted('with a blob');
  if (type !== 'mission.submitted') throw new Error('unreachable');
  const { request: _, ...rest } = document;
  return tx.append(uuidOf(1), { type, document: { ...rest, request_blob } }).sequence;
};

/** `newest` entries: single transactions and batches, a replaced configuration, blobs, two complete tiles and the beginning of a third. */
async function makeRichHome(): Promise<TemporaryHome> {
  const made = temporaryHome();
  await made.with(async (home) => {
    const file = join(made.root, 'config-two.json');
    writeFileSync(file, configText(unwrap(decode(configCodec, { name: 'two' }))));
    await pause(home, 'me');
    await configure(home, file, 'me');
    await resume(home, 'me');
    home.writer.transact(submitApart);
    for (let n = 2; home.writer.head.size < newest - 5; n += 50) {
      home.writer.begin();
      home.writer.run(Array.from({ length: Math.min(50, newest - 5 - home.writer.head.size) }, (_, i) => submit(n + i)));
    }
    for (let n = 1_000; home.writer.head.size < newest; n++) home.writer.transact(submit(n));
  });
  return made;
}

const template = sharedHome(makeRichHome);

/** A copy of its own of such a journal, with its witness. */
export const richHome = async (): Promise<TemporaryHome> => (await template.get()).copy();
