/** The reference agent's rule for research: every finding quotes its source word for word. */
import { reference_claim_chars_max, reference_findings_max } from '../../base/limits.js';
import type { ReferenceRules } from '../kind.js';
import type { ResearchWork } from './work.js';
import { need } from '../claims.js';
import { listOf, memberOf, textOf, type ReferenceResult } from '../reading.js';

/** Returns the number of code points, which Python counts. */
const codePoints = (text: string): number => [...text].length;

function checkResearch(work: ResearchWork, { node }: ReferenceResult): readonly string[] {
  const texts = new Map(work.sources.map(({ id, text }) => [id, text]));
  const findings = listOf(memberOf(node, 'findings', ''), 'findings');
  need(
    findings.length >= 1 && findings.length <= reference_findings_max,
    `findings must hold 1 to ${reference_findings_max} entries, not ${findings.length}`,
  );
  findings.forEach((finding, i) => {
    const path = `findings[${i}]`;
    const source = textOf(memberOf(finding, 'source_id', path), `${path}.source_id`);
    const text = texts.get(source);
    need(text !== undefined, `${path}.source_id names no source of the mission`);
    const quote = textOf(memberOf(finding, 'quote', path), `${path}.quote`);
    need(quote !== '' && text.includes(quote), `${path}.quote is not in source ${source}`);
    const claim = codePoints(textOf(memberOf(finding, 'claim', path), `${path}.claim`));
    need(
      claim >= 1 && claim <= reference_claim_chars_max,
      `${path}.claim must have 1 to ${reference_claim_chars_max} characters`,
    );
  });
  return ['sources of the mission', 'quotations word for word'];
}

export const researchReference: ReferenceRules<ResearchWork> = { check: checkResearch, solution: () => null };
