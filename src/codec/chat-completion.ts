/**
 * Requests to an OpenAI-compatible chat server, and its responses. A response is untrusted: of what is read, every member has its type, and
 * members that are not read are ignored, because servers add their own.
 */
import * as t from 'io-ts';
import { canonicalJson, type Json } from '../base/canonical-json.js';
import { provider_model_chars_max } from '../base/limits.js';
import { isRefused } from '../base/refusal.js';
import { choice, decode, flag, integer, list, nullable, object, optional, required, text } from './kit.js';
import { count, hash } from './scalars.js';
import { tolerant } from './tolerant.js';

export const inferenceModes = ['json_object', 'json_schema'] as const;
export type InferenceMode = (typeof inferenceModes)[number];

/** How a request to a model differs from the usual one, which names its limit `max_tokens` and has the temperature 0. */
export interface RequestForm {
  /** The member that holds the limit on tokens. */
  readonly token_limit?: 'max_completion_tokens';
  /** Null where no temperature is sent, to models that refuse one. */
  readonly temperature?: null;
}

export interface ChatPrompt {
  readonly system: string;
  readonly user: string;
  /** The JSON Schema of the answer, and its name. */
  readonly schema: { readonly name: string; readonly schema: Json };
  readonly maxTokens: number;
}

/**
 * Returns the body of a request, in canonical JSON: whoever has the prompt can hash it again. In the mode `json_object` the server knows
 * nothing of the schema, so the system message contains it.
 */
export function chatRequestText(
  model: string,
  mode: InferenceMode,
  { system, user, schema, maxTokens }: ChatPrompt,
  { token_limit, temperature }: RequestForm = {},
): string {
  const isStrict = mode === 'json_schema';
  const told = isStrict
    ? system
    : `${system}\n\nReply with one JSON object that satisfies this JSON Schema:\n${canonicalJson(schema.schema)}`;
  return canonicalJson({
    model,
    messages: [
      { role: 'system', content: told },
      { role: 'user', content: user },
    ],
    ...(temperature === null ? {} : { temperature: 0 }),
    [token_limit ?? 'max_tokens']: maxTokens,
    response_format: isStrict
      ? { type: mode, json_schema: { name: schema.name, strict: true, schema: schema.schema } }
      : { type: mode },
  });
}

const modelName = text({ min: 1, max: provider_model_chars_max });

const usage = object('Usage', {
  prompt_tokens: required(count),
  completion_tokens: required(count),
  total_tokens: required(count),
});

/** A response to a request for a completion. */
export const chatResponse = tolerant(
  object('ChatResponse', {
    model: optional(nullable(modelName)),
    choices: required(
      list(
        object('Choice', {
          finish_reason: optional(nullable(text())),
          message: required(object('Message', { content: optional(nullable(text())) })),
        }),
        1,
        1,
      ),
    ),
    /** Read apart: what a server counts in its own way is no fault of its answer. */
    usage: optional(t.unknown),
  }),
);

export type ChatResponse = t.TypeOf<typeof chatResponse>;

/** Returns the counts of a response; null where a server gives none, or not all of them. */
export function usageOf(given: unknown): Inference['usage'] {
  const decoded = decode(tolerant(usage), given);
  return isRefused(decoded) ? null : decoded.right;
}

/** A response to a request for the list of models. */
export const modelList = tolerant(
  object('ModelList', { data: required(list(object('Model', { id: required(text()) }), 0, Number.MAX_SAFE_INTEGER)) }),
);

/** The record of a completion: which model was asked for, which one answered, and the hashes of what was sent and received. */
export const inference = object('Inference', {
  model: required(modelName),
  /** The model that the response names; null when it names none. */
  reported_model: required(nullable(modelName)),
  /** Whether the server lists the model; null for a server without a list. A server that lists others only is not asked. */
  model_listed: required(nullable(flag)),
  mode: required(choice(...inferenceModes)),
  max_tokens: required(integer(1, Number.MAX_SAFE_INTEGER)),
  /** The members of `RequestForm`, where the request differs from the usual one. */
  token_limit: optional(choice('max_completion_tokens')),
  temperature: optional(choice(null)),
  /** SHA-256 of the bodies of request and response, as sent. */
  request_hash: required(hash),
  response_hash: required(hash),
  /** The tokens that the server counted; null when it does not say. */
  usage: required(nullable(usage)),
});

export type Inference = t.TypeOf<typeof inference>;

export interface Completion {
  /** The JSON object of the answer, read strictly but not decoded. */
  readonly value: unknown;
  readonly inference: Inference;
}
