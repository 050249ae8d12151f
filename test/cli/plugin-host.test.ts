/** A real host, whose users add the package themselves: `plugins install` with the packed archive, `plugins link` with a clone. @slow */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  lineOnTerminal,
  plan,
  root,
  runLater,
  scratch,
  whyNoTerminal,
  type Env,
  type Ran,
  type Scratch,
} from '../support/cli/cli-run.js';
import { commandLines, commandScript } from '../support/cli/docs-block.js';
import { npmEnv, packageRegistry, type PackageRegistry } from '../support/cli/package-registry.js';
import { buildBinding, packProgram } from '../support/cli/packed.js';
import { oclifHost, real } from '../support/real.js';

const page = readFileSync(join(root, 'docs', 'plugin.md'), 'utf8');

real('oclif-host', 'the plugin in an oclif host', function () {
  let place: Scratch;
  let registry: PackageRegistry;
  before(async () => {
    place = scratch();
    registry = await packageRegistry();
    for (const file of ['package.json', 'hostcli.js'])
      copyFileSync(join(root, 'test', 'oclif-host', file), join(place.directory, file));
    symlinkSync(join(oclifHost(), 'node_modules'), join(place.directory, 'node_modules'), 'junction');
    writeFileSync(join(place.directory, 'mission.json'), JSON.stringify(plan));
    mkdirSync(join(place.directory, 'bin'));
    const start = `#!/bin/sh\nexec '${process.execPath}' '${join(place.directory, 'hostcli.js')}' "$@"\n`;
    writeFileSync(join(place.directory, 'bin', 'hostcli'), start, { mode: 0o755 });
  });
  after(async () => {
    await registry.close();
    place.remove();
  });

  const env = (): Env => ({
    ...place.env,
    ...npmEnv(registry, place.directory),
    PATH: `${join(place.directory, 'bin')}:${place.env['PATH'] ?? ''}`,
  });
  const host = (...words: readonly string[]): Promise<Ran> => runLater('hostcli', words, env(), place.directory);
  const done = async (...words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await host(...words);
    strictEqual(code, 0, `${words.join(' ')}: ${stderr}${stdout}`);
    return stdout;
  };
  const script = async (text: string): Promise<string> => {
    const ran = await runLater('/bin/sh', ['-c', text], env(), place.directory);
    strictEqual(ran.code, 0, `${text}: ${ran.stderr}${ran.stdout}`);
    return ran.stdout;
  };
  /** Runs the commands of a block of docs/plugin.md and returns what they print. */
  const follow = (block: string): Promise<string> => script(commandScript(page, block));
  /** Runs the commands of its last block; the last one asks, so a terminal and the id of the mission are needed. */
  const used = async (): Promise<void> => {
    const lines = commandLines(page, 'use');
    const [, id = ''] = /^([0-9a-f]{8}) .*review/m.exec(await script(['set -e', ...lines.slice(0, -1)].join('\n'))) ?? [];
    const review = lines.at(-1)?.replace(' 0f8f ', ` ${id} `) ?? '';
    match(review, /^hostcli agent review [0-9a-f]{8} --home D$/);
    if (whyNoTerminal() !== null) return;
    const { code, stdout } = lineOnTerminal(review, { ...env(), NO_COLOR: '1' }, place.directory, 'a\nchecked\n');
    strictEqual(code, 0, stdout);
    match(stdout, /next: hostcli agent export /);
  };
  /** A home is made, a mission is run and listed. */
  const works = async (home: string): Promise<void> => {
    match(await done('agent', 'init', '--home', home), /^public key +[0-9a-f]{64}$/m);
    const ran = await done('agent', 'run', 'mission.json', '--execute', '--home', home, '--json');
    const { id, state } = JSON.parse(ran) as { readonly id: string; readonly state: string };
    strictEqual(state, 'review');
    match(await done('agent', 'list', '--home', home), new RegExp(`^${id.slice(0, 8)} .*review`, 'm'));
  };

  it('is installed from the packed archive, reports what its native code needs, lists its commands and runs them', async () => {
    packProgram(place.directory);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
    match(await follow('plugins install'), new RegExp(`^agent-cli ${version.replaceAll('.', '\\.')}[^]*^ {2}agent init `, 'm'));
    const refused = await host('agent', 'init', '--home', 'installed');
    deepStrictEqual([refused.code, refused.stdout], [7, ''], refused.stderr);
    match(refused.stderr, /\n {2}→ npm run install --prefix "?\S+\/hostcli\/node_modules\/better-sqlite3"?\n$/);
    buildBinding({ modules: join(place.directory, '.local', 'share', 'hostcli', 'node_modules') });
    await works('installed');
    await done('plugins', 'uninstall', 'agent-cli');
    strictEqual((await host('agent', 'list', '--home', 'installed')).code, 2);
  });

  it('is linked from a clone, and its commands are used, as docs/plugin.md says', async () => {
    rmSync(join(place.directory, '.local'), { recursive: true, force: true });
    symlinkSync(root, join(place.directory, 'agent-cli'), 'junction');
    match(await follow('plugins link'), /^ {2}agent init /m);
    match(await done('plugins'), /^agent-cli .*\(link\) /m);
    match(await done('--help'), /^ {2}agent +plan and research under review/m);
    match(await done('agent', 'run', '--help'), /\$ hostcli agent run /);
    await used();
  });
});
