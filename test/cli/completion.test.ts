/** Completion: bash and fish complete as at a prompt; zsh and fish are checked by their own parsers too, where present. */
import { deepStrictEqual, doesNotMatch, match, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from '@oclif/core';
import { completionScript, offerFor, type Shell } from '../../src/cli/completion.js';
import { ownProgram } from '../../src/cli/main.js';
import { plan, program, scratch, type Scratch } from '../support/cli/cli-run.js';

describe('completion', () => {
  let place: Scratch;
  const scripts = new Map<Shell, string>();
  before(() => {
    place = scratch();
    for (const shell of ['bash', 'zsh', 'fish'] as const) {
      const { code, stdout, stderr } = place.run('completion', shell);
      strictEqual(code, 0, stderr);
      scripts.set(shell, stdout);
      writeFileSync(join(place.directory, `completion.${shell}`), stdout);
    }
    mkdirSync(join(place.directory, 'missions'));
    mkdirSync(join(place.directory, 'bin'));
    symlinkSync(program, join(place.directory, 'bin', 'agent-cli'));
    writeFileSync(join(place.directory, 'mission one.json'), '{}');
  });
  after(() => place.remove());

  const cases: readonly (readonly [readonly string[], readonly string[] | string])[] = [
    [['reco'], ['recover', 'recover-home']],
    [
      ['config', ''],
      ['set', 'show'],
    ],
    [['--home', 'X', 'verify-e'], ['verify-export']],
    [['he'], ['help']],
    [['help', 'verify-e'], ['verify-export']],
    [
      ['token', 'r'],
      ['revoke', 'rotate'],
    ],
    [['--json', 'pa'], ['pause']],
    [
      ['list', '--state', 're'],
      ['review', 'rejected'],
    ],
    [
      ['list', '--state', '=', 're'],
      ['review', 'rejected'],
    ],
    [
      ['list', '--kind', '='],
      ['research', 'allocation', 'schedule', 'forecast', 'code'],
    ],
    [['list', '--l'], ['--limit']],
    [
      ['--home', 'X', 'review', 'ID', '--app'],
      ['--approve', '--approver'],
    ],
    [['config', 'show', '--h'], ['--home']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['run', 'mis'], 'files'],
    [['run', '--as', 'x', 'mission'], 'files'],
    [['simulate', '--sectors', 'missi'], 'files'],
    [['init', '--home', 'mis'], 'directories'],
    [['--home', 'mis'], 'directories'],
    [['run', 'a.json', 'mis'], []],
    [['review', 'ID', '--note', 'mis'], []],
    [['no-such', ''], []],
    [['--'], ['--home', '--json', '--help', '--version']],
    [
      ['list', '--state=re'],
      ['--state=review', '--state=rejected'],
    ],
    [['show', ''], 'mission'],
    [['transfer-review', ''], 'files'],
  ];

  /** Returns the lines that a shell prints in the directory of the files, where the program is on the PATH. */
  function shell(name: Shell, args: readonly string[], text: string): string[] {
    const env = { ...place.env, PATH: `${join(place.directory, 'bin')}:${place.env['PATH'] ?? ''}` };
    const ran = spawnSync(name, [...args, '-c', text], { cwd: place.directory, env, encoding: 'utf8' });
    strictEqual(ran.stderr, '');
    return ran.stdout.split('\n').filter((line) => line !== '');
  }

  const quoted = (words: readonly string[]): string => ['agent-cli', ...words].map((word) => `'${word}'`).join(' ');
  const inBash = (words: readonly string[]): string[] =>
    shell(
      'bash',
      ['--norc'],
      `set -u; source ./completion.bash; COMP_WORDS=(${quoted(words)}); COMP_CWORD=${words.length}; _agent_cli; printf '%s\\n' "\${COMPREPLY[@]}"`,
    );

  it('offers commands, flags and values, and says where files, directories and ids fit', async () => {
    const { bin, commands } = await Config.load(ownProgram());
    for (const [words, expected] of cases) {
      const { lines, prefix } = offerFor(words, bin, commands);
      const last = words.at(-1) === '=' ? '' : (words.at(-1) ?? '');
      const found =
        typeof lines === 'string'
          ? lines
          : lines.map((line) => prefix + (line.split('\t')[0] ?? '')).filter((word) => word.startsWith(last));
      deepStrictEqual([found].flat().toSorted(), [expected].flat().toSorted(), words.join(' '));
    }
  });

  it('offers words, files and directories in bash', () => {
    deepStrictEqual(shell('bash', ['--norc'], 'source ./completion.bash; complete -p agent-cli cli'), [
      'complete -F _agent_cli agent-cli',
      'complete -F _agent_cli cli',
    ]);
    for (const dash of ['-', '--']) deepStrictEqual(inBash(['config', 'show', dash]), ['--json', '--home']);
    deepStrictEqual(inBash(['list', '--kind', '=', 're']), ['research']);
    deepStrictEqual(inBash(['run', 'mis']).toSorted(), ['mission one.json', 'missions']);
    deepStrictEqual(inBash(['--home', 'mis']), ['missions']);
    deepStrictEqual(inBash(['review', 'ID', '--note', 'mis']), []);
  });

  it('offers ids of the given home', () => {
    writeFileSync(join(place.directory, 'plan.json'), JSON.stringify(plan));
    strictEqual(place.run('init', '--home', 'a home').code, 0);
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    strictEqual(place.run('run', 'plan.json', '--request-id', id, '--home', 'a home').code, 0);
    deepStrictEqual(inBash(['--home', 'a home', 'show', '0f8']), [id]);
    deepStrictEqual(inBash(['--home', 'a home', 'show', '1']), []);
    deepStrictEqual(inBash(['show', '']), [], 'there is no home, and nothing is printed');
  });

  const there = (name: Shell): boolean => spawnSync(name, ['--version']).error === undefined;
  const where = (name: Shell) => (there(name) ? it : it.skip);

  where('fish')('offers the same with descriptions in fish', () => {
    const offered = (line: string): string[] => shell('fish', ['--no-config'], `source completion.fish; complete -C '${line}'`);
    deepStrictEqual(offered('agent-cli paus'), [
      'pause\tStop execution and review until you run resume. A pause survives restarts.',
    ]);
    deepStrictEqual(offered('cli list --state=re'), ['--state=rejected', '--state=review']);
    deepStrictEqual(offered('agent-cli --home X list --lim'), ['--limit\thow many']);
    deepStrictEqual(offered('agent-cli run mis'), ['mission one.json', 'missions/']);
    deepStrictEqual(offered('agent-cli verify --against=missions'), ['--against=missions/']);
  });

  it('names the words that call the program in a host', () => {
    for (const name of ['bash', 'zsh', 'fish'] as const) {
      const script = completionScript(name, ['host'], 'host agent');
      match(script, /host agent complete -- /, name);
      doesNotMatch(script, /\bcli\b/, 'a host has its own names');
    }
    match(scripts.get('zsh') ?? '', /^#compdef agent-cli cli\n[^]* compdef _agent_cli agent-cli cli; fi\n$/);
    match(scripts.get('fish') ?? '', /\ncomplete -c cli -w agent-cli\n/);
  });

  for (const [name, args] of [
    ['bash', ['-n']],
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ] as const) {
    where(name)(`has a script that ${name} reads${there(name) ? '' : ` [skipped, ${name} is not installed]`}`, () => {
      const ran = spawnSync(name, [...args, `completion.${name}`], { cwd: place.directory, encoding: 'utf8' });
      strictEqual(ran.stderr, '');
      strictEqual(ran.status, 0);
    });
  }
});
