/** Tables of invoices and receipts that are altered while the server runs: it shows what was signed and settles nothing. */
import assert from 'node:assert/strict';
import { tamper } from '../support/mixed-home.js';
import { real } from '../support/real.js';
import { stranger } from '../support/wallet.js';
import { stopOperators } from './given-operator.js';
import { givenPayments, refused, type PaidOperator } from './given-payments.js';

real('anvil', 'a server whose invoices are altered', () => {
  let given: PaidOperator;
  beforeEach(async () => void (given = await givenPayments()));
  afterEach(async () => {
    await stopOperators();
    await given.stop();
  });

  it('shows the signed invoice, says that the journal is not valid, and settles nothing', async () => {
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
