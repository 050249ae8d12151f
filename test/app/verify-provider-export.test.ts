/** Exports of results that a language model proposed: recomputing checks quotes and hashes, and says that the rest was not computed. */
import assert from 'node:assert/strict';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex } from '../../src/base/hash.js';
import { exportText } from '../../src/app/exports/export.js';
import { model_id } from '../../src/kinds/research/constants.js';
import { documents } from '../support/codec/given-events.js';
import { verdictOf } from '../support/app/given-export.js';
import { execute, review } from '../support/app/given-home.js';
import { good, queuedFor } from '../support/provider/given-provider.js';
import { answers, withProvider } from '../support/provider/provider-server.js';
import { signedExport, signer } from '../support/app/signed-export.js';
import { folderForEach, homeForEach } from '../support/app/temporary-home.js';

interface Result {
  readonly findings: readonly Readonly<Record<string, unknown>>[];
  readonly inference: Readonly<Record<string, unknown>>;
}

describe('verifying an export of findings that a language model proposed', () => {
  const homes = homeForEach();
  const folder = folderForEach();

  /** Returns the text of an approved export, and its result. */
  const exported = (): Promise<{ readonly text: string; readonly result: Result }> =>
    homes.get().with((home) =>
      withProvider({ chat: answers({ findings: good }) }, async ({ url }) => {
        const { id } = await queuedFor(home, url);
        const { result } = await review(home, await execute(home, id));
        return { text: exportText(home, id).text, result: result as Result };
      }),
    );

  /** Returns the verdict on the same request with another result, which the key of the home signed. */
  async function judged(text: string, result: object): Promise<readonly unknown[]> {
    const { request } = JSON.parse(text) as { readonly request: Readonly<Record<string, unknown>> };
    const document = {
      result,
      kind: 'research',
      goal: request['goal'],
      request_hash: sha256Hex(canonicalJson(request)),
      review: { ...documents['mission.completed'].review, result_hash: sha256Hex(canonicalJson(result)) },
      engine: model_id,
      effort: { max_evaluations: 10_000, iterations: null },
    };
    const forged = JSON.stringify({ ...signedExport({ document }), request });
    const verdict = await verdictOf(folder.get(), forged, signer.publicKey.toString('hex'), { recompute: true });
    assert.ok(typeof verdict !== 'string');
    return [verdict.valid, verdict.recomputed, verdict.reason];
  }

  it('is valid and not recomputed', async () => {
    const { text, result } = await exported();
    const key = homes.get().report.public_key;
    const verdict = await verdictOf(folder.get(), text, key, { recompute: true });
    assert.ok(typeof verdict !== 'string');
    const reason =
      'not recomputed: a language model proposed the findings; their quotes and the hash of its request were checked';
    assert.deepEqual([verdict.valid, verdict.recomputed, verdict.reason], [true, null, reason]);
    assert.deepEqual(await judged(text, result), [true, null, reason]);
  });

  it('is refuted with an altered quote, or the record of another request, whoever signed it', async () => {
    const { text, result } = await exported();
    const [first, ...others] = result.findings;
    const altered = { ...result, findings: [{ ...first, quote: 'High water is at Six.' }, ...others] };
    assert.deepEqual(await judged(text, altered), [
      false,
      false,
      'the result of a language model fails its checks: findings[0].quote is not in its source word for word, at the recorded place',
    ]);
    const other = { ...result, inference: { ...result.inference, model: 'large' } };
    assert.deepEqual(await judged(text, other), [
      false,
      false,
      'the result of a language model fails its checks: inference.request_hash is not that of the request for this mission',
    ]);
  });
});
