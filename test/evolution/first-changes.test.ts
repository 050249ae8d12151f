/** A newcomer's three changes, made in a copy of the sources: each touches few files, compiles, keeps to the layers, and works. @slow */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plan, root } from '../support/cli/cli-run.js';
import { layers } from '../support/layers.js';
import { linkProgram } from '../support/cli/program-archive.js';
import { SourceCopy } from '../support/cli/source-copy.js';
import { eventWithTable, missionMember, readEndpoint, words, type FileChange } from './first-changes.js';

const files_max = 6;
const changes = {
  'a member of a mission': missionMember,
  'a read endpoint': readEndpoint,
  'an event with a table': eventWithTable,
};

/** Writes a note, or reads it, with the modules of the copy. */
const noteScript = (text?: string): string => `
  import { openHome } from './dist/src/app/home/open.js';
  import { noteText, writeNote } from './dist/src/app/missions/notes.js';
  const home = openHome({ env: process.env, clock: Date.now, directory: process.env.AGENT_HOME });
  ${text === undefined ? '' : `await writeNote(home, 'first', ${JSON.stringify(text)});`}
  console.log('note:', noteText(home, 'first'));
  home.close();`;

describe("a newcomer's first changes", () => {
  let copy: SourceCopy;
  before(() => {
    copy = new SourceCopy();
  });
  after(() => copy.remove());

  const make = ([file, change]: FileChange): void => {
    if (typeof change === 'string') copy.write(file, change);
    else for (const [from, to] of change) copy.edit(file, from, to);
  };
  const command = (...args: readonly string[]): string => {
    const { code, output } = copy.node(join('bin', 'agent-cli.js'), ...args);
    strictEqual(code, 0, `${args.join(' ')}: ${output}`);
    return output;
  };
  const note = (text?: string): string => copy.node('--input-type=module', '--eval', noteScript(text)).output;

  it('touch the number of files that CONTRIBUTING.md says', () => {
    const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    for (const [what, files] of Object.entries(changes)) {
      ok(files.length <= files_max, what);
      match(page, new RegExp(`\\| ${what} \\| ${files.length} \\|`));
    }
  });

  it('compile, and keep to the layers', () => {
    for (const change of [...Object.values(changes).flat(), ...words]) make(change);
    deepStrictEqual(copy.errors('.'), []);
    deepStrictEqual(copy.errors('src/console'), []);
    const changed = new Map(Object.values(changes).flatMap((files) => files.map(([path]) => [path, copy.read(path)])));
    const sources = layers.sources().filter(({ path }) => !changed.has(path));
    const { violations, cycles } = layers.check([...sources, ...[...changed].map(([path, source]) => ({ path, source }))]);
    deepStrictEqual([...violations, ...cycles], []);
  });

  it('work: a mission keeps the reserve, in the engine and for the verifier', () => {
    linkProgram(copy.directory);
    command('init');
    copy.write('plan.json', JSON.stringify({ ...plan, work: { ...plan.work, reserve: 0.5 } }));
    const { id } = JSON.parse(command('run', 'plan.json', '--execute', '--json')) as { id: string };
    const { state, result } = JSON.parse(command('show', id, '--json')) as { state: string; result: { selected: unknown } };
    strictEqual(state, 'review');
    deepStrictEqual(result.selected, ['fence']);
  });

  it('work: the server has the endpoint', () => {
    const script = `
      const { systemEndpoints } = await import('./dist/src/http/operator/system.js');
      console.log(systemEndpoints({}).map(({ method, path }) => method + ' ' + path).join('\\n'));`;
    match(copy.node('--input-type=module', '--eval', script).output, /^GET \/api\/identity$/m);
  });

  it('work: the event is recorded, verified, and in the table again after a rebuild', () => {
    match(note('buy tar before the frost'), /^note: buy tar before the frost$/m);
    match(command('verify', '--deep'), /verified\n[^]*@note 1,/);
    command('rebuild');
    match(note(), /^note: buy tar before the frost$/m);
  });
});
