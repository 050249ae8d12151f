/** People who approve results, and their public keys. A key belongs to one of them for ever; a removed one approves nothing more. */
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { invalid, ok, type Refusal, type Result } from '../base/refusal.js';
import { noteFault } from '../base/text.js';
import type { Documents } from '../codec/event.js';
import { approverCodec, type ApproverDocument } from '../codec/api-approvers.js';
import type { Config } from '../codec/config.js';
import { object, required } from '../codec/kit.js';
import { idForm, idPattern, sequence } from '../codec/scalars.js';
import { type EventContext, type EventIn, streams } from './stream.js';

const approvers_max = 1_000;
const approver_keys_max = 20;
const reason_chars_max = 500;
const title_chars_max = 200;

export type ApproverEvent = EventIn<'approver.'>;

export type ApproverKey = ApproverDocument['keys'][number];

/** A person who approves, also one who was removed. */
export const approverRow = object('ApproverRow', {
  ...approverCodec.fields,
  /** Sequence of the newest event. */
  revision: required(sequence),
});

export type Approver = t.TypeOf<typeof approverRow>;

export const approverStream = streams<Approver, 'approver.'>('@approver:', {
  noun: 'approver',
  events: ['approver.'],
  evolve: evolveApprover,
});

function evolveApprover(before: Approver | null, { type, document }: ApproverEvent, context: EventContext): Approver {
  const { id: name, sequence: revision, time: changed_at } = context;
  const { title, keys, created_at } = before ?? { title: null, keys: [], created_at: changed_at };
  const at = { name, revision, changed_at, created_at, title, keys, state: before?.state ?? 'active' } as const;
  const without = (isRemoved: (key: ApproverKey) => boolean, reason: string): readonly ApproverKey[] =>
    keys.map((key) => (key.removed_at === null && isRemoved(key) ? { ...key, removed_at: changed_at, reason } : key));
  switch (type) {
    case 'approver.added':
      return { ...at, title: document.title, state: 'active' };
    case 'approver.key_added': {
      const { actor: _1, via: _2, ...key } = document;
      return { ...at, keys: [...keys, { ...key, added_at: changed_at, removed_at: null, reason: null }] };
    }
    case 'approver.key_removed':
      return { ...at, keys: without(({ fingerprint }) => fingerprint === document.fingerprint, document.reason) };
    case 'approver.removed':
      return { ...at, state: 'removed', keys: without(() => true, document.reason) };
  }
}

type Approvers = ReadonlyMap<string, Approver>;
type Events = Result<readonly ApproverEvent[]>;

/** The names that the program gives to actors of its own. */
const reserved: readonly string[] = ['api', 'operator'];

/** Returns the approver to whom a key belongs or belonged, or null. */
export const holderOf = (approvers: Approvers, fingerprint: string): Approver | null =>
  [...approvers.values()].find(({ keys }) => keys.some((key) => key.fingerprint === fingerprint)) ?? null;

/** Returns the keys by which an approver approves now. */
export const activeKeys = (approver: Approver): readonly ApproverKey[] =>
  approver.state === 'active' ? approver.keys.filter(({ removed_at }) => removed_at === null) : [];

/** Returns the refusal of a policy that calls for more approvers than have a key. A requester who may not approve may be one of them. */
export function lackOfApprovers(approvers: Approvers, policy: Config['approvals']): Refusal | null {
  const { required, approver_is_not_requester } = policy;
  const isOneMore = required > 0 && approver_is_not_requester;
  const able = [...approvers.values()].filter((approver) => activeKeys(approver).length > 0).length;
  if (required + Number(isOneMore) <= able) return null;
  const message = `is ${required}${isOneMore ? ' besides the requester' : ''}, and ${able === 1 ? '1 approver has' : `${able} approvers have`} a key`;
  return { ...invalid('approvals.required', message), hint: 'agent-cli approver add NAME --key FILE.pub' };
}

export interface KeyAddition extends Pick<Documents['approver.key_added'], 'kind' | 'key' | 'fingerprint' | 'credential'> {
  readonly name: string;
  /** Left as it is when null. */
  readonly title: string | null;
  readonly actor: string;
}

/**
 * Returns why no approver or token can have a name, or null. Two names that differ in case alone would make one person two.
 * @param known the names of all of them
 */
export function nameRefusal(known: readonly string[], name: string): Refusal | null {
  if (!idPattern.test(name)) return invalid('name', `must be ${idForm}`);
  const taken = known.includes(name) ? reserved : [...reserved, ...known];
  const like = taken.find((other) => other.toLowerCase() === name.toLowerCase());
  if (like === undefined) return null;
  return invalid('name', reserved.includes(like) ? 'is reserved' : `differs only in case from the name ${like}`);
}

/** Decides to add a key, and the approver with it where there is none of the name. */
export function decideAddKey(approvers: Approvers, names: readonly string[], given: KeyAddition): Events {
  const { name, title, actor, ...key } = given;
  const nameless = nameRefusal(names, name);
  if (nameless !== null) return E.left(nameless);
  const fault = title === null ? null : noteFault(title, title_chars_max);
  if (fault !== null) return E.left(invalid('title', fault));
  const holder = holderOf(approvers, key.fingerprint);
  if (holder !== null) {
    const isActive = activeKeys(holder).some(({ fingerprint }) => fingerprint === key.fingerprint);
    const detail = `the key ${key.fingerprint} ${isActive ? 'belongs to' : 'was removed from'} ${holder.name}; a key belongs to one approver for ever`;
    return E.left({ code: 'exists', detail, hint: `agent-cli approver show ${holder.name}` });
  }
  const known = approvers.get(name) ?? null;
  if (known === null && approvers.size >= approvers_max) return E.left(full(`there are ${approvers_max} approvers`));
  if ((known?.keys.length ?? 0) >= approver_keys_max)
    return E.left(full(`${name} has ${approver_keys_max} keys, removed ones too`));
  const isNew = known?.state !== 'active' || (title !== null && title !== known.title);
  const added = { type: 'approver.added', document: { title: title ?? known?.title ?? null, actor } } as const;
  return ok([...(isNew ? [added] : []), { type: 'approver.key_added', document: { ...key, actor } }]);
}

const full = (detail: string): Refusal => ({
  code: 'conflict',
  detail: `${detail}, which is the most`,
  hint: 'agent-cli approver list',
});

export interface Removal {
  readonly name: string;
  /** Null for the approver with all keys. */
  readonly fingerprint: string | null;
  readonly reason: string;
  readonly actor: string;
}

export function decideRemove(known: Approver, { name, fingerprint, reason, actor }: Removal): Events {
  const fault = noteFault(reason, reason_chars_max);
  if (fault !== null) return E.left(invalid('reason', fault));
  if (known.state === 'removed') return E.left({ code: 'wrong_state', detail: `approver ${name} is removed already` });
  if (fingerprint === null) return ok([{ type: 'approver.removed', document: { reason, actor } }]);
  if (activeKeys(known).some((key) => key.fingerprint === fingerprint))
    return ok([{ type: 'approver.key_removed', document: { fingerprint, reason, actor } }]);
  return E.left({
    code: 'not_found',
    detail: `${name} has no key ${fingerprint} in use`,
    hint: `agent-cli approver show ${name}`,
  });
}
