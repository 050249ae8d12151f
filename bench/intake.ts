/** Reading people's files: a table of 10 000 rows from bytes to the draft. Goal: at most 1 s. */
import { prng } from '../src/base/prng.js';
import { readFiles } from '../src/intake/read.js';

export const name = 'intake';

const rows = 10_000;
const read_ms_max = 1_000;

const day = (i: number): string =>
  new Date(Date.UTC(2000, 0, 1) + i * 86_400_000).toISOString().slice(0, 10).split('-').reverse().join('.');

/** A series with nine columns, as an ERP program exports it in Germany. */
function series(): string {
  const random = prng(1);
  const line = (i: number): string => {
    const cents = String(random.below(100)).padStart(2, '0');
    return `${day(i)};${1 + random.below(9)}.${100 + random.below(900)},${cents} €;Nord;Kunde ${i};;${random.below(100)};"Text; mit Komma";;${i}`;
  };
  return ['Buchungstag;Umsatz;Region;Kunde;Notiz;Menge;Text;Leer;Zeile', ...Array.from({ length: rows }, (_, i) => line(i))].join(
    '\r\n',
  );
}

export async function run(print: (line: string) => void): Promise<void> {
  const bytes = Buffer.from(series());
  for (const round of ['the first time', 'again']) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    const outcome = await readFiles('forecast', [{ name: 'umsatz.csv', bytes }], { column: 'Umsatz' });
    const ms = performance.now() - start;
    const { user, system } = process.cpuUsage(before);
    const processor = `${((user + system) / 1_000).toFixed(0)} ms of the processor`;
    print(
      `${rows} rows, ${bytes.length} bytes, ${round}: ${ms.toFixed(0)} ms (goal: at most ${read_ms_max}), ${processor}, ${outcome.outcome}`,
    );
  }
}
