/** The channel through which somebody acts on a home. */
import { invalid, RefusalError } from '../../base/refusal.js';
import { folded } from '../../base/text.js';
import { type Event, withVia } from '../../codec/event.js';
import type { Via } from '../../codec/scalars.js';
import type { Command } from '../../journal/writer.js';
import type { Db } from '../../store/database.js';
import { recordedApprovers } from '../../tables/approvers.js';
import { recordedTokens } from '../../tables/tokens.js';
import type { Home } from './home.js';

/** Returns the home for one who acts through a channel: it is recorded with each event, beside the actor. @param via none for the program itself */
export const homeVia = (home: Home, via: Via | undefined): Home =>
  via === undefined ? home : { ...home, transact: (command) => home.transact(commandVia(command, via)) };

export const commandVia =
  <A>(command: Command<A>, via: Via): Command<A> =>
  (tx) =>
    command({
      ...tx,
      append: (stream, event) => {
        if (via === 'cli') refuseName(tx.db, actorIn(event));
        return tx.append(stream, withVia(event, via));
      },
    });

/** Returns the name that an event gives to who caused it. An approval that a person's key signed names that person. */
function actorIn({ document }: Event): string | null {
  if ('actor' in document) return document.actor ?? null;
  return 'review' in document && !('approvals' in document) ? document.review.actor : null;
}

/** Returns the names of all approvers and tokens that ever were. */
export const knownNames = (db: Db): readonly string[] => [
  ...recordedApprovers(db).keys(),
  ...recordedTokens(db).map(({ name }) => name),
];

/** @throws RefusalError `invalid` for a name that stands for a token or for a person's key: `--as` is free text */
function refuseName(db: Db, name: string | null): void {
  if (name !== null && name !== 'operator') refuseHolder(db, name);
}

/** @throws RefusalError `invalid` for the name of an assistant that is the operator's, a token's, or that of a person's key */
export function requireOtherName(db: Db, name: string): void {
  if (isLike(name, 'operator')) throw new RefusalError(invalid('as', 'an assistant never acts as the operator'));
  refuseHolder(db, name);
}

function refuseHolder(db: Db, name: string): void {
  const approver = [...recordedApprovers(db).keys()].find((each) => isLike(name, each));
  const token = approver === undefined ? recordedTokens(db).find((each) => isLike(name, each.name)) : undefined;
  const [holder, what] = approver === undefined ? [token?.name, 'a token'] : [approver, 'an approver'];
  if (holder !== undefined) throw new RefusalError(invalid('as', `${holder} is the name of ${what}; give another one`));
}

/** Returns whether a reader may take one name for the other: by case, width, or blanks at its ends. */
const isLike = (name: string, other: string): boolean => folded(name.normalize('NFKC').trim()) === folded(other);
