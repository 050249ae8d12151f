/** Writes dist/man/agent-cli.1, the manual page of the program and its commands, from the manifest. npm installs the pages that `man` in package.json lists. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './machine.mjs';

const bin = 'agent-cli';
const folder = join(root, 'dist', 'man');
const { commands, version } = JSON.parse(readFileSync(join(root, 'dist', 'oclif.manifest.json'), 'utf8'));
const shown = Object.values(commands).filter(({ hidden }) => hidden !== true);

/** Returns text for troff: nothing in it is a request or an escape. */
const plain = (text) =>
  text
    .replaceAll('<%= config.bin %>', bin)
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/[^\n -~]/gu, (character) => `\\[u${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
    .replaceAll(/^(['.])/gm, '\\&$1');
const words = (id) => `${bin} ${id.replaceAll(':', ' ')}`;

const argText = ({ name, required }) => (required ? plain(name.toUpperCase()) : `[${plain(name.toUpperCase())}]`);

function flagLines({ name, char, type, description = '', helpValue, options, default: preset }) {
  const value = type === 'boolean' ? '' : ` \\fI${plain(String(helpValue ?? 'VALUE'))}\\fR`;
  const short = char === undefined ? '' : `\\fB\\-${char}\\fR, `;
  const notes = [
    description,
    ...(options === undefined ? [] : [`One of: ${options.join(', ')}.`]),
    ...(preset === undefined || type === 'boolean' ? [] : [`Default: ${preset}.`]),
  ];
  return ['.TP', `${short}\\fB\\-\\-${plain(name)}\\fR${value}`, plain(notes.join('\n'))];
}

function commandLines({ id, description = '', args, flags, examples = [] }) {
  const given = Object.values(args);
  const options = Object.values(flags).filter(({ hidden, helpGroup }) => hidden !== true && helpGroup !== 'GLOBAL');
  return [
    `.SS ${[plain(words(id)), ...given.map(argText), ...(options.length === 0 ? [] : ['[FLAGS]'])].join(' ')}`,
    plain(description),
    ...given.flatMap(({ name, description: text = '' }) => ['.TP', `\\fB${plain(name.toUpperCase())}\\fR`, plain(text)]),
    ...options.flatMap(flagLines),
    ...examples.flatMap((line) => ['.PP', '.nf', plain(line), '.fi']),
  ];
}

const programPage = () => [
  `.TH ${bin.toUpperCase()} 1 "" "${bin} ${version}" "${bin} manual"`,
  '.SH NAME',
  `${plain(bin)} \\- plan and research on your own machine, under review`,
  '.SH SYNOPSIS',
  `.B ${bin}`,
  '[\\fB\\-\\-home\\fR \\fIDIR\\fR] \\fICOMMAND\\fR [\\fB\\-\\-json\\fR]',
  '.SH DESCRIPTION',
  'Nothing counts until a person has approved it, and every step is recorded in a signed journal that anyone can verify offline.',
  '.SH FLAGS OF EVERY COMMAND',
  ...['home', 'json'].flatMap((name) => flagLines(commands.list.flags[name])),
  '.SH COMMANDS',
  ...shown.flatMap(commandLines),
  '.SH ENVIRONMENT',
  '.TP',
  'AGENT_HOME',
  'The home directory when \\-\\-home is not given.',
  '.TP',
  'COLUMNS',
  'The width of the output for people, from 40 to 200.',
  '.TP',
  'NO_COLOR',
  'Print without colours.',
];

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) rmSync(join(folder, name));
writeFileSync(join(folder, `${bin}.1`), `${programPage().join('\n')}\n`);
