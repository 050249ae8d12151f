/** Exports of paid results: the settlement beside the receipt, what is checked of it, and exports that hold none. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportMission, exportText, proofText } from '../../src/app/exports/export.js';
import type { Home } from '../../src/app/home/home.js';
import { requireEntry } from '../../src/journal/reader.js';
import { canonicalJson } from '../../src/base/canonical-json.js';
import type { ReceiptEvidence } from '../../src/codec/events/invoice.js';
import { documents } from '../support/codec/given-events.js';
import { plainVerdict, shortVerdict, verdictOf } from '../support/app/given-export.js';
import { completed, forecast, schedule } from '../support/app/given-home.js';
import { settled } from '../support/app/given-settlement.js';
import { changed, mutations, paths } from '../support/codec/mutants.js';
import { atEffort } from '../support/effort.js';
import { type Core, loadCore } from '../support/app/script-core.js';
import { homeForEach, temporaryHome, uuidOf } from '../support/app/temporary-home.js';

type Json = Record<string, unknown>;
const fileOf = (document: unknown): string => `${canonicalJson(document)}\n`;
const homes = homeForEach();

let core: Core;
before(async () => void (core = await loadCore()));

/** A test of a home in which one mission is completed. */
const itExports = (title: string, test: (home: Home, mission: string, key: string) => Promise<void>): void =>
  homes.it(title, async (home) => test(home, (await completed(home, schedule('paid'))).id, homes.get().report.public_key));
const verdict = (text: string, key: string): Promise<true | string> => shortVerdict(homes.get().root, text, key);
const byScript = async (text: string, key: string): Promise<string> => (await core.verifyExport(Buffer.from(text), key)).verdict;

describe('the export of a paid result', () => {
  itExports('holds the entry that recorded the payment, and all else as before', async (home, mission, key) => {
    const before = JSON.parse(exportText(home, mission).text) as Json;
    settled(home, mission);
    const text = exportText(home, mission).text;
    const { settlement, proof, newest, ...rest } = JSON.parse(text) as Json;
    const { proof: _1, newest: _2, ...unpaid } = before;
    assert.deepEqual(rest, unpaid);
    assert.notEqual(proof, before['proof'], 'the proof is under the newest checkpoint');
    assert.notEqual(newest, before['newest'], 'and so is the note');
    assert.equal(text, fileOf(JSON.parse(text)));
    const { text: canonical_body, hash, signature, sequence } = requireEntry(home.db, home.writer.head.size);
    const body: unknown = JSON.parse(canonical_body);
    assert.deepEqual(settlement, { body, canonical_body, hash, signature, proof: proofText(home, sequence) });
    const judged = await verdictOf(homes.get().root, text, key);
    assert.ok(typeof judged === 'object');
    const { actor: _actor, ...receipt } = (body as { document: Json }).document;
    assert.deepEqual([judged.valid, judged.settlement], [true, { ...receipt, recorded_at: (body as Json)['time'] }]);
    const { lines, verdict: own } = await core.verifyExport(Buffer.from(text), key);
    assert.equal(own, 'valid');
    assert.ok(
      lines.some((line) => line.includes('payment')),
      lines.join(),
    );
  });

  itExports('is accepted without the settlement', async (home, mission, key) => {
    settled(home, mission);
    const [bare, whole] = [join(homes.get().root, 'bare.json'), join(homes.get().root, 'whole.json')];
    exportMission(home, mission, bare, { withoutSettlement: true });
    exportMission(home, mission, whole);
    for (const file of [bare, whole]) assert.equal(await verdict(readFileSync(file, 'utf8'), key), true);
    const judged = await verdictOf(homes.get().root, readFileSync(bare, 'utf8'), key);
    assert.equal(typeof judged === 'object' && 'settlement' in judged, false);
  });

  itExports(
    'is refused by app and script with any string, number or flag of the settlement changed, or a member added or removed',
    async (home, mission, key) => {
      settled(home, mission);
      const document = JSON.parse(exportText(home, mission).text) as { settlement: Json };
      const judge = async (other: unknown, what: string): Promise<void> => {
        const text = fileOf(other);
        const [app, script] = [await plainVerdict(homes.get().root, text, key), await byScript(text, key)];
        assert.ok(app !== 'valid' && script !== 'valid', `${what}: ${app}, ${script}`);
      };
      let tried = 0;
      for (const [path, mutant] of mutations(document.settlement)) {
        await judge(
          changed(document, ['settlement', ...path], () => mutant),
          `${path.join('.')}: ${String(mutant)}`,
        );
        tried++;
      }
      assert.ok(tried > atEffort(30, 150), `${tried}`);
      for (const path of paths(document.settlement)) {
        await judge(
          changed(document, ['settlement', ...path], () => undefined),
          `without ${path.join('.')}`,
        );
        await judge(
          changed(document, ['settlement', ...path.slice(0, -1)], (at) => ({ ...(at as object), surplus: 1 })),
          path.join('.'),
        );
      }
      for (const other of [null, {}, [], 'paid', 0]) await judge({ ...document, settlement: other }, JSON.stringify(other));
    },
  );
});

describe('a settlement that the key signed', () => {
  const wrong: readonly (readonly [string, Partial<ReceiptEvidence>, string | undefined, RegExp])[] = [
    ['of another result', { result_hash: 'ab'.repeat(32) }, undefined, /for another result/],
    ['on the stream of another transfer', {}, `31337:0x${'12'.repeat(32)}:3`, /stream of its transfer/],
    ['that calls a test chain mainnet', { environment: 'mainnet' }, undefined, /contradicts itself/],
    ['with another earmark', { reinvest_bps: 5_000 }, undefined, /contradicts itself/],
    ['of another token', { token: documents['receipt.recorded'].payer }, undefined, /contradicts itself/],
    ['verified before its block', { verified_at_block: 8 }, undefined, /contradicts itself/],
  ];
  for (const [what, changes, stream, reason] of wrong) {
    itExports(`is refused when it is one ${what}`, async (home, mission, key) => {
      settled(home, mission, changes, stream);
      const { text } = exportText(home, mission);
      assert.match(String(await verdict(text, key)), reason);
      assert.equal(await byScript(text, key), 'refuted');
    });
  }

  /** The export of a mission with another entry in the place of its settlement. */
  const withEntry = (home: Home, mission: string, sequence: number): string => {
    const { text, hash, signature } = requireEntry(home.db, sequence);
    const settlement = {
      body: JSON.parse(text) as unknown,
      canonical_body: text,
      hash,
      signature,
      proof: proofText(home, sequence),
    };
    return fileOf({ ...(JSON.parse(exportText(home, mission).text) as Json), settlement });
  };

  itExports(
    'is refused when it is for another mission, checkpoint or entry, or older than the result',
    async (home, mission, key) => {
      settled(home, mission, { mission: uuidOf(9) });
      const { size } = home.writer.head;
      const cases: (readonly [string, RegExp])[] = [
        [withEntry(home, mission, size), /for another result/],
        [withEntry(home, mission, 1), /not the entry of a receipt/],
      ];
      const older = JSON.parse(exportText(home, mission).text) as Json;
      settled(home, mission, { log_index: 4 });
      const newer = JSON.parse(exportText(home, mission).text) as Json;
      cases.push([fileOf({ ...older, settlement: newer['settlement'] }), /under another checkpoint/]);
      for (const [text, reason] of cases) {
        assert.match(String(await verdict(text, key)), reason);
        assert.equal(await byScript(text, key), 'refuted', String(reason));
      }
    },
  );

  itExports('is refused with the signature of another entry', async (home, mission, key) => {
    settled(home, mission);
    const document = JSON.parse(exportText(home, mission).text) as { settlement: Json; receipt: Json };
    const signature = document.receipt['signature'];
    const text = fileOf({ ...document, settlement: { ...document.settlement, signature } });
    assert.equal(await verdict(text, key), 'the signature does not verify');
    assert.equal(await byScript(text, key), 'refuted');
  });
});

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
});
