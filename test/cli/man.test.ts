/** The manual pages: one for the program and one for each command, which man can format. */
import { deepStrictEqual, match, strictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli-run.js';

const folder = join(root, 'dist', 'man');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

describe('manual pages', () => {
  it('exist for the program and every command that is not hidden', () => {
    const { commands } = JSON.parse(readFileSync(join(root, 'dist', 'oclif.manifest.json'), 'utf8')) as {
      readonly commands: Readonly<Record<string, { readonly hidden?: boolean }>>;
    };
    const named = Object.entries(commands).flatMap(([id, { hidden }]) =>
      hidden === true ? [] : [`agent-cli-${id.replaceAll(':', '-')}.1`],
    );
    deepStrictEqual(readdirSync(folder).toSorted(), ['agent-cli.1', ...named].toSorted());
  });

  it('have a name, a synopsis, the flags and the examples', () => {
    const page = read('agent-cli-list.1');
    match(page, /^\.TH AGENT-CLI-LIST 1 /);
    match(page, /\.SH NAME\nagent\\-cli\\-list \\- List missions/);
    match(page, /\\fB\\-\\-state\\fR[^]*One of: queued, running, review/);
    match(page, /\.SH EXAMPLES\n\.PP\n\.nf\nagent\\-cli list\n\.fi/);
    strictEqual(
      readdirSync(folder).some((name) => read(name).includes('<%=')),
      false,
    );
  });

  const there = spawnSync('groff', ['--version']).error === undefined;
  (there ? it : it.skip)(`are formatted without a warning${there ? '' : ' [skipped, groff is not installed]'}`, () => {
    const ran = spawnSync('groff', ['-man', '-Tutf8', '-ww', ...readdirSync(folder).map((name) => join(folder, name))], {
      encoding: 'utf8',
    });
    strictEqual(ran.stderr, '');
    strictEqual(ran.status, 0);
  });
});
