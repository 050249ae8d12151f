/** Reports a failed command to people and programs: the refusal table's exit code, and text or one JSON document. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Errors } from '@oclif/core';
import { damageRefusal } from '../base/damage.js';
import {
  errorCode,
  Fault,
  noSpace,
  type OpenChoice,
  openFilesRefusal,
  RecordedFault,
  type Refusal,
  RefusalError,
  refusals,
} from '../base/refusal.js';
import { flagWords, printable, quoted } from '../base/text.js';
import { jsonOn } from './output.js';
import { type Invocation, paint, pasteable } from './text.js';
import { usageText } from './usage.js';
import { printWarnings } from './warnings.js';

interface FailureContext extends Invocation {
  readonly json: boolean;
  /** The command that explains the usage, for usage errors. */
  readonly help: string;
  /** What the command warned of before it failed. */
  readonly warnings?: readonly string[];
}

/** Prints the failure on standard error and sets the exit code. */
export function reportFailure(error: Error, asked: FailureContext): void {
  const refusal = refusalOf(error, asked.help);
  process.exitCode = refusal === null ? 1 : refusals[refusal.code].exit;
  const { warnings = [] } = asked;
  const document = { ...errorDocument(error, refusal, asked), ...(warnings.length === 0 ? {} : { warnings }) };
  const lines = asked.json ? [jsonOn(process.stderr, document)] : errorLines(error, refusal, asked);
  if (!asked.json) printWarnings(warnings, asked);
  process.stderr.write(`${lines.join('\n')}\n`);
  if (refusal === null && process.env['DEBUG'] !== undefined) process.stderr.write(`${stackOf(error)}\n`);
}

/** Returns the refusal for an error, or null for a fault. The parser's usage errors count as invalid input. */
function refusalOf(error: Error, help: string): Refusal | null {
  if (error instanceof RefusalError) return error.refusal;
  if (error instanceof Errors.CLIError) return { code: 'invalid', detail: usageText(error), hint: help };
  const binding = bindingRefusal(error);
  if (binding !== null) return binding;
  const damage = damageRefusal(error);
  if (damage !== null) return damage;
  const shortage = openFilesRefusal(error, 'path' in error ? String(error.path) : 'a file');
  if (shortage !== null) return shortage;
  const known: Partial<Record<string, Refusal['code']>> = {
    ENOSPC: 'storage_full',
    EDQUOT: 'storage_full',
    EROFS: 'not_writable',
    EIO: 'not_writable',
    EACCES: 'forbidden',
    EPERM: 'forbidden',
    ENAMETOOLONG: 'invalid',
  };
  if ('syscall' in error && error.syscall === 'uv_cwd') return { code: 'not_found', detail: 'the working directory was removed' };
  const code = known[errorCode(error)];
  return code === undefined ? null : { code, detail: textOf(error) };
}

function errorDocument(error: Error, refusal: Refusal | null, called: Invocation) {
  if (refusal === null) {
    const recorded = error instanceof RecordedFault ? { facts: { recorded: true } } : {};
    const remains = error instanceof RecordedFault && error.remains !== null ? { hint: error.remains } : {};
    return { code: 'fault', title: 'Internal fault', detail: messageOf(error), errors: [], ...recorded, ...remains };
  }
  const { code, detail, faults, errors = faults ?? [], choices, facts, hint } = refusal;
  return {
    code,
    title: refusals[code].title,
    detail,
    errors,
    ...(choices === undefined ? {} : { choices }),
    ...(facts === undefined ? {} : { facts }),
    ...(hint === undefined ? {} : { hint: hintFor(hint, called) }),
  };
}

const arrow = '→ ';

/** Returns the hint with the name and the home of the command that failed. */
const hintFor = (hint: string, { bin, home }: Invocation): string => pasteable(arrow + hint, bin, home).slice(arrow.length);

function errorLines(error: Error, refusal: Refusal | null, called: Invocation): string[] {
  if (refusal === null) return faultLines(error, called);
  const title = paint.err('red', `✗ ${refusals[refusal.code].title}:`);
  const { errors = [], faults = [], choices = [] } = refusal;
  return [
    `${title} ${printable(refusal.detail)}`,
    ...(errors.every(({ message }) => refusal.detail.includes(message)) ? [] : errors).map(
      ({ path, message }) => `    ${path === '' ? '(document)' : printable(path)}: ${printable(message)}`,
    ),
    ...(faults.length > 1 ? faults : []).map(({ file, message }) => `    ${printable(file)}: ${printable(message)}`),
    ...choices.flatMap(choiceLines),
    ...(refusal.hint === undefined ? [] : [`  ${arrow}${hintFor(refusal.hint, called)}`]),
  ];
}

function choiceLines({ readings }: OpenChoice): string[] {
  const flags = readings.map(({ option }) => optionFlags(option));
  const columns = Math.max(...flags.map((flag) => flag.length));
  return readings.map(({ label }, i) => `    ${(flags[i] ?? '').padEnd(columns)}  ${printable(label)}`);
}

function faultLines(error: Error, { bin, home }: Invocation): string[] {
  const message = `${paint.err('red', '✗')} ${printable(messageOf(error))}`;
  if (!(error instanceof RecordedFault))
    return [message, '  This is a fault of the program or the machine; nothing was acknowledged. DEBUG=1 shows its cause.'];
  const { remains } = error;
  return [
    message,
    ...(remains === null ? [] : [pasteable(`  → ${remains}`, bin, home)]),
    '  This is a fault of the program or the machine. DEBUG=1 shows its cause.',
  ];
}

const messageOf = (error: Error): string =>
  error instanceof Fault && error.cause instanceof Error ? `${error.message} (${messageOf(error.cause)})` : textOf(error);

/** Returns an error's text. An error from another thread or from a library may have no message, and Node has none for a quota. */
const textOf = (error: Partial<Error>): string =>
  (errorCode(error) === 'EDQUOT' ? noSpace('EDQUOT') : error.message) ||
  errorCode(error) ||
  error.name ||
  'an error without a message';

const stackOf = (error: Error): string =>
  [error.stack, error.cause instanceof Error ? `caused by ${error.cause.stack ?? ''}` : ''].join('\n');

/** Returns the refusal for an error that means that a package is not installed, or that its native code cannot be loaded; or null. */
export function bindingRefusal(error: unknown): Refusal | null {
  const message = error instanceof Error ? `${error.message}\n${error.cause instanceof Error ? error.cause.message : ''}` : '';
  const missing = missingPackage(message);
  if (missing !== null) return missing;
  const machine = `Node ${process.version} on ${process.platform} ${process.arch}`;
  if (errorCode(error) === 'ADDON_NOT_FOUND')
    return { code: 'engine_unavailable', detail: `sodium-native has no native build for ${machine}` };
  const older = olderLibrary.exec(message);
  if (older !== null) return olderLibraryRefusal(older[1] ?? '', older[2] ?? '');
  if (errorCode(error) === 'CANNOT_LOAD' && message.includes('sodium-native'))
    return { code: 'engine_unavailable', detail: `the native code of the package sodium-native cannot be loaded by ${machine}` };
  const isSqlite = /Could not locate the bindings file/.test(message) || /better_sqlite3\.node/.test(message);
  if (!isSqlite) return null;
  const detail = `better-sqlite3 has no native build for ${machine}`;
  // Version 13 brings its native code for most machines; for the others it can be compiled.
  const [script, name] = message.includes(newer_sqlite) ? ['build-release', newer_sqlite] : ['install', 'better-sqlite3'];
  return { code: 'engine_unavailable', detail, hint: `npm run ${script} --prefix ${quoted(directoryOf(name))}` };
}

/** What Node says of an import, and of a package that is not there; a file within a package has more to its name. */
const notFound = /Cannot find (?:package|module) '((?:@[\w.-]+\/)?[a-z][\w.-]*)[/']/;

function missingPackage(message: string): Refusal | null {
  const name = notFound.exec(message)?.[1];
  if (name === undefined || isInstalled(name)) return null;
  const inClone = fileURLToPath(new URL('../../../package-lock.json', import.meta.url));
  const hint = existsSync(inClone) ? `npm ci --prefix ${quoted(path.dirname(inClone))}` : 'install agent-cli again';
  return { code: 'engine_unavailable', detail: `the package ${name} is not installed`, hint };
}

function isInstalled(name: string): boolean {
  try {
    return directoryOf(name) !== '';
  } catch (error) {
    return errorCode(error) !== 'MODULE_NOT_FOUND';
  }
}

const newer_sqlite = 'better-sqlite3-13';
/** The message of the dynamic loader about a symbol version that no library of the system has. */
const olderLibrary =
  /version `(GLIBC\w*_[\w.]+)' not found \(required by [^)]*\b(better-sqlite3-13|better.sqlite3|sodium-native)\b[^)]*\.node\)/;

function olderLibraryRefusal(version: string, file: string): Refusal {
  const name = file.replace('better_', 'better-');
  const detail = `the native build of ${name} needs ${version}, which this system does not have`;
  const directory = directoryOf(name);
  // Only when the package has its sources; the portable folder leaves them out.
  const hint = existsSync(path.join(directory, 'binding.gyp')) ? `npm run build-release --prefix ${quoted(directory)}` : null;
  return { code: 'engine_unavailable', detail, ...(hint === null ? {} : { hint }) };
}

/** npm runs an install script that it is given by name, whatever its settings allow packages to run by themselves. */
const directoryOf = (name: string): string => path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));

/** Returns the flags that give an option of reading a file, to be copied. */
export const optionFlags = (options: object): string => flagWords(options).map(quoted).join(' ');
