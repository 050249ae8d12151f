/** The width of the lines that are printed for people. */

const columns_min = 40;
const columns_max = 200;
const columns_default = 80;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the columns of a line: those of COLUMNS, else the terminal's, else 80; from 40 to 200. */
export function widthOf(env: Environment, terminal: number | undefined): number {
  const set = /^[1-9][0-9]{0,5}$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : undefined;
  return Math.min(columns_max, Math.max(columns_min, set ?? terminal ?? columns_default));
}

export const width = (): number => widthOf(process.env, process.stdout.isTTY ? process.stdout.columns || undefined : undefined);
