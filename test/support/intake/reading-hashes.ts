/** Prints the hash of what each document of the vectors, and a report of many pages, is read as: a program, so that another Node can run it. */
import { canonicalJson } from '../../../src/base/canonical-json.js';
import { sha256Hex } from '../../../src/base/bytes.js';
import { readFiles } from '../../../src/intake/read.js';
import type { InputFile } from '../../../src/intake/types.js';
import { atEffort } from '../effort.js';
import { intakeCases } from '../../intake/expected.js';
import { reportOf } from './report.js';

const report: InputFile = { name: 'report.pdf', bytes: reportOf(atEffort(60, 300)) };
const cases = intakeCases(() => true).filter(({ kind }) => kind === 'research');
const hashes: Record<string, string> = {};
for (const { title, files, options } of [...cases, { title: 'report.pdf', files: [report], options: {} }])
  hashes[title] = sha256Hex(canonicalJson(await readFiles('research', files, options)));
process.stdout.write(JSON.stringify(hashes));
