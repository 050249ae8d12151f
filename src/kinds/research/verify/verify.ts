/**
 * Checks what a reader of findings relies on: the sources are those of the request, each quote is in its source at its place, and terms and
 * coverage follow from the quotes, as the engine reads words. Which sentences were chosen is not checked here: for that, a result of
 * the engine is computed again. What a language model proposed cannot be; of its request, the hash is checked.
 */
import * as t from 'io-ts';
import { sha256Hex } from '../../../base/bytes.js';
import { chatRequestText, inference } from '../../../codec/chat-completion.js';
import { choice, integer, list, object, optional, required, text } from '../../../codec/kit.js';
import type { EngineInput } from '../../../engines/engine.js';
import { claimsVerifier, isSame, need, readClaim } from '../../claims.js';
import { finite, texts, viewOf } from '../../view-fields.js';
import * as constants from '../constants.js';
import { singleSpaced } from '../engine/characters.js';
import { readGoal } from '../engine/goal.js';
import { termsHeld } from '../engine/ranking.js';
import { type Mission, readMission } from '../engine/read.js';
import { researchPrompt } from '../prompt.js';
import { placeOf, type ResearchWork } from '../work.js';

const quotation = t.intersection([
  t.type({ source_id: t.string, quote: t.string, start: finite, end: finite, terms: t.readonlyArray(t.string) }),
  t.partial({ header: t.string, block: finite, page: finite }),
]);
const ranked = t.type({ claim: t.string, score: finite });

/** A result of another version may have more members, or no copies. */
const claimed = t.type({
  method: t.string,
  findings: t.array(t.intersection([quotation, ranked, t.partial({ copies: finite, also_in: t.array(t.string) })])),
  sources: t.array(t.type({ id: t.string, title: t.string, url: t.string, sha256: t.string })),
  coverage: t.type({ terms: t.array(t.string), uncovered: t.array(t.string) }),
  limits: texts,
});

export const verifyResearch = claimsVerifier<ResearchWork>(({ goal, work }, untrusted, passed) => {
  const result = viewOf(claimed, untrusted);
  need(result !== null, 'a member of the result is missing or has another form');
  const { findings } = result;
  need(findings.length <= constants.findings_max, `at most ${constants.findings_max} findings are allowed`);
  const { terms } = result.coverage;
  need(new Set(terms).size === terms.length, 'coverage.terms names a term twice');
  quotes({ goal, work }, result, () => terms, passed);
  for (const [k, finding] of findings.entries())
    for (const other of findings.slice(0, k))
      need(
        finding.source_id !== other.source_id || finding.start >= other.end || other.start >= finding.end,
        `findings[${k}] overlaps another`,
      );
  for (const [k, { claim, quote, terms: named }] of findings.entries()) {
    need(claim === singleSpaced(quote), `findings[${k}].claim is not the quote`);
    need(named.length > 0, `findings[${k}] has no word in common with the goal`);
  }
  passed('each claim is its quote, with single spaces');
  scores(findings.map(({ score }) => score));
  passed('the best score comes first, and scores fall but for what variety counts');
  for (const [k, finding] of findings.entries()) copies(finding, `findings[${k}]`, work);
  passed('copies are in other sources of the mission');
  if (work.sources.every(({ blocks }) => blocks === undefined)) return;
  for (const [k, finding] of findings.entries()) withinBlock(finding, `findings[${k}]`, work);
  passed('quotes of files are within one block, and no headings');
});

/** The most that variety adds to a finding's rank, as a share of the best score. */
const variety = (1 - constants.mmr_lambda) / constants.mmr_lambda;

function scores(given: readonly number[]): void {
  const [best = 0] = given;
  for (const [k, score] of given.entries()) {
    need(score > 0 && score <= best, `findings[${k}].score is not above 0 and at most that of the first`);
    const before = given[k - 1] ?? score;
    need(score <= before + best * (variety + 1e-9), `findings[${k}].score is too far above that of the finding before`);
  }
}

function copies(
  { source_id, copies: count = 0, also_in = [] }: t.TypeOf<typeof claimed>['findings'][number],
  path: string,
  { sources }: ResearchWork,
): void {
  need(Number.isInteger(count) && count >= 0, `${path}.copies is not a count`);
  const others = sources.map(({ id }) => id).filter((id) => id !== source_id && also_in.includes(id));
  need(isSame(also_in, others), `${path}.also_in does not name other sources, in their order`);
  need(also_in.length <= Math.min(count, constants.also_in_max), `${path}.also_in names more sources than there are copies`);
}

function withinBlock(
  { source_id, start, end, block }: t.TypeOf<typeof claimed>['findings'][number],
  path: string,
  { sources }: ResearchWork,
): void {
  if (block === undefined) return;
  const { blocks = [], text: whole } = sources.find(({ id }) => id === source_id) ?? { text: '' };
  const quoted = blocks[block];
  need(quoted !== undefined && end <= quoted.end, `${path}.quote goes beyond its block`);
  need(quoted.type !== 'heading', `${path}.quote is a heading`);
  const before = whole.slice(quoted.start, start).trim();
  const isCell = before === '' || before.endsWith('|');
  need(quoted.type !== 'table_row' || isCell, `${path}.quote begins within a cell of a table`);
}

interface Quoting {
  readonly findings: readonly Readonly<t.TypeOf<typeof quotation>>[];
  readonly sources: readonly Readonly<Record<'id' | 'title' | 'url' | 'sha256', string>>[];
  readonly coverage: { readonly terms: readonly string[]; readonly uncovered: readonly string[] };
}

/** Checks the sources, the place and the terms of each quote, and the coverage. @param termsOf returns the terms of the goal */
function quotes(
  { goal, work: { sources } }: Pick<EngineInput<ResearchWork>, 'goal' | 'work'>,
  result: Quoting,
  termsOf: (mission: Mission) => readonly string[],
  passed: (check: string) => void,
): void {
  const expected = sources.map(({ id, title, url, text: whole }) => [id, title, url, sha256Hex(whole)]);
  const given = result.sources.map(({ id, title, url, sha256 }) => [id, title, url, sha256]);
  const differing = expected.findIndex((source, k) => !isSame(given[k] ?? [], source));
  need(given.length === expected.length && differing < 0, `sources[${Math.max(0, differing)}] is not that of the request`);
  passed('sources are those of the request, with the SHA-256 of their texts');

  const sourceOf = new Map(sources.map((source) => [source.id, source]));
  const mission = readMission(goal, sources, () => undefined);
  const terms = termsOf(mission);
  const covered = new Set<string>();
  for (const [k, { source_id, quote, start, end, terms: named, header, block, page }] of result.findings.entries()) {
    const path = `findings[${k}]`;
    const source = sourceOf.get(source_id);
    need(source !== undefined, `${path} names no source of the mission`);
    need(quote.trim() !== '', `${path}.quote is empty`);
    const isPlace = Number.isInteger(start) && start >= 0 && end === start + quote.length;
    need(
      isPlace && source.text.startsWith(quote, start),
      `${path}.quote is not in its source word for word, at the recorded place`,
    );
    const placed = placeOf(source.blocks, start);
    need(block === placed.block && page === placed.page, `${path}.block and page are not those of its place`);
    need(
      header === undefined || source.text.slice(0, start).includes(header),
      `${path}.header is not in its source before the quote`,
    );
    const found = termsHeld(header === undefined ? quote : `${header}\n${quote}`, terms, mission);
    need(isSame(named, found), `${path}.terms are not the goal's terms in the quote: ${found.join(', ')}`);
    for (const term of found) covered.add(term);
  }
  passed('each quote is in its source, word for word, at the recorded place, and holds the terms of the goal that it names');

  need(isSame(result.coverage.terms, terms), `coverage.terms are not the terms of the goal: ${terms.join(', ')}`);
  const uncovered = terms.filter((term) => !covered.has(term));
  need(isSame(result.coverage.uncovered, uncovered), `coverage.uncovered is not ${uncovered.join(', ')}`);
  passed('coverage follows from the findings');
}

const termTexts = list(text(), 0, constants.goal_terms_max);
const place = integer(0, Number.MAX_SAFE_INTEGER);

const proposed = object('ProposedFindings', {
  method: required(choice(constants.model_method_text)),
  findings: required(
    list(
      object('ProposedFinding', {
        claim: required(text({ max: constants.claim_chars_max, notBlank: true })),
        source_id: required(text()),
        quote: required(text({ max: constants.quote_chars_max, notBlank: true })),
        start: required(place),
        end: required(place),
        score: required(choice(null)),
        terms: required(termTexts),
        block: optional(place),
        page: optional(place),
      }),
      1,
      constants.model_findings_max,
    ),
  ),
  sources: required(
    list(
      object('CitedSource', { id: required(text()), title: required(text()), url: required(text()), sha256: required(text()) }),
      0,
      Number.MAX_SAFE_INTEGER,
    ),
  ),
  coverage: required(object('Coverage', { terms: required(termTexts), uncovered: required(termTexts) })),
  limits: required(choice(constants.model_limits_text)),
  inference: required(inference),
});

/** Checks findings that a language model proposed: each quote at its first place in the source, and the request that the model was sent. */
export const verifyProposed = claimsVerifier<ResearchWork>(({ goal, work }, untrusted, passed) => {
  const result = readClaim(proposed, untrusted);
  passed('texts and members are as specified for findings of a language model');
  quotes({ goal, work }, result, (mission) => readGoal(mission).terms, passed);
  for (const [k, { source_id, quote, start }] of result.findings.entries()) {
    const first = work.sources.find(({ id }) => id === source_id)?.text.indexOf(quote);
    need(first === start, `findings[${k}].start is not where the quote is first`);
  }
  const { model, mode, max_tokens, request_hash, model_listed } = result.inference;
  need(model_listed !== false, 'inference.model_listed: a server that does not list the model is never used');
  const request = chatRequestText(model, mode, researchPrompt(goal, work, max_tokens), result.inference);
  need(sha256Hex(request) === request_hash, 'inference.request_hash is not that of the request for this mission');
  passed('the request that was sent to the model follows from the mission: its hash is the recorded one');
});
