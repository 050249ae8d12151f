/** The flags of `review` with which a person signs an approval, here or on another machine. */
import { Flags } from '@oclif/core';
import type { Home } from '../app/home/home.js';
import type { MissionRecord } from '../codec/api-missions.js';
import { errorCode, RefusalError } from '../base/refusal.js';
import type { Decision } from './decide.js';
import type { OwnKey } from './own-keys.js';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approval_namespace, readSubject } from '../base/approval.js';
import { printable, quoted } from '../base/text.js';
import { pairs } from './table.js';

export const signingFlags = {
  approver: Flags.string({ description: 'who signs; needed if the key of --sign does not tell', helpValue: 'NAME' }),
  sign: Flags.string({
    description: 'sign the approval by ssh-keygen with this key, public or private',
    helpValue: 'KEYFILE',
    exclusive: ['subject', 'subject-out'],
  }),
  key: Flags.string({
    description: 'the key that is to sign elsewhere, by its fingerprint',
    helpValue: 'FINGERPRINT',
    dependsOn: ['subject-out'],
  }),
  'subject-out': Flags.string({
    description: 'write what is to be signed into a new file, for a key on another machine, and record nothing',
    helpValue: 'FILE',
    dependsOn: ['key'],
  }),
  subject: Flags.string({
    description: 'the file of --subject-out, which was signed elsewhere',
    helpValue: 'FILE',
    dependsOn: ['signature'],
    // The signed file holds all of these: another decision or reason beside it would be ignored.
    exclusive: ['approve', 'reject', 'note', 'revision', 'result-hash', 'approver'],
  }),
  signature: Flags.string({
    description: 'the signature of that file by ssh-keygen -Y sign',
    helpValue: 'FILE',
    dependsOn: ['subject'],
  }),
};

type SigningGiven = { readonly [name in keyof typeof signingFlags]?: string | undefined };

/** Opens the home and runs `use` with the mission. */
export type Within = <B>(use: (home: Home, id: string) => Promise<B> | B) => Promise<B>;

interface ReviewOptions {
  readonly actor: string;
  readonly onWarning: (warning: string) => void;
}

/** Records a decision: by the signature of a key, brought or made here while the home is closed, else by the home for the actor. */
export async function review(
  within: Within,
  given: SigningGiven,
  decide: () => Promise<Decision>,
  options: ReviewOptions,
): Promise<MissionRecord> {
  const { sign, subject: signedFile, signature: signatureFile = '', 'subject-out': output } = given;
  const { approveSigned, readSigned, reviewMission } = await import('../app/missions/review.js');
  if (signedFile !== undefined) {
    const signed = readSigned(signedFile, signatureFile);
    return await within((home, id) => approveSigned(home, id, signed, options));
  }
  const { signer, ...decision } = await decide();
  if (sign === undefined && output === undefined && signer === undefined) {
    if (given.approver !== undefined) throw new RefusalError('invalid', unsignedApprover, { hint: 'agent-cli review --help' });
    return await within((home, id) => reviewMission(home, id, { ...decision, ...options }));
  }
  const subject = await subjectOf(within, given, { ...decision, signer });
  process.stderr.write(`${subjectLines(subject).join('\n')}\n`);
  if (output !== undefined) return await writeOut(within, output, subject);
  const signature = signWith(signer ?? { key: '', file: sign ?? '' }, subject);
  return await within((home, id) => approveSigned(home, id, { subject, signature }, options));
}

const unsignedApprover = '--approver names who signs, and nothing was to be signed: it needs --sign or --subject-out';

async function subjectOf(
  within: Within,
  { approver, sign, key = '' }: SigningGiven,
  { signer, ...decision }: Omit<Decision, 'signer'> & { readonly signer: OwnKey | undefined },
): Promise<string> {
  if (!decision.approve) {
    const detail = 'a rejection needs no signature; leave out --sign and --subject-out';
    throw new RefusalError('invalid', detail, { hint: 'agent-cli review --help' });
  }
  const { reviewSubject } = await import('../app/missions/review.js');
  const fingerprint = sign === undefined ? (signer?.fingerprint ?? key) : keyFingerprint(sign);
  const name = approver ?? signer?.approver;
  return await within((home, id) => reviewSubject(home, id, { ...decision, key: fingerprint, approver: name, isSsh: true }));
}

/** Returns how the file with what is to be signed is signed elsewhere, and recorded here. */
export const toSignLines = (id: string, file: string): string[] => [
  `written to ${file}; nothing is recorded yet`,
  '',
  `next: on the machine of the key, run ssh-keygen -Y sign -f KEYFILE -n ${approval_namespace} ${quoted(file)}; then here`,
  `  agent-cli review ${id} --subject ${quoted(file)} --signature ${quoted(`${file}.sig`)}`,
];

async function writeOut(within: Within, output: string, subject: string): Promise<MissionRecord> {
  const { writeSubject } = await import('../app/missions/review.js');
  const { showMission } = await import('../app/missions/missions.js');
  writeSubject(output, subject);
  return await within(showMission);
}

// Signs an approval with ssh-keygen: keys with a passphrase, in an agent or on hardware work, and the private key stays with it.

const output_bytes_max = 65_536;

/** Runs a program of OpenSSH, which may ask at the terminal. @throws RefusalError `engine_unavailable` without it, `invalid` when it fails */
function run(args: readonly string[], input = ''): string {
  const { status, stdout, error } = spawnSync('ssh-keygen', args, {
    encoding: 'utf8',
    input,
    maxBuffer: output_bytes_max,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (error !== undefined) {
    const detail = `ssh-keygen cannot be started (${errorCode(error)}); signing needs OpenSSH 8.9 or later`;
    throw new RefusalError('engine_unavailable', detail, { hint: 'agent-cli review --help' });
  }
  if (status === 0) return stdout;
  throw new RefusalError('invalid', `ssh-keygen ${args.slice(0, 2).join(' ')} failed; nothing was recorded`);
}

/** Returns the fingerprint of a key by its file, public or private. */
const keyFingerprint = (file: string): string => run(['-l', '-E', 'sha256', '-f', file]).split(' ')[1] ?? '';

/** Returns the signature of a key over a subject, as ssh-keygen prints it. A key without a file is in ssh-agent. */
function signWith({ key, file }: Pick<OwnKey, 'key' | 'file'>, subject: string): string {
  const sign = (named: string): string =>
    run(['-q', '-Y', 'sign', '-f', named, '-n', approval_namespace, '-O', 'hashalg=sha512'], subject);
  if (file !== null) return sign(file);
  const directory = mkdtempSync(join(tmpdir(), 'agent-cli-key-'));
  try {
    const named = join(directory, 'key.pub');
    writeFileSync(named, `${key}\n`);
    return sign(named);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns what a person sees before signing, made of the bytes that are signed. */
function subjectLines(text: string): string[] {
  const { approver, key, mission, kind, result_hash, revision, note, at } = readSubject(text);
  return [
    'You sign that you approve this result:',
    ...pairs([
      ['mission', printable(mission)],
      ['kind', printable(kind)],
      ['revision', String(revision)],
      ['result hash', printable(result_hash)],
      ['reason', printable(note)],
      ['approver', printable(approver)],
      ['key', printable(key)],
      ['time', `${printable(at)}; the signature counts for 15 minutes`],
    ]),
  ];
}
