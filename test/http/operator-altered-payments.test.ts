/** Tables of invoices and receipts that are altered while the server runs: it shows what was signed and settles nothing. */
import assert from 'node:assert/strict';
import { tamper } from '../support/app/mixed-home.js';
import { real } from '../support/real.js';
import { uuidOf } from '../support/app/temporary-home.js';
import { stranger } from '../support/chain/wallet.js';
import { stopOperators } from './given-operator.js';
import { givenPayments, refused, thousand, type PaidOperator } from './given-payments.js';

real('anvil', 'a server whose invoices are altered', () => {
  let given: PaidOperator;
  beforeEach(async () => void (given = await givenPayments()));
  afterEach(async () => {
    await stopOperators();
    await given.stop();
  });

  it('shows the signed invoice, reports that the journal is not valid, and settles nothing', async () => {
    const mission = await given.awaiting();
    const { get, given: home } = given.operator;
    const { invoice } = await get(`/api/missions/${mission}`);
    tamper(home, `UPDATE invoice SET amount_units = '1', recipient = '${stranger.address}'`);
    assert.deepEqual((await get(`/api/missions/${mission}`)).invoice, invoice);
    assert.deepEqual((await get('/api/invoices')).items, [invoice]);
    assert.equal((await get('/api/status')).journal.valid, false);
    const { tx: transaction } = await given.paid();
    await refused(given.operator, `/api/missions/${mission}/settle`, { transaction }, [500, 'integrity']);
    await refused(given.operator, `/api/invoices/${mission}/cancel`, undefined, [500, 'integrity']);
  });

  it('shows an invoice and a receipt whose rows name another mission', async () => {
    const [open, paid] = [await given.awaiting(), await given.awaiting()];
    const { ask, get, given: home } = given.operator;
    const { tx: transaction } = await given.paid();
    await ask('POST', `/api/missions/${paid}/settle`, { body: { transaction } });
    const [one, other] = [await get(`/api/missions/${open}`), await get(`/api/missions/${paid}`)];
    tamper(home, `UPDATE invoice SET mission = '${uuidOf(9)}'; UPDATE receipt SET mission = '${uuidOf(9)}'`);
    assert.deepEqual(await get(`/api/missions/${open}`), one);
    assert.deepEqual(await get(`/api/missions/${paid}`), other);
    await refused(given.operator, `/api/missions/${open}/invoice`, thousand, [409, 'wrong_state']);
    assert.equal((await get('/api/status')).journal.valid, false);
  });

  it('shows the signed receipt', async () => {
    const mission = await given.awaiting();
    const { ask, get, given: home } = given.operator;
    const { tx: transaction } = await given.paid();
    const { body } = await ask('POST', `/api/missions/${mission}/settle`, { body: { transaction } });
    tamper(home, `UPDATE receipt SET evidence = replace(evidence, '"amount_units":"1000"', '"amount_units":"9000"')`);
    assert.deepEqual((await get(`/api/missions/${mission}`)).receipt, body.receipt);
    assert.equal((await get('/api/status')).journal.valid, false);
  });
});
