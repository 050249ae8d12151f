/** The flags of `review` with which a person signs an approval, here or on another machine. */
import { Flags } from '@oclif/core';
import type { Home } from '../app/home/home.js';
import type { MissionRecord } from '../codec/api-missions.js';
import { RefusalError } from '../base/result.js';
import type { Decision } from './decide.js';
import type { OwnKey } from './own-keys.js';
import { keyFingerprint, signWith, subjectLines } from './sign.js';

export const signingFlags = {
  approver: Flags.string({ description: 'who signs; needed where --sign does not tell', helpValue: 'NAME' }),
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
  subject: Flags.string({ description: 'what was signed elsewhere', helpValue: 'FILE', dependsOn: ['signature'] }),
  signature: Flags.string({
    description: 'the signature of ssh-keygen -Y sign over it',
    helpValue: 'FILE',
    dependsOn: ['subject'],
  }),
};

interface SigningGiven {
  readonly approver?: string | undefined;
  readonly sign?: string | undefined;
  readonly key?: string | undefined;
  readonly 'subject-out'?: string | undefined;
  readonly subject?: string | undefined;
  readonly signature?: string | undefined;
}

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
  const { approveSigned, readSigned } = await import('../app/missions/signed-review.js');
  if (signedFile !== undefined) {
    const signed = readSigned(signedFile, signatureFile);
    return await within((home, id) => approveSigned(home, id, signed, options));
  }
  const { signer, ...decision } = await decide();
  if (sign === undefined && output === undefined && signer === undefined) {
    const { reviewMission } = await import('../app/missions/review.js');
    return await within((home, id) => reviewMission(home, id, { ...decision, ...options }));
  }
  const subject = await subjectOf(within, given, { ...decision, signer });
  process.stderr.write(`${subjectLines(subject).join('\n')}\n`);
  if (output !== undefined) return await writeOut(within, output, subject);
  const signature = signWith(signer ?? { key: '', file: sign ?? '' }, subject);
  return await within((home, id) => approveSigned(home, id, { subject, signature }, options));
}

async function subjectOf(
  within: Within,
  { approver, sign, key = '' }: SigningGiven,
  { signer, ...decision }: Omit<Decision, 'signer'> & { readonly signer: OwnKey | undefined },
): Promise<string> {
  if (!decision.approve) {
    const detail = 'a rejection needs no signature; leave out --sign';
    throw new RefusalError({ code: 'invalid', detail, hint: 'agent-cli review --help' });
  }
  const { reviewSubject } = await import('../app/missions/signed-review.js');
  const fingerprint = sign === undefined ? (signer?.fingerprint ?? key) : keyFingerprint(sign);
  const name = approver ?? signer?.approver;
  return await within((home, id) => reviewSubject(home, id, { ...decision, key: fingerprint, approver: name }));
}

async function writeOut(within: Within, output: string, subject: string): Promise<MissionRecord> {
  const [{ writeSubject }, { showMission }] = await Promise.all([
    import('../app/missions/signed-review.js'),
    import('../app/missions/missions.js'),
  ]);
  writeSubject(output, subject);
  return await within(showMission);
}
