/** Exports of forecasts with dates, and of forecasts without, which hold nothing of them. */
import assert from 'node:assert/strict';
import { exportText } from '../../src/app/exports/export.js';
import { sha256Hex } from '../../src/base/hash.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { verdictOf } from '../support/given-export.js';
import { completed, forecast } from '../support/given-home.js';
import { loadCore } from '../support/script-core.js';
import { temporaryHome } from '../support/temporary-home.js';

interface Exported {
  readonly request: { readonly work: Readonly<Record<string, unknown>> };
  readonly receipt: {
    readonly body: { readonly document: { readonly result: Readonly<Record<string, unknown>>; readonly request_hash: string } };
  };
}

describe('exports of forecasts', () => {
  const homes = temporaryHome();
  after(() => homes.remove());

  const exported = async (work: object): Promise<{ readonly text: string; readonly document: Exported }> => {
    const home = homes.open();
    const { id } = await completed(home, forecast('know what comes', 12, { horizon: 3, ...work }));
    const { text } = exportText(home, id);
    home.close();
    return { text, document: JSON.parse(text) as Exported };
  };

  it('are accepted and recomputed by the program, and accepted by the script, with dates', async () => {
    const { text, document } = await exported({ start: '2024-01-31T06:00:00+01:00', step: { unit: 'month' } });
    const { request, receipt } = document;
    assert.deepEqual(request.work['step'], { unit: 'month', count: 1 });
    const dates = ['2025-01-31', '2025-02-28', '2025-03-31'].map((date) => `${date}T06:00:00+01:00`);
    assert.deepEqual(receipt.body.document.result['forecast_dates'], dates);
    const verdict = await verdictOf(homes.root, text, homes.report.public_key, { recompute: true });
    if (typeof verdict === 'string') return assert.fail(verdict);
    assert.deepEqual([verdict.valid, verdict.recomputed], [true, true]);
    assert.equal((await (await loadCore()).verifyExport(Buffer.from(text), homes.report.public_key)).verdict, 'valid');
  });

  it('have neither date members nor dates when the request has no start', async () => {
    const { document } = await exported({});
    const { request, receipt } = document;
    for (const name of ['start', 'step']) assert.equal(Object.hasOwn(request.work, name), false);
    for (const name of ['holdout_dates', 'forecast_dates'])
      assert.equal(Object.hasOwn(receipt.body.document.result, name), false);
    assert.equal(sha256Hex(canonicalJson(request)), receipt.body.document.request_hash);
  });
});
