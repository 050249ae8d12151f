/** Ascension: jobs for a smart contract, the plan that their Merkle tree makes, and reviewed work delivered to one of them. */
import type * as t from 'io-ts';
import { utf8 } from '../base/bytes.js';
import {
  ascension_bounty_units_max,
  ascension_bounty_units_min,
  ascension_duration_s_max,
  ascension_jobs_max,
  ascension_price_weight_max,
  ascension_proof_hashes_max,
  ascension_text_bytes_max,
} from '../base/limits.js';
import { hash32, tokenDecimals } from './chain.js';
import { CheckedType, choice, integer, list, object, required, text } from './kit.js';
import { hash } from './scalars.js';
import { exportCodec } from './export.js';

export const planSchema = 'agialpha.ascension.fusion-plan.v1';
export const deliverySchema = 'agialpha.ascension.reviewed-delivery.v1';

/** A text whose limit counts bytes of UTF-8, not characters. */
function wordsFault(u: unknown): string | null {
  if (typeof u !== 'string') return 'must be a string';
  const { length } = utf8(u);
  return length >= 1 && length <= ascension_text_bytes_max
    ? null
    : `must have 1 to ${ascension_text_bytes_max} bytes in UTF-8, has ${length}`;
}
const words = new CheckedType<string>(
  'string',
  (u): u is string => wordsFault(u) === null,
  (u) => wordsFault(u) ?? '',
);

const isAmount = (u: unknown): u is string => {
  if (typeof u !== 'string' || !/^[1-9][0-9]{2,28}$/.test(u)) return false;
  const units = BigInt(u);
  return units >= ascension_bounty_units_min && units <= ascension_bounty_units_max;
};
const bounty = new CheckedType<string>(
  'string',
  isAmount,
  () =>
    `must be a decimal string from ${ascension_bounty_units_min} to ${ascension_bounty_units_max}, in the token's smallest unit`,
);

/** What a job asks for. `bounty` in units of 10^-18 tokens, `duration` in seconds, `priceWeight` in basis points. */
const jobSpec = object('JobSpec', {
  goal: required(words),
  successMetric: required(words),
  bounty: required(bounty),
  duration: required(integer(1, ascension_duration_s_max)),
  priceWeight: required(integer(0, ascension_price_weight_max)),
});
export type JobSpec = t.TypeOf<typeof jobSpec>;

export const jobsCodec = list(jobSpec, 1, ascension_jobs_max);
/** Members that must be written as plain integers: accepting another notation of the same number would be a coercion. */
export const integerMembers = ['duration', 'priceWeight'] as const;

const jobIndex = integer(0, ascension_jobs_max - 1);

const planJob = object('PlanJob', {
  index: required(jobIndex),
  spec: required(jobSpec),
  leaf: required(hash32),
  proof: required(list(hash32, 0, ascension_proof_hashes_max)),
});

export const planCodec = object('Plan', {
  schema: required(choice(planSchema)),
  token: required(choice('AGIALPHA')),
  decimals: required(choice(tokenDecimals)),
  planRoot: required(hash32),
  totalBounty: required(text({ pattern: /^[1-9][0-9]{2,31}$/ })),
  jobs: required(list(planJob, 1, ascension_jobs_max)),
});
export type Plan = t.TypeOf<typeof planCodec>;

export const deliveryCodec = object('Delivery', {
  body: required(
    object('DeliveryBody', {
      schema: required(choice(deliverySchema)),
      plan: required(planCodec),
      jobIndex: required(jobIndex),
      nativeExport: required(exportCodec),
    }),
  ),
  publicKey: required(hash),
  signature: required(text({ pattern: /^[A-Za-z0-9+/]{86}==$/ })),
});
export type Delivery = t.TypeOf<typeof deliveryCodec>;
