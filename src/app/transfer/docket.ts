/** `transfer-docket`: writes the evidence of a run as an archive, with the same bytes for the same run. */
import { archiveBytes } from '../../archive/write.js';
import { unwrap } from '../../base/result.js';
import { docketMembers } from '../../engines/transfer/docket.js';
import { checkDocket } from '../../engines/transfer/docket-check.js';
import { expectReadable, readRun, writeNew } from './files.js';
import { transferReport, type TransferReport } from './report.js';

export interface TransferDocketReport extends TransferReport {
  readonly files: readonly string[];
}

/** Writes the docket of a run into a new file. @throws RefusalError */
export async function transferDocket(file: string, output: string): Promise<TransferDocketReport> {
  const { run, outcome } = readRun(file);
  const members = docketMembers(run, outcome);
  for (const { name, text } of members) expectReadable(Buffer.from(text), name);
  // The output must be valid for transfer-verify.
  unwrap(checkDocket(new Map(members.map(({ name, text }) => [name, text]))));
  const content = await archiveBytes(members.map(({ name, text }) => ({ name, source: Buffer.from(text) })));
  writeNew(output, content);
  return { ...transferReport(output, content, run, outcome), files: members.map(({ name }) => name) };
}
