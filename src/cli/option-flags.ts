/** The options of reading a file as flags. */
import { quoted } from './text.js';

const flag_names: Readonly<Record<string, string>> = {
  dateColumn: 'date-column',
  dateOrder: 'date-order',
  keepPartial: 'keep-partial',
};

/** Returns the flags that give an option, to be copied. */
export function optionFlags(options: object): string {
  const flags = Object.entries(options).flatMap(([name, value]: [string, unknown]): string[] => {
    const flag = `--${flag_names[name] ?? name}`;
    if (value === true) return [flag];
    if (typeof value === 'string') return [`${flag} ${quoted(value)}`];
    if (typeof value !== 'object' || value === null) return [];
    const pairs = Object.entries(value).map(
      ([key, each]: [string, unknown]) => `${key}=${typeof each === 'string' ? each : JSON.stringify(each)}`,
    );
    return name === 'scale' ? [`${flag} ${quoted(pairs.join(','))}`] : pairs.map((pair) => `${flag} ${quoted(pair)}`);
  });
  return flags.join(' ');
}
