/** docs/reference/commands.md, from dist/oclif.manifest.json, which the build writes from the commands. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../machine.mjs';
import { cell, code, table } from './markdown.mjs';

const resolved = (text) => text.replaceAll('<%= config.bin %>', 'agent-cli').replaceAll('<%= command.id %>', '');
const flagName = ({ name, char, type, helpValue, options, allowNo }) => {
  const value = type === 'boolean' ? '' : ` ${helpValue ?? (options ? options.join('|') : 'VALUE')}`;
  return `${char ? `-${char}, ` : ''}--${allowNo ? '[no-]' : ''}${name}${value}`;
};

function flagText({ description = '', required, default: fallback, options, multiple }) {
  const notes = [
    required ? 'required' : '',
    options ? `one of ${options.join(', ')}` : '',
    fallback === undefined || fallback === false || fallback.length === 0 ? '' : `default ${fallback}`,
    multiple ? 'may be repeated' : '',
  ].filter(Boolean);
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

function section({ id, description = '', args, flags, examples = [] }) {
  const name = id.replaceAll(':', ' ');
  const named = Object.values(args ?? {});
  const own = Object.values(flags ?? {}).filter(({ helpGroup, hidden }) => helpGroup !== 'GLOBAL' && !hidden);
  const usage = named.map(({ name: arg, required }) => (required ? arg.toUpperCase() : `[${arg.toUpperCase()}]`));
  const rows = [
    ...named.map((arg) => [code(arg.name.toUpperCase()), flagText(arg)]),
    ...own.map((flag) => [code(flagName(flag)), flagText(flag)]),
  ];
  return [
    `## ${name}`,
    resolved(description).trim(),
    `\`\`\`\nagent-cli ${[name, ...usage, own.length > 0 ? '[flags]' : ''].filter(Boolean).join(' ')}\n\`\`\``,
    rows.length === 0 ? '' : table(['Argument or flag', ''], rows),
    examples.length === 0 ? '' : `\`\`\`\n${examples.map((example) => resolved(example)).join('\n')}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n');
}

export function commandsPage() {
  const { commands } = JSON.parse(readFileSync(join(root, 'dist', 'oclif.manifest.json'), 'utf8'));
  const all = Object.values(commands).filter(({ hidden }) => !hidden);
  const rows = all.map(({ id, description = '' }) => {
    const name = id.replaceAll(':', ' ');
    return [`[${name}](#${name.replaceAll(' ', '-')})`, cell(resolved(description).split('\n')[0])];
  });
  const global = Object.values(commands.list.flags).filter(({ helpGroup }) => helpGroup === 'GLOBAL');
  return [
    '# Commands',
    'Every command has these flags, except that `mcp` has no `--json`. Its [exit code](exit-codes.md) says how it ended; an error is one document on standard error with `--json`.',
    table(
      ['Flag', ''],
      global.map((flag) => [code(flagName(flag)), flagText(flag)]),
    ),
    table(['Command', ''], rows),
    ...all.map(section),
  ].join('\n\n');
}
