/** People with passkeys who approve missions in a test. */
import { addApproverKey } from '../../../src/app/approvals/approvers.js';
import type { Home } from '../../../src/app/home/home.js';
import { approveSigned, reviewSubject } from '../../../src/app/missions/review.js';
import type { MissionRecord } from '../../../src/codec/api-missions.js';
import type { SignedReview } from '../../../src/codec/approvals.js';
import { assertionOf, type Passkey, passkey } from '../base/passkeys.js';
import { actor, fakeEngine } from './given-home.js';

export const page = 'http://localhost:8765';

export interface Person {
  readonly name: string;
  readonly passkey: Passkey;
  readonly fingerprint: string;
}

/** Adds a person with a new passkey. */
export async function person(home: Home, name: string, own = passkey()): Promise<Person> {
  const { keys } = await addApproverKey(home, { name, title: null, actor }, { kind: 'passkey', key: own.pem });
  return { name, passkey: own, fingerprint: keys.at(-1)?.fingerprint ?? '' };
}

export const subjectFor = (
  home: Home,
  { id }: Pick<MissionRecord, 'id'>,
  { name, fingerprint }: Person,
  note = 'checked',
): string => reviewSubject(home, id, { note, approver: name, key: fingerprint });

export const signedBy = ({ passkey: own }: Person, subject: string): SignedReview => ({
  subject,
  assertion: assertionOf(own, subject),
});

export const approve = async (
  home: Home,
  mission: Pick<MissionRecord, 'id'>,
  who: Person,
  note = 'checked',
): Promise<MissionRecord> => submitSigned(home, mission, signedBy(who, subjectFor(home, mission, who, note)));

export const submitSigned = (home: Home, { id }: Pick<MissionRecord, 'id'>, signed: SignedReview): Promise<MissionRecord> =>
  approveSigned(home, id, signed, { actor, pages: [page], runEngine: fakeEngine() });
