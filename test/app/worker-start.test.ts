/** A worker that cannot have its key, and one that cannot take jobs. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWorker } from '../../src/app/worker/start.js';
import { runWorker, type WorkerEvent } from '../../src/app/worker/worker.js';
import { RefusalError } from '../../src/base/result.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import type { NatsLink } from '../../src/nats/link.js';
import { folderForEach } from '../support/temporary-home.js';

const folder = folderForEach();

describe('a worker', () => {
  const refusal = async (keyFile: string): Promise<RefusalError['refusal']> => {
    const controller = new AbortController();
    const given = {
      url: 'nats://127.0.0.1:1',
      threads: 1,
      env: {},
      signal: controller.signal,
      onEvent: () => controller.abort(),
    };
    try {
      await startWorker({ ...given, keyFile });
    } catch (error) {
      if (error instanceof RefusalError) return error.refusal;
      throw error;
    }
    throw new Error('it was started');
  };

  it('names the key file that cannot be made', async () => {
    const [missing, within, long] = ['nowhere/w.key', 'file/w.key', 'k'.repeat(250)].map((name) => join(folder.get(), name));
    writeFileSync(join(folder.get(), 'file'), '');
    assert.deepEqual(await refusal(missing ?? ''), { code: 'not_found', detail: `${missing}: no such directory` });
    assert.deepEqual(await refusal(within ?? ''), { code: 'not_found', detail: `${within}: no such directory` });
    assert.deepEqual(await refusal(long ?? ''), { code: 'invalid', detail: `${long}: the name is too long` });
  });

  it('reports the first of each failure to take jobs', async () => {
    const controller = new AbortController();
    const events: WorkerEvent[] = [];
    const failures = ['no stream', 'no stream', 'not allowed'];
    const link = {
      onCall: () => undefined,
      onTaskEnded: () => undefined,
      beat: () => undefined,
      nextJob: async () => {
        const [message] = failures.splice(0, 1);
        if (message !== undefined) throw new Error(message);
        controller.abort();
        return null;
      },
    } as unknown as NatsLink;
    const signer = signerFromSeed(randomBytes(32));
    await runWorker(link, controller.signal, { signer, release: '1', threads: 1, onEvent: (event) => void events.push(event) });
    assert.deepEqual(events, [
      { type: 'failing', why: 'no stream' },
      { type: 'failing', why: 'not allowed' },
    ]);
  });
});
