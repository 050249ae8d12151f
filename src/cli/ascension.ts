/** Formats plans and deliveries for people. */
import type { DeliverReport } from '../app/ascension/deliver.js';
import type { PlanReport } from '../app/ascension/plan-file.js';
import type { DeliveryVerdict } from '../app/ascension/delivery.js';
import { printable } from '../base/text.js';
import { inTokens } from '../codec/chain.js';
import { pairs } from './table.js';
import { paint } from './text.js';

export const planLines = ({ output, planRoot, jobs, totalBounty, reason }: PlanReport): readonly string[] =>
  pairs([
    ['plan', output],
    ['plan root', planRoot],
    ['jobs', String(jobs)],
    ['total bounty', `${inTokens(totalBounty)} AGIALPHA (${totalBounty} units)`],
    ['reason', reason],
  ]);

export const deliveryLines = ({ output, planRoot, deliveries }: DeliverReport): readonly string[] => [
  ...pairs([
    ['output', output],
    ['plan root', planRoot],
  ]),
  ...deliveries.flatMap((delivery) => [
    '',
    ...pairs([
      ['job', String(delivery.jobIndex)],
      ['mission', delivery.mission],
      ['result hash', delivery.resultHash],
      ['file', delivery.output],
    ]),
  ]),
];

export function verdictLines(verdict: DeliveryVerdict): readonly string[] {
  const { valid, identity, planRoot, jobIndex, mission, resultHash, recomputed, reason } = verdict;
  const mark =
    recomputed === null
      ? paint.out('yellow', '? signed and approved, but the result was not recomputed')
      : paint.out('green', '✓ valid');
  return [
    valid ? mark : paint.out('red', '✗ not valid'),
    ...pairs([
      ['identity', identity],
      ['plan root', planRoot],
      ['job', String(jobIndex)],
      ['mission', mission === '' ? null : mission],
      ['result hash', resultHash],
      ['recomputed', recomputed === null ? (valid ? 'not known' : null) : recomputed ? 'yes' : 'no'],
      ['reason', reason === null ? null : printable(reason)],
    ]),
  ];
}
