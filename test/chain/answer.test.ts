/** Answers of a node: small ones are decoded at once, large ones on a thread, with the same outcome. */
import assert from 'node:assert/strict';
import { chain_answer_inline_bytes_max, decodeBounded } from '../../src/chain/node.js';
import { type Asked, ChainError } from '../../src/chain/answer.js';
import { hang_ms } from '../support/wait.js';

const asked: Asked<'receipt'> = { method: 'eth_getTransactionReceipt', id: 1, form: 'receipt' };
const hash = `0x${'ab'.repeat(32)}`;
const receipt = { transactionHash: hash, blockHash: hash, blockNumber: '0x10', status: '0x1', logs: [] };
const large = ' '.repeat(chain_answer_inline_bytes_max);

const bytesOf = (result: unknown, padding = ''): Buffer =>
  Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result }) + padding);
/** Odd JSON of 1.6 MB, which takes a second to read. */
const slow = (): Buffer =>
  bytesOf({ ...receipt, ...Object.fromEntries(Array.from({ length: 150_000 }, (_, i) => [`k${i}`, 0])) });

async function refused(answer: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(answer, (error) => {
    assert.ok(error instanceof ChainError && error.verdict === 'unreachable', String(error));
    assert.match(error.message, message);
    return true;
  });
}

describe('the response of a node', () => {
  const bounds = { ms_max: hang_ms };
  for (const [size, padding] of [
    ['small', ''],
    ['large', large],
  ] as const) {
    it(`is decoded when it is ${size}`, async () => {
      assert.deepEqual(await decodeBounded(bytesOf(receipt, padding), asked, bounds), { ...receipt, blockNumber: 16 });
      assert.equal(await decodeBounded(bytesOf(null, padding), asked, bounds), null);
    });

    it(`is refused when it is ${size} and malformed`, async () => {
      await refused(decodeBounded(bytesOf({ ...receipt, status: 1 }, padding), asked, bounds), /is malformed/);
      await refused(decodeBounded(bytesOf(receipt, `${padding}!`), asked, bounds), /is not JSON/);
      await refused(decodeBounded(bytesOf(receipt, padding), { ...asked, id: 2 }, bounds), /another request/);
    });
  }

  it('blocks nothing else while a large one is read, and the read can be stopped', async () => {
    const controller = new AbortController();
    const answer = decodeBounded(slow(), asked, { ...bounds, signal: controller.signal });
    setImmediate(() => controller.abort());
    await refused(answer, /not read \(the reading was stopped\)/);
  });

  it('is refused when reading takes longer than the time for all calls', () =>
    refused(decodeBounded(slow(), asked, { ms_max: 1 }), /too late/));
});
