/** A tool as data: its words and shape for the model, and what it does. What a tool refuses is an answer too, which says what to change. */
import type { Json } from '../base/canonical-json.js';
import { type Refusal, RefusalError, unwrap } from '../base/refusal.js';
import { printable } from '../base/text.js';
import { Schemas } from '../codec/json-schema.js';
import { decode, type ObjectType } from '../codec/kit.js';
import type { Assistant, Exchange } from './assistant.js';
import type { JsonObject } from './rpc.js';

/** What a tool found: a text for models and people, and the same as a document. */
export interface ToolAnswer {
  readonly text: string;
  /** Members that are undefined are left out. */
  readonly document: object;
  /** What belongs to it and can be read. */
  readonly links?: readonly { readonly uri: string; readonly name: string; readonly mimeType: string }[];
  readonly isError?: true;
}

/** What a tool needs of the person before it goes on: the client shows an address, and calls again. */
export interface InputNeeded {
  readonly url: string;
  readonly message: string;
}

export interface ToolCall {
  readonly assistant: Assistant;
  readonly exchange: Exchange;
  /** The arguments as they were sent. */
  readonly text: string;
  /** Whether the person has answered what an earlier call of the same kind asked. */
  readonly isAnswered: boolean;
}

interface Spec<A> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: ObjectType<A>;
  /** Whether it changes nothing. */
  readonly readOnly: boolean;
  readonly run: (args: A, call: ToolCall) => Promise<ToolAnswer | InputNeeded>;
}

export interface Tool {
  /** As `tools/list` returns it. */
  readonly listed: JsonObject & { readonly name: string };
  /** @throws what is no refusal */
  readonly call: (args: Json, call: ToolCall) => Promise<ToolAnswer | InputNeeded>;
}

export const tool = <A>({ name, title, description, input, readOnly, run }: Spec<A>): Tool => ({
  listed: {
    name,
    title,
    description,
    inputSchema: schemaOf(input),
    annotations: { title, readOnlyHint: readOnly, destructiveHint: false, idempotentHint: readOnly, openWorldHint: false },
  },
  call: async (args, call) => {
    try {
      return await run(unwrap(decode(input, args)), call);
    } catch (error) {
      if (error instanceof RefusalError) return refused(error.refusal, call.assistant.homeFlag);
      throw error;
    }
  },
});

/** Returns the schema of a tool's arguments, with the shapes that it names inside. */
function schemaOf<A>(input: ObjectType<A>): JsonObject {
  const schemas = new Schemas('#/$defs/');
  schemas.of(input);
  const { [input.name]: root, ...others } = schemas.components as Readonly<Record<string, JsonObject>>;
  return { ...root, ...(Object.keys(others).length === 0 ? {} : { $defs: others }) };
}

/** Returns lines as a text; what others wrote in one cannot look like a line of this program. */
export const textOf = (lines: readonly string[]): string => lines.map(printable).join('\n');

const errors_shown_max = 20;

/** Returns the answer to a call that was refused, a line for each cause. */
function refused({ code, detail, errors = [], hint, facts }: Refusal, homeFlag: string): ToolAnswer {
  const list = errors.slice(0, errors_shown_max);
  const lines = list.length < 2 ? [] : list.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const document = { error: code, detail, errors: list.length === 0 ? undefined : list, facts };
  const { retry_after_s: wait_s } = facts ?? {};
  if (typeof wait_s === 'number') lines.push(`try again in ${wait_s} s`);
  return { text: textOf([`${code}: ${detail}`, ...lines, ...remedyOf(hint, homeFlag)]), document, isError: true };
}

/** Returns a line that says what to do after a refusal with a hint; none without one. */
export function remedyOf(hint: string | undefined, homeFlag: string): readonly string[] {
  if (hint === undefined) return [];
  if (hint === 'agent-cli list') return ['mission_list returns the ids of missions'];
  return [`A person can run: ${hint}${hint.startsWith('agent-cli ') ? homeFlag : ''}`];
}
