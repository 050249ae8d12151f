/** The flags that narrow and order a list of missions. */
import { Flags } from '@oclif/core';
import { printable, quoted } from '../base/text.js';
import { kinds } from '../codec/kinds.js';
import { missionSorts, missionStates, sortOrders } from '../codec/record.js';

export const missionFilterFlags = {
  state: Flags.option({ options: missionStates, description: 'only missions in this state' })(),
  kind: Flags.option({ options: kinds, description: 'only missions of this kind' })(),
  q: Flags.string({
    description: 'only missions with this text in the goal, or at the beginning of the id',
    helpValue: 'TEXT',
  }),
  actor: Flags.string({ description: 'only missions on which NAME acted', helpValue: 'NAME' }),
  needs: Flags.string({
    description: 'only missions in review that the approver NAME can decide',
    helpValue: 'NAME',
  }),
  since: Flags.string({
    description: 'only missions changed at this date or time (UTC) or later',
    helpValue: 'TIME',
  }),
  until: Flags.string({ description: 'only missions changed before this date or time (UTC)', helpValue: 'TIME' }),
  sort: Flags.option({ options: missionSorts, description: 'the order; changed when absent' })(),
  order: Flags.option({
    options: sortOrders,
    description: 'the direction; newest change first when absent',
  })(),
  limit: Flags.integer({ description: 'how many', helpValue: 'N' }),
  cursor: Flags.string({ description: 'next_cursor of the previous page', helpValue: 'CURSOR' }),
};

type Values = Readonly<Partial<Record<keyof typeof missionFilterFlags, string | number | undefined>>>;

const names = Object.keys(missionFilterFlags) as (keyof typeof missionFilterFlags)[];
const again = names.filter((name) => name !== 'cursor');

/** Returns the flags that the next page needs again, as they are typed. */
export const filterWords = (flags: Values): string =>
  again.map((name) => (flags[name] === undefined ? '' : ` --${name} ${quoted(printable(String(flags[name])))}`)).join('');

/** Returns whether the flags select by more than the state, for which there is no count. */
export const narrows = ({ kind, q, actor, needs, since, until }: Values): boolean =>
  [kind, q, actor, needs, since, until].some((value) => value !== undefined);
