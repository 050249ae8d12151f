/** Writes dist/man/*.1, a manual page for the program and one for each command, from the manifest. */
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
const first = (text) => text.split('\n')[0].replace(/\.$/, '');
const words = (id) => `${bin} ${id.replaceAll(':', ' ')}`;
const pageOf = (id) => `${bin}-${id.replaceAll(':', '-')}`;

const head = (name, summary) => [
  `.TH ${name.toUpperCase()} 1 "" "${bin} ${version}" "${bin} manual"`,
  '.SH NAME',
  `${plain(name)} \\- ${plain(summary)}`,
  '.SH SYNOPSIS',
];

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

function commandPage({ id, description = '', args, flags, examples = [] }) {
  const given = Object.values(args);
  const options = Object.values(flags).filter(({ hidden }) => hidden !== true);
  return [
    ...head(pageOf(id), first(description)),
    `.B ${plain(words(id))}`,
    [...given.map(argText), '[\\fIFLAGS\\fR]'].join(' '),
    '.SH DESCRIPTION',
    plain(description),
    ...(given.length === 0 ? [] : ['.SH ARGUMENTS']),
    ...given.flatMap(({ name, description: text = '' }) => ['.TP', `\\fB${plain(name.toUpperCase())}\\fR`, plain(text)]),
    ...(options.length === 0 ? [] : ['.SH FLAGS', ...options.flatMap(flagLines)]),
    ...(examples.length === 0 ? [] : ['.SH EXAMPLES', ...examples.flatMap((line) => ['.PP', '.nf', plain(line), '.fi'])]),
    '.SH SEE ALSO',
    `.BR ${bin} (1)`,
  ];
}

const programPage = () => [
  ...head(bin, 'plan and research on your own machine, under review'),
  `.B ${bin}`,
  '[\\fB\\-\\-home\\fR \\fIDIR\\fR] \\fICOMMAND\\fR [\\fB\\-\\-json\\fR]',
  '.SH DESCRIPTION',
  'Nothing counts until a person has approved it, and every step is recorded in a signed journal that anyone can verify offline.',
  '.SH COMMANDS',
  ...shown.flatMap(({ id, description = '' }) => ['.TP', `\\fB${plain(id.replaceAll(':', ' '))}\\fR`, plain(first(description))]),
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
const write = (name, lines) => writeFileSync(join(folder, `${name}.1`), `${lines.join('\n')}\n`);
write(bin, programPage());
for (const command of shown) write(pageOf(command.id), commandPage(command));
