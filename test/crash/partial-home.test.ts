/** Homes of which a part is missing: what an interrupted init left is told from what somebody lost. */
import { deepStrictEqual, strictEqual } from 'node:assert';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForSuite } from '../support/app/temporary-home.js';
import { Operator, type Said } from '../support/crash/crash-cli.js';
import { copySandbox, headOf, makeSandbox, type Sandbox } from '../support/crash/crash-sandbox.js';
import { accepted, mission, refused } from '../support/crash/crash-settle.js';
import { minimal } from '../support/codec/mission-samples.js';

describe('a home with missing parts', () => {
  const root = folderForSuite();
  const operator = new Operator();
  let template: Sandbox;
  let sandbox: Sandbox;

  const cli = (...argv: readonly string[]): Promise<Said> => operator.run(argv, sandbox.env);
  const remove = (...names: readonly string[]): void => {
    for (const name of names) rmSync(join(sandbox.home, name));
  };

  before(async () => {
    template = makeSandbox(join(root, 'template'));
    sandbox = template;
    writeFileSync(join(template.root, 'mission.json'), JSON.stringify(minimal('allocation')));
    accepted(await cli('init'), 'init');
    accepted(await cli('run', join(template.root, 'mission.json'), '--request-id', mission), 'run');
  });

  beforeEach(() => {
    sandbox = copySandbox(template, join(root, 'copy'));
  });

  after(() => operator.stop());

  for (const also of [[], ['ballast']]) {
    it(`is refused without config.json${also.map((name) => ` and ${name}`).join('')}, and configure --restore-signed repairs it`, async () => {
      const [head, text] = [headOf(sandbox.home), readFileSync(join(sandbox.home, 'config.json'), 'utf8')];
      remove('config.json', ...also);
      refused(await cli('list'), 3, 'integrity', 'list');
      refused(await cli('init'), 3, 'integrity', 'init');
      accepted(await cli('configure', '--restore-signed'), 'configure --restore-signed');
      strictEqual(readFileSync(join(sandbox.home, 'config.json'), 'utf8'), text);
      strictEqual(accepted(await cli('verify', '--deep', '--expect-head', head), 'verify').valid, true);
    });
  }

  it('gets no second journal from init while the key is there, and the witness is kept', async () => {
    remove('config.json', 'journal.sqlite3');
    const witness = join(sandbox.witness, readdirSync(sandbox.witness)[0] ?? '');
    const note = readFileSync(witness, 'utf8');
    writeFileSync(join(sandbox.home, 'journal.sqlite3'), '');
    for (const command of ['list', 'verify', 'doctor']) refused(await cli(command), 2, 'not_found', command);
    refused(await cli('init'), 3, 'rollback', 'init');
    strictEqual(readFileSync(witness, 'utf8'), note);
  });

  it('gets a new identity from init without the key, the journal and the configuration', async () => {
    const before = accepted(await cli('doctor'), 'doctor').identity;
    remove('config.json', 'journal.sqlite3', 'identity.key');
    const made = accepted(await cli('init'), 'init');
    deepStrictEqual([made.events, made.identity === before], [1, false]);
  });
});
