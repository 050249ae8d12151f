/** The completion scripts: bash is driven as readline drives it; zsh and fish are checked by their own parsers where present. */
import { deepStrictEqual, doesNotMatch, match, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completionScript, type Shell } from '../../src/cli/completion.js';
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
    writeFileSync(join(place.directory, 'mission one.json'), '{}');
  });
  after(() => place.remove());

  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [['reco'], ['recover', 'recover-home']],
    [
      ['config', ''],
      ['set', 'show'],
    ],
    [['--home', 'X', 'verify-e'], ['verify-export']],
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
    [
      ['run', 'mis'],
      ['mission one.json', 'missions'],
    ],
    [
      ['run', '--as', 'x', 'mission'],
      ['mission one.json', 'missions'],
    ],
    [
      ['verify', '--against', 'missi'],
      ['mission one.json', 'missions'],
    ],
    [['init', '--home', 'mis'], ['missions']],
    [['--home', 'mis'], ['missions']],
    [['run', 'a.json', 'mis'], []],
    [['show', 'mis'], []],
    [['review', 'ID', '--note', 'mis'], []],
    [['no-such', ''], []],
    [['--'], ['--home', '--json', '--help', '--version']],
  ];

  it('offers commands, flags, values and files in bash', () => {
    const quote = (word: string): string => `'${word}'`;
    const lines = cases.map(([words]) => {
      const all = ['agent-cli', ...words];
      return `COMP_WORDS=(${all.map(quote).join(' ')}); COMP_CWORD=${all.length - 1}; _agent_cli; printf '%s|' "\${COMPREPLY[@]}"; echo`;
    });
    const script = `set -u; source ./completion.bash; complete -p agent-cli cli\n${lines.join('\n')}`;
    const ran = spawnSync('bash', ['--norc', '-c', script], { cwd: place.directory, encoding: 'utf8' });
    strictEqual(ran.stderr, '');
    const [registered, alias, ...offered] = ran.stdout.split('\n');
    deepStrictEqual([registered, alias], ['complete -F _agent_cli agent-cli', 'complete -F _agent_cli cli']);
    cases.forEach(([words, expected], i) => {
      const found = (offered[i] ?? '').split('|').filter((word) => word !== '');
      deepStrictEqual(found.toSorted(), expected.toSorted(), words.join(' '));
    });
  });

  it('offers ids of the given home in bash', () => {
    writeFileSync(join(place.directory, 'plan.json'), JSON.stringify(plan));
    strictEqual(place.run('init', '--home', 'a home').code, 0);
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    strictEqual(place.run('run', 'plan.json', '--request-id', id, '--home', 'a home').code, 0);
    const bin = join(place.directory, 'bin');
    mkdirSync(bin);
    symlinkSync(program, join(bin, 'agent-cli'));
    const complete = (...words: readonly string[]): string => {
      const all = ['agent-cli', ...words].map((word) => `'${word}'`).join(' ');
      const script = `source ./completion.bash; COMP_WORDS=(${all}); COMP_CWORD=${words.length}; _agent_cli; echo "\${COMPREPLY[@]}"`;
      const env = { ...place.env, PATH: `${bin}:${place.env['PATH'] ?? ''}` };
      return spawnSync('bash', ['--norc', '-c', script], { cwd: place.directory, env, encoding: 'utf8' }).stdout.trim();
    };
    strictEqual(complete('--home', 'a home', 'show', '0f8'), id);
    strictEqual(complete('--home', 'a home', 'show', '1'), '');
    strictEqual(complete('show', ''), '', 'there is no home, and nothing is printed');
    for (const [shell, text] of scripts) match(text, /complete-ids /, shell);
  });

  it('includes every command in every script', () => {
    for (const [shell, text] of scripts) {
      for (const command of ['init', 'run', 'recover-home', 'verify-export', 'completion', 'help']) {
        strictEqual(text.includes(command), true, `${shell}: ${command}`);
      }
      strictEqual(text.includes('<%='), false, shell);
    }
    match(scripts.get('zsh') ?? '', /^#compdef agent-cli cli\n[^]* compdef _agent_cli agent-cli cli; fi\n$/);
    match(scripts.get('fish') ?? '', /\ncomplete -c cli -w agent-cli\n/);
    match(scripts.get('fish') ?? '', /^complete -c agent-cli -n '__fish_seen_subcommand_from list' -l state .* -x -a 'queued /m);
  });

  it('quotes special characters of a description', () => {
    const [description, flags, args] = ["don't [stop]: $(now)", {}, {}];
    const script = (shell: Shell): string => completionScript(shell, ['x'], [{ id: 'a', description, flags, args }]);
    strictEqual(script('zsh').includes(String.raw`'a:don'\''t \[stop\]\: $(now)'`), true);
    strictEqual(script('fish').includes(String.raw`-a a -d 'don'\''t [stop]: $(now)'`), true);
    strictEqual(script('bash').includes('now'), false);
    for (const shell of ['bash', 'zsh', 'fish'] as const) doesNotMatch(script(shell), /\bcli\b/, 'a host has its own names');
  });

  for (const [shell, args] of [
    ['bash', ['-n']],
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ] as const) {
    const there = spawnSync(shell, ['--version']).error === undefined;
    (there ? it : it.skip)(`has a script that ${shell} reads${there ? '' : ` [skipped, ${shell} is not installed]`}`, () => {
      const ran = spawnSync(shell, [...args, `completion.${shell}`], { cwd: place.directory, encoding: 'utf8' });
      strictEqual(ran.stderr, '');
      strictEqual(ran.status, 0);
    });
  }
});
