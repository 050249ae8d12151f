/** A worker process that misbehaves: `worker-child.js URL HOW`. It prints what `agent-cli worker --json` prints. */
import { randomBytes } from 'node:crypto';
import { toHex } from '../../../src/base/bytes.js';
import { readNatsAddress } from '../../../src/codec/nats-url.js';
import { ownRelease } from '../../../src/app/workers/messages.js';
import { runWorker } from '../../../src/app/workers/worker.js';
import { signerFromSeed } from '../../../src/journal/keys.js';
import { openNats } from '../../../src/app/workers/nats.js';
import { no_credentials } from '../../../src/app/workers/nats-credentials.js';

const [url = '', how = ''] = process.argv.slice(2);
const address = readNatsAddress(url);
if (typeof address === 'string') throw new Error(address);
const link = await openNats(address, no_credentials, new AbortController().signal);
if (how === 'twice') {
  const publish = link.publishResult.bind(link);
  link.publishResult = async (job, data, by) => {
    await publish(job, data, by);
    await publish(job, data, `${by}.again`);
  };
}
if (how === 'cut-off') {
  const publish = link.publishResult.bind(link);
  link.publishResult = () => {
    link.publishResult = publish;
    return Promise.reject(new Error('of a test'));
  };
}
if (how === 'vanishes') {
  const next = link.nextJob.bind(link);
  // Gone once the queue has given it a job, before it says so.
  link.nextJob = async (release, ms) => {
    const job = await next(release, ms);
    if (job === null) return null;
    console.log(JSON.stringify({ type: 'taken' }));
    return process.exit(1);
  };
}
const signer = signerFromSeed(randomBytes(32));
const say = (event: object): void => console.log(JSON.stringify(event));
say({ type: 'working', key: toHex(signer.publicKey) });
await runWorker(link, new AbortController().signal, {
  signer,
  release: how === 'other-version' ? '1-0_0_1' : ownRelease,
  threads: 1,
  onEvent: say,
  ...(how === 'lies' || how === 'loops' ? { script: new URL(`./worker-that-${how}.js`, import.meta.url) } : {}),
});
