/** docs/reference/exit-codes.md and limits.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';
import { root } from '../machine.mjs';
import { code, number, table } from './markdown.mjs';

const built = (path) => import(pathToFileURL(join(root, 'dist', 'src', path)).href);

const exits = {
  0: 'success',
  1: 'the execution or the provider failed, a settlement was refused, or the disk is full or cannot be written',
  2: 'invalid input, not found, or there already',
  3: 'integrity: damage, rollback, fork, or not verified',
  4: 'conflict: stale, in the wrong state, in use, or written by a newer version',
  5: 'paused',
  6: 'too early: a lease is active, or a payment is not confirmed yet',
  7: 'not available: an engine, a service, a disabled tool or a taken port',
  130: 'interrupted',
};

export async function exitCodesPage() {
  const { refusals } = await built('base/refusal.js');
  const { boundaryCodes } = await built('codec/api-problem.js');
  const codes = Object.entries(refusals);
  const numbers = [...new Set(codes.map(([, { exit }]) => exit))].sort((a, b) => a - b);
  const unnamed = numbers.filter((exit) => exits[exit] === undefined);
  if (unnamed.length > 0) throw new Error(`exit codes without a name: ${unnamed.join(', ')}`);
  return [
    '# Exit codes and error codes',
    'A command that does what it was told exits with 0. Otherwise it prints what happened and how to go on, and exits with the code of its group.',
    table(
      ['Exit code', 'Meaning', 'Error codes'],
      [
        [0, exits[0], ''],
        ...numbers.map((exit) => [
          exit,
          exits[exit],
          codes
            .filter(([, each]) => each.exit === exit)
            .map(([name]) => code(name))
            .join(', '),
        ]),
      ],
    ),
    'With `--json` an error is one document on standard error. The HTTP API sends the same codes as `application/problem+json` (RFC 9457).',
    table(
      ['Error code', 'Title', 'HTTP status', 'Exit code'],
      codes.map(([name, { title, status, exit }]) => [code(name), title, status, exit]),
    ),
    'These codes occur only in HTTP:',
    table(
      ['Error code', 'HTTP status'],
      Object.entries(boundaryCodes).map(([name, status]) => [code(name), status]),
    ),
  ].join('\n\n');
}

/** Returns the sections of a file of limits, constants or members of one: a line comment on its own line begins one; a comment above a limit describes it. */
function sectionsOf(path, values) {
  const source = readFileSync(join(root, path), 'utf8');
  const { program, comments } = parseSync(path, source);
  const sections = [{ title: null, rows: [] }];
  const between = (from, to) => comments.filter(({ start, end }) => start >= from && end <= to);
  let last = 0;
  const membersOf = ({ declaration }) => declaration?.declarations?.[0]?.init?.properties;
  for (const node of program.body.flatMap((one) => membersOf(one) ?? [one])) {
    const above = between(last, node.start);
    for (const { type, value } of above) if (type === 'Line') sections.push({ title: value.trim(), rows: [] });
    last = node.end;
    const name = node.key?.name ?? node.declaration?.declarations?.[0]?.id?.name;
    if (name === undefined || typeof values[name] !== 'number') continue;
    const [described] = above
      .filter(({ type, end }) => type === 'Block' && source.slice(end, node.start).trim() === '')
      .slice(-1);
    const text = (described?.value ?? '')
      .replace(/^\*+|\*+$/g, '')
      .replace(/\n\s*\* ?/g, ' ')
      .trim();
    sections.at(-1).rows.push([code(name), number(values[name]), text]);
  }
  return sections.filter(({ rows }) => rows.length > 0);
}

export async function limitsPage() {
  const shared = sectionsOf('src/base/limits.ts', await built('base/limits.js'));
  const http = sectionsOf('src/http/core/limits.ts', (await built('http/core/limits.js')).defaultSettings);
  const sections = [...shared, ...http.map(({ rows }) => ({ title: 'HTTP', rows }))];
  return [
    '# Limits',
    'The limits that several parts of the program keep to, and those of what you hand in, with their names in the source; any other limit is beside its use there. A name ends with its unit: `bytes`, `ms`, `chars` (Unicode code points), or the thing that is counted. The limits of a mission file are in [missions.md](../missions.md).',
    ...sections.flatMap(({ title, rows }) => [...(title === null ? [] : [`## ${title}`]), table(['Limit', 'Value', ''], rows)]),
  ].join('\n\n');
}
