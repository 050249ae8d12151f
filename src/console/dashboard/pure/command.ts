/** The commands that do what the dashboard does. */
import { agentCli } from '../../kit/controls/agent-cli.js';

const flagOf = (name: string): string => `--${name.replaceAll('_', '-')}`;

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `simulate` with a request's members as flags; a list of sectors is in the file `sectors.json`. */
export function simulateCommand(request: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(request).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (name === 'sectors') return Array.isArray(value) && value.length === 0 ? [] : ['--sectors', 'sectors.json'];
    if (name === 'num_sectors') return ['--sectors', wordOf(value)];
    // A negative value after a blank would be read as a flag.
    return [`${flagOf(name)}=${wordOf(value)}`];
  });
  return agentCli('simulate', ...words);
}

export const verifyCommand = (id: string): string => agentCli('verify-run', id);
