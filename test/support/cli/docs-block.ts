/** The block of commands below a remark such as `<!-- tour -->` in a page of documentation. */
import assert from 'node:assert/strict';

/** Returns its lines, each a command: with the prompt in front in a block `console`, without it in a block `sh`. */
export function commandLines(page: string, mark: string): readonly string[] {
  const shown = new RegExp(`<!-- ${mark} -->\\n\`\`\`(?:console|sh)\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1];
  assert.ok(shown !== undefined, `the page has the block ${mark}`);
  return shown.trim().split('\n');
}

/** Returns the commands as a script for a shell that ends at the first one that fails. */
export const commandScript = (page: string, mark: string): string =>
  ['set -e', ...commandLines(page, mark).map((line) => line.replace(/^\$ /, ''))].join('\n');
