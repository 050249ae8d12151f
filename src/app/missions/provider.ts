/** The model provider of an attempt: whether a mission uses one, which tools it needs then, and the call itself. */
import { RefusalError, type Result, unwrap } from '../../base/result.js';
import type { ChatPrompt, Completion } from '../../codec/chat-completion.js';
import type { Config } from '../../codec/config.js';
import type { Kind } from '../../codec/kinds.js';
import { type OwnToolId, toolOfKind } from '../../domain/tool-catalog.js';
import type { MissionRequest } from '../../kinds/request.js';
import { missionKind } from '../../kinds/table.js';
import { complete, type ProviderSettings } from '../../provider/complete.js';
import type { CallRefusal } from '../../provider/failure.js';
import { providerOf } from '../home/config.js';
import type { Home } from '../home/home.js';
import type { StageObserver } from '../orchestrator/orchestrator.js';

export interface LeasedProvider {
  readonly settings: ProviderSettings;
  readonly max_tokens: number;
  /** The time for the whole call. */
  readonly call_ms_max: number;
}

/**
 * Returns the provider that a mission uses, or null.
 * @param request null for a mission that will not be executed
 * @throws RefusalError for a key that cannot be used, and for sources longer than the configuration lets out
 */
export function providerFor(home: Home, config: Config, kind: Kind, request: MissionRequest | null): LeasedProvider | null {
  const { usesProvider, solver } = missionKind(kind);
  const settings = usesProvider ? unwrap(providerOf(config, home.world.env)) : null;
  if (settings === null) return null;
  const { llm_timeout, max_output_tokens, max_source_chars } = config;
  const chars = request === null ? 0 : (solver?.model?.sourceChars(request.work) ?? 0);
  if (chars > max_source_chars) throw new RefusalError(tooMuch(chars, max_source_chars));
  return { settings, max_tokens: max_output_tokens, call_ms_max: llm_timeout * 1_000 };
}

const tooMuch = (chars: number, chars_max: number) =>
  ({
    code: 'too_large',
    detail: `the sources have ${chars} characters, and at most ${chars_max} are sent to the provider (max_source_chars); nothing was sent`,
  }) as const;

/** Returns the tools that verifying a result of a kind uses. */
export const verifyingTools = (kind: Kind): readonly OwnToolId[] =>
  missionKind(kind).needsSandbox ? [toolOfKind(kind), 'container_run'] : [toolOfKind(kind)];

/**
 * Returns the tools that executing a mission uses.
 * @param request null for a mission that will not be executed
 */
export const executingTools = (
  kind: Kind,
  request: MissionRequest | null,
  provider: LeasedProvider | null,
): readonly OwnToolId[] =>
  provider !== null || (request !== null && mustGenerate(request))
    ? [...verifyingTools(kind), 'provider_call']
    : verifyingTools(kind);

/** Returns whether a language model is to write the candidate of a code mission. */
export const mustGenerate = ({ work }: MissionRequest): boolean => work.kind === 'code' && work.candidate === '';

const watch_ms = 100;
/** Time to end a call whose deadline has come. */
const end_ms = 1_000;

/** Asks the model, until the work must stop. @throws any error that `mustStop` throws */
export async function askModel(
  { settings, call_ms_max }: LeasedProvider,
  prompt: ChatPrompt,
  { mustStop, observer }: { readonly mustStop: () => boolean; readonly observer: StageObserver },
): Promise<Result<Completion, CallRefusal>> {
  const stop = new AbortController();
  const thrown: unknown[] = [];
  const look = (): void => {
    try {
      if (mustStop()) stop.abort();
    } catch (error) {
      thrown.push(error);
      stop.abort();
    }
  };
  observer.quiet(call_ms_max + end_ms);
  const timer = setInterval(look, watch_ms);
  try {
    const completed = await complete(settings, prompt, { deadline_ms: call_ms_max, signal: stop.signal });
    if (thrown.length > 0) throw thrown[0];
    return completed;
  } finally {
    clearInterval(timer);
  }
}
