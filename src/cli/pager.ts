/** Shows long output in a pager, as git and man do. */
import { spawnSync } from 'node:child_process';
import { Flags } from '@oclif/core';
import { forTerminal } from './output.js';

export const noPagerFlag = Flags.boolean({
  description: 'print long output on a terminal at once, not through $PAGER (default: less -FRX)',
});

const default_pager = 'less -FRX';

/**
 * Returns whether the lines went to a pager: on a terminal, if there are more than fit. PAGER may be empty or `cat` for none; where the pager cannot be
 * started, the caller prints the lines.
 */
export function paged(lines: readonly string[]): boolean {
  const { isTTY, rows } = process.stdout;
  const pager = process.env['PAGER'] ?? (process.platform === 'win32' ? '' : default_pager);
  // A terminal without a size is none that a person scrolls.
  if (!isTTY || !process.stdin.isTTY || rows === 0 || lines.length < rows || ['', 'cat'].includes(pager.trim())) return false;
  const ignore = (): void => undefined;
  // Ctrl-C is the pager's own: it must not outlive this process.
  process.on('SIGINT', ignore);
  try {
    const input = lines.map((line) => `${forTerminal(line)}\n`).join('');
    const { status } = spawnSync(pager, { shell: true, input, stdio: ['pipe', 'inherit', 'inherit'] });
    return status !== null && status !== not_found && status !== not_executable;
  } finally {
    process.removeListener('SIGINT', ignore);
  }
}

/** What a shell returns for a command that it cannot start. */
const not_executable = 126;
const not_found = 127;
