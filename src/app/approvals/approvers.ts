/** Adds and removes approvers and their public keys. Private keys never come near the home. */
import { readKey } from '../../base/approval.js';
import { invalid, RefusalError, type Result, validOf } from '../../base/refusal.js';
import {
  type Approver,
  type ApproverEvent,
  approverStream,
  decideAddKey,
  decideRemove,
  type KeyAddition,
  nameRefusal,
  type Removal,
} from '../../domain/approver.js';
import { readNamed } from '../../home/files.js';
import { recordEvents } from '../../journal/stream.js';
import type { Db } from '../../store/database.js';
import { recordedApprovers } from '../../tables/approvers.js';
import { readEvents } from '../../tables/read.js';
import type { Home, World } from '../home/home.js';
import { randomBytes } from 'node:crypto';
import { readRegistration, type Registration } from '../../base/passkey-registration.js';
import { sha256Hex } from '../../base/bytes.js';
import { formatTime } from '../../base/time.js';
import type { ApproverDocument, ApproverList, ApproverOffer } from '../../codec/api-approvers.js';
import type { Via } from '../../codec/scalars.js';
import { homeVia, knownNames } from '../home/via.js';
import { type ActiveToken, type ActiveTokens, isInForce, keep, type Period, periodOf } from '../tokens/authenticate.js';

const recordOf = ({ revision: _1, ...shown }: Approver): ApproverDocument => shown;

function requireApprover(known: ReadonlyMap<string, Approver>, name: string): Approver {
  const found = known.get(name);
  if (found !== undefined) return found;
  throw new RefusalError('not_found', `there is no approver ${name}`, { hint: 'agent-cli approver list' });
}

async function change(
  home: Home,
  name: string,
  decide: (approvers: ReadonlyMap<string, Approver>, db: Db) => Result<readonly ApproverEvent[]>,
): Promise<ApproverDocument> {
  const approvers = await home.transact((tx) => {
    recordEvents(tx, approverStream, name, decide(recordedApprovers(tx.db), tx.db));
    return recordedApprovers(tx.db);
  });
  return recordOf(requireApprover(approvers, name));
}

export interface GivenKey {
  readonly kind: 'ssh' | 'passkey';
  /** The line of a file .pub, whose comment is left out, or the SubjectPublicKeyInfo of a passkey in PEM. */
  readonly key: string;
  /** What a browser finds a passkey by. */
  readonly credential?: string;
}

const key_file_bytes_max = 8_192;

/** Reads the file of a public key, or standard input by `-`. */
export const readKeyFile = (file: string): string => readNamed(file, key_file_bytes_max).toString('utf8');

/**
 * @param mayStill throws where the key may no longer be added at the moment of its record
 * @throws RefusalError `invalid` for a key that is malformed or weak, `exists` for one that somebody has
 */
export async function addApproverKey(
  home: Home,
  addition: Pick<KeyAddition, 'name' | 'title' | 'actor'>,
  given: GivenKey,
  mayStill: () => unknown = () => undefined,
): Promise<ApproverDocument> {
  const known = await validOf('key', () => readKey(given.kind, given.key));
  return await change(home, addition.name, (approvers, db) => {
    mayStill();
    return decideAddKey(approvers, knownNames(db), { ...addition, ...given, ...known });
  });
}

export const removeApprover = (home: Home, removal: Removal): Promise<ApproverDocument> =>
  change(home, removal.name, (approvers) => decideRemove(requireApprover(approvers, removal.name), removal));

/** Returns all approvers by name, removed ones too. */
export const listApprovers = (home: Home): ApproverList => ({
  items: [...recordedApprovers(home.db).values()].map(recordOf).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
});

/** @throws RefusalError `not_found` */
export const showApprover = (home: Home, name: string): ApproverDocument =>
  recordOf(requireApprover(recordedApprovers(home.db), name));

// Links by which people register passkeys: whoever opens one adds a key to the approver that an admin named. Only this process knows them.

const link_code_bytes = 16;
const link_ms_max = 600_000;
const links_max = 64;
const challenge_bytes = 32;

type Person = Pick<KeyAddition, 'name' | 'title'>;

interface Maker {
  readonly name: string;
  readonly via: Via;
  /** The name of the token with which the link is made. */
  readonly token: string;
}

interface Link {
  readonly person: Person;
  readonly maker: Omit<Maker, 'token'>;
  /** The maker's: a link ends with it. */
  readonly token: ActiveToken;
  readonly until: Period;
  /** How often its approver, or a key of theirs, had been removed. A later removal ends it, also if the approver is added again. */
  readonly removals: number;
  /** What the next passkey must be made for; null while none was asked for, and once it was tried. */
  readonly challenge: Buffer | null;
}

export class ApproverLinks {
  private readonly links = new Map<string, Link>();

  constructor(
    private readonly world: World,
    private readonly tokens: Pick<ActiveTokens, 'byName'>,
  ) {}

  /** @throws RefusalError `invalid` for a name that no approver may have */
  issue(home: Home, person: Person, { name, via, token: named }: Maker): { readonly code: string; readonly expires_at: string } {
    const refusal = nameRefusal(knownNames(home.db), person.name);
    if (refusal !== null) throw new RefusalError(refusal);
    const token = this.tokens.byName(named);
    if (token === null) throw new RefusalError('unauthorized', 'the token of this name is no longer valid');
    const code = randomBytes(link_code_bytes).toString('base64url');
    const until = periodOf(this.world, link_ms_max);
    const removals = removalsOf(home, person.name);
    keep(this.links, sha256Hex(code), { person, maker: { name, via }, token, until, removals, challenge: null }, links_max);
    return { code, expires_at: formatTime(until.clock_ms) };
  }

  /** Returns for whom the link is, and a new challenge, which replaces the one before. @throws RefusalError `unauthorized` */
  open(home: Home, code: string): ApproverOffer {
    const link = this.require(home, code);
    const challenge = randomBytes(challenge_bytes);
    this.links.set(sha256Hex(code), { ...link, challenge });
    const { person, until } = link;
    return {
      approver: person.name,
      title: person.title,
      challenge: challenge.toString('base64url'),
      expires_at: formatTime(until.clock_ms),
    };
  }

  /**
   * Adds the passkey that was made for the challenge of a link, which is then used up; a challenge is, whatever came of it.
   * @param pages the origins on which it may have been made
   * @throws RefusalError `unauthorized`, `invalid`, `exists`
   */
  async register(home: Home, code: string, given: Registration, pages: readonly string[]): Promise<ApproverDocument> {
    const opened = this.require(home, code);
    const { challenge, ...link } = opened;
    this.links.delete(sha256Hex(code));
    try {
      if (challenge === null) throw new RefusalError(invalid('client_data', 'is for no challenge of this link: open it again'));
      const { origin, key, credential } = await validOf('attestation_object', () => readRegistration(challenge, given));
      if (!pages.includes(origin))
        throw new RefusalError(invalid('client_data', `was made on the page ${origin}, not on ${pages.join(' or ')}`));
      const { person, maker } = link;
      const addition = { ...person, actor: maker.name };
      const passkey = { kind: 'passkey', key, credential } as const;
      return await addApproverKey(homeVia(home, maker.via), addition, passkey, () => this.inForce(home, opened));
    } catch (error) {
      keep(this.links, sha256Hex(code), { ...link, challenge: null }, links_max);
      throw error;
    }
  }

  private require(home: Home, code: string): Link {
    return this.inForce(home, this.links.get(sha256Hex(code)));
  }

  private inForce(home: Home, link: Link | undefined): Link {
    if (link !== undefined && isInForce(this.world, this.tokens, link) && removalsOf(home, link.person.name) <= link.removals)
      return link;
    const detail =
      'the link is not valid: it was used, its ten minutes are over, the agent was started again, or the approver or a key was removed; ask for another one';
    throw new RefusalError('unauthorized', detail);
  }
}

/** Returns how often an approver, or a key of theirs, was removed. The record of one who was added again does not show the removal. */
const removalsOf = ({ db }: Home, name: string): number =>
  readEvents(db, approverStream, name).filter(({ type }) => type === 'approver.removed' || type === 'approver.key_removed')
    .length;
