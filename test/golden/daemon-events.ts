/** What only a daemon records, in the main golden home: envelopes of the message bus, the restart of an agent, and a worker's wrong result. */
import { join } from 'node:path';
import { readEnvelope, recordEnvelope } from '../../src/app/bus/receive.js';
import { RestartRecorder } from '../../src/app/daemon/restarts.js';
import { refuteWorkerKey } from '../../src/app/workers/keys.js';
import { openHome } from '../../src/app/home/home.js';
import { unwrap } from '../../src/base/result.js';
import type { Operator } from './operator.js';
import { workerKeys } from './samples.js';

const large_chars = 70_000;

export async function daemonEvents({ home: directory, folder }: Operator): Promise<void> {
  const env = { ...process.env, AGENT_WITNESS: join(folder, 'witness') };
  const home = openHome({ env, clock: () => Date.now(), directory });
  try {
    for (const payload of [{ task: 'forecast' }, { text: 'a'.repeat(large_chars) }]) {
      const sent = JSON.stringify({ sender: 'planner', recipient: 'market', ts: 1_795_152_700.5, payload });
      await recordEnvelope(home, '127.0.0.1:50000', unwrap(readEnvelope(Buffer.from(sent))));
    }
    const restarts = new RestartRecorder(home, (message) => {
      throw new Error(message);
    });
    restarts.record({ role: 'strategy', restarts: 1, cause: 'unresponsive', work: '0123456789abcdef', reason: 'silence' });
    await restarts.settled();
    await refuteWorkerKey(home, workerKeys[0], 'the result of a job differs from a computation at home', 'agent');
  } finally {
    home.close();
  }
}
