/** Reading a PDF of 300 pages in the process that reads people's files: its time, and the memory of that process. Goal: at most 6 s and 600 MB. */
import { readInProcess, reading_limits } from '../src/intake/process/reading.js';
import { reportOf } from '../test/support/intake/report.js';

export const name = 'intake-pdf';

const pages = 300;
const read_ms_max = 6_000;

export async function run(print: (line: string) => void): Promise<void> {
  const files = [{ name: 'report.pdf', bytes: reportOf(pages) }];
  for (const round of ['the first time', 'again']) {
    const start = performance.now();
    const outcome = await readInProcess('research', files, {}, reading_limits);
    const ms = performance.now() - start;
    const blocks = outcome.outcome === 'draft' ? outcome.rows : 0;
    print(`${pages} pages, ${round}: ${ms.toFixed(0)} ms (goal: at most ${read_ms_max}), ${blocks} blocks`);
  }
  print(`memory: ${await memoryOf(files)} MB (goal: at most 600)`);
}

/** Returns the smallest limit of memory under which the process reads the files, in steps of 50 MB: it ends itself above its limit. */
async function memoryOf(files: Parameters<typeof readInProcess>[1]): Promise<number> {
  for (let megabytes = 100; ; megabytes += 50) {
    const limits = { ...reading_limits, resident_bytes_max: megabytes * 1_000_000 };
    if ((await readInProcess('research', files, {}, limits)).outcome === 'draft') return megabytes;
  }
}
