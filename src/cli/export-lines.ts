/** What `verify-export` says of an export, in words. */
import { assistantMark } from '../base/assistant-mark.js';
import { Flags } from '@oclif/core';
import type { ExportVerdict, VerifyExportOptions } from '../app/exports/verify-export.js';
import { leftOutText } from '../base/approval.js';
import { count } from '../pictures/screen.js';
import { printable } from '../base/text.js';
import type { FileComparison } from '../intake/compare/types.js';
import { inputLines } from './inputs.js';
import { paymentText } from './invoices.js';
import { resultLines } from './render.js';
import { type Pair, pairs } from './table.js';
import { paint } from './text.js';

/** What the reader has of his own: the keys of people, and the files that the mission was made from. */
export const demandFlags = {
  approver: Flags.string({
    description: 'a person who must have approved it, with a key from a source that you trust; can be repeated',
    helpValue: 'NAME=FILE.pub|SHA256:…',
    multiple: true,
  }),
  'approvals-required': Flags.integer({ description: 'how many people must have signed it', helpValue: 'N' }),
  source: Flags.string({
    description: 'the files that the mission was made from, or their directory: compares each value and quote with them',
    helpValue: 'FILE',
    multiple: true,
  }),
};

/** What was asked for, whose absence is told. */
export interface VerifyRequest extends Pick<VerifyExportOptions, 'recompute' | 'against'> {
  readonly approver?: readonly string[] | undefined;
}

export function exportLines(verdict: ExportVerdict, asked: VerifyRequest): readonly string[] {
  const { valid, proof, newest, settlement, reason, recomputed, against, mission, hash, identity, kind, goal } = verdict;
  const place = proof === null ? 'none' : `in the log of ${proof.size} entries, root ${proof.root.slice(0, 16)}`;
  const open = valid ? 'not told: the export leaves open whether anything followed on the mission' : null;
  const compared = against === null ? 'another size or origin: nothing to compare' : 'agrees';
  const isTried = asked.recompute === true || reason?.startsWith('not recomputed') === true;
  const untried = !valid ? null : isTried ? 'not known' : 'not tried; --recompute computes the result again';
  const all: readonly Pair[] = [
    ['identity', identity],
    ['mission', mission === '' ? null : mission],
    ['kind', kind === null ? null : printable(kind)],
    ['goal', goal === null ? null : printable(goal)],
    ['', verdict.assistant === undefined ? null : `(${printable(assistantMark(verdict.assistant))})`],
    ['hash', hash],
    ['proof', proof === null && !valid ? null : place],
    ...approvalTexts(verdict, asked),
    ['newest', newest === undefined ? open : `the last of ${newest.count} entries of the mission in that log`],
    ['settlement', settlement === undefined ? null : paymentText(settlement)],
    ['report', verdict.report === undefined ? null : reportText(verdict.report)],
    ['recomputed', recomputed === null ? untried : recomputed ? 'yes' : 'no'],
    ['against', asked.against === undefined || !valid ? null : compared],
    ...sourceTexts(verdict).map((text, i) => [i === 0 ? 'source' : '', text] as const),
    ['reason', reason === null ? null : printable(reason)],
  ];
  const made = { ...verdict, kind: kind ?? '', goal: goal ?? '' };
  return [mark(verdict), ...pairs(all), ...(valid ? [...inputLines(made), ...resultLines(made)] : [])];
}

/** The first line: whether the export is valid, and whether what was given beside it agrees. */
function mark({ valid, report, source }: ExportVerdict): string {
  if (!valid) return paint.out('red', '✗ not valid');
  if (source === false) return paint.out('red', '✗ export valid, but the files given differ from what was signed');
  if (report === null) return paint.out('yellow', '? export valid, readable part not checked');
  return source === null ? paint.out('yellow', '? export valid, files not compared') : paint.out('green', '✓ valid');
}

const reportText = (report: boolean | null): string =>
  report === true
    ? 'its text is what its export gives, byte for byte'
    : 'not known: this version does not hold the renderer that made its text';

/** Who approved it with which key, when and why; without a key of a person, what the home's word is worth. */
function approvalTexts(
  { approvals = [], approvals_required, review, unsigned }: ExportVerdict,
  { approver = [] }: VerifyRequest,
): readonly Pair[] {
  if (review === null) return [];
  const decided = ['approved', `${printable(review.actor)}, ${printable(review.at)}: ${printable(review.note)}`] as const;
  const needed = Math.max(approvals_required, approvals.length);
  const signed = approvals.map(({ approver, title, fingerprint, at, note }, i) => {
    const who = `${printable(approver)}${title === null ? '' : ` (${printable(title)})`}`;
    return ['approved', `${i + 1} of ${needed}: ${who}, key ${fingerprint}, ${at}: ${printable(note)}`] as const;
  });
  const isNamed = new Set(approver.map((given) => given.split('=')[0])).size === approvals.length;
  if (unsigned !== undefined) return [decided, ['signed', printable(unsigned)]];
  if (signed.length === 0) return [decided, ['signed', leftOutText(approvals_required)]];
  return [
    ...signed,
    ['called for', count(approvals_required, 'signed approval')],
    ['names', isNamed ? null : 'without --approver NAME=KEY, a name is the word of the issuer'],
  ];
}

function sourceTexts({ sources, source_reason }: ExportVerdict): readonly string[] {
  if (sources === undefined) return [];
  return sources.length === 0 ? [`not known, ${source_reason}`] : sources.flatMap(sourceLines);
}

function sourceLines(comparison: FileComparison): readonly string[] {
  const { values, blocks, quotes, changed, difference, reason, same, is_same_file } = comparison;
  const file = printable(comparison.file);
  if (same === null) return [`not known, ${file}: ${printable(reason ?? '')}`];
  return [
    ...(values === undefined ? [] : [`${values.same} of ${values.all} values are those of ${file}`]),
    ...(blocks === undefined ? [] : [`${blocks.same} of ${blocks.all} blocks are those of ${file}`]),
    ...(quotes === undefined
      ? []
      : [`${quotes.same} of ${quotes.all} quotes are ${quotes.have_pages ? 'on the pages named' : `in ${file}`}`]),
    ...(changed === undefined ? [] : [`${changed} ${changed === 1 ? 'was' : 'were'} changed by hand and not compared`]),
    ...(difference === null
      ? []
      : [
          `${file} differs at ${printable(difference.place)}: ${printable(difference.found)}, recorded ${printable(difference.recorded)}`,
        ]),
    ...(same && !is_same_file ? [`${file} has other bytes than the file that was read`] : []),
  ];
}
