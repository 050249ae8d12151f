/** Golden homes that were restored: one from a backup of the main home, one from an archive in the reference agent's form. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../../src/base/canonical-json.js';
import { sha256Hex } from '../../src/base/hash.js';
import { signerFromSeed } from '../../src/journal/keys.js';
import { allocation, forecasts, research, schedule } from '../engines/reference-cases.js';
import { chainSchema1 } from '../journal/reference-journal.js';
import { forecastWork, states, writeReferenceArchive, type Document, type GivenMission } from '../support/given-reference.js';
import { uuidOf } from '../support/temporary-home.js';
import { finish, submit, type MadeHome } from './main-home.js';
import { itemsOf, operatorIn } from './operator.js';
import { forecastMission, researchMission } from './samples.js';

/** Behind a checkpoint of the main home that is newer than its backup. */
export async function makeRestoredHome(folder: string, main: MadeHome): Promise<MadeHome> {
  const { operator } = main;
  const [archive, newer] = [join(operator.folder, 'given', 'backup.zip'), join(operator.folder, 'given', 'newer.txt')];
  await operator.run(['backup', archive]);
  await operator.run(['token', 'create', 'carol', '--role', 'viewer']);
  // The main home's witness is gone by now; its checkpoint is signed all the same.
  await operator.run(['checkpoint', '--output', newer]);
  const made: MadeHome = { operator: operatorIn(folder), requests: new Map(main.requests) };
  await made.operator.run(['restore', archive, '--against', newer, '--reason', 'moved to another machine', '--new-token']);
  await made.operator.run(['resume']);
  // The lease of a killed process came along; while it lasts, nothing else executes.
  const running = itemsOf(await made.operator.run(['list', '--state', 'running']));
  for (const { id } of running) await made.operator.run(['cancel', String(id), '--as', 'erin']);
  await finish(made.operator, await submit(made, researchMission(900)));
  await finish(made.operator, await submit(made, forecastMission(900)), 'reject');
  return made;
}

const missionOf = (n: number, given: { readonly work: unknown; readonly result: unknown }): GivenMission => ({
  id: uuidOf(n),
  work: canonicalJson(given.work),
  result: canonicalJson(given.result),
});

/** The reference agent's entries: whole states of missions, and streams that nothing here reads. */
function referenceDocuments(config_hash: string): readonly Document[] {
  const [seasonal, drift] = forecasts.map(({ work, compensated, plain }, n) => ({
    id: uuidOf(0x700 + n),
    work: forecastWork(work),
    result: n === 0 ? compensated : plain,
  }));
  const control = (state: string): Document => ['@control', `{"config_hash":"${config_hash}","state":"${state}"}`];
  const code = { id: uuidOf(0x720), work: '{"heldout":[{"args":[1],"expected":1}],"kind":"code"}', result: '{"passed":1}' };
  return [
    control('ready'),
    ...states(seasonal!, 'queued', 'running', 'review'),
    ...states(drift!, 'queued', 'running', 'review', 'completed'),
    ...states(missionOf(0x710, allocation), 'queued', 'running', 'review', 'completed'),
    ...states(missionOf(0x711, schedule), 'queued', 'running', 'review', 'rejected'),
    ...states(missionOf(0x712, research), 'queued', 'running', 'review'),
    ...states(missionOf(0x713, research), 'queued', 'running', 'failed', 'queued again', 'running', 'failed'),
    ...states(missionOf(0x714, research), 'queued'),
    ...states(code, 'queued', 'running', 'review'),
    ['@wallet', '{"address":"0x1"}'],
    ['@invoice:1', '{"amount":"10000000000000000000001"}'],
    ['@invoice:2', '{"amount":1e+22}'],
    control('paused'),
    control('ready'),
  ];
}

/** An archive as the reference agent's `backup` writes it, with key, token and configuration of a home made for that alone. */
async function referenceArchive(folder: string): Promise<string> {
  const source = operatorIn(folder);
  await source.run(['init']);
  const [key, token, config] = ['identity.key', 'api.token', 'config.json'].map((name) => readFileSync(join(source.home, name)));
  const rows = chainSchema1(signerFromSeed(key!), referenceDocuments(sha256Hex(config!)));
  return writeReferenceArchive(folder, { key: key!, token: token!, config: config! }, rows);
}

export async function makeSchema1Home(folder: string): Promise<MadeHome> {
  const archive = await referenceArchive(`${folder}-reference`);
  const made: MadeHome = { operator: operatorIn(folder), requests: new Map() };
  const { run } = made.operator;
  await run(['restore', archive, '--reason', 'from the reference agent']);
  await run(['resume']);
  const decide = async (id: string, verdict: string): Promise<void> => {
    const { revision, result_hash } = await run(['show', id]);
    const shown = ['--revision', String(revision), '--result-hash', String(result_hash)];
    await run(['review', id, ...shown, `--${verdict}`, '--note', 'read again', '--as', 'alice']);
  };
  await decide(uuidOf(0x700), 'approve');
  await decide(uuidOf(0x720), 'reject');
  await run(['recover', uuidOf(0x713)]);
  await finish(made.operator, uuidOf(0x713));
  await finish(made.operator, uuidOf(0x714));
  await finish(made.operator, await submit(made, forecastMission(1)));
  return made;
}
