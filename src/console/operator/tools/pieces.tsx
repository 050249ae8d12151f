/** Pieces of the pages of tools. */
import type { ToolStatus } from '../../../codec/tool-manifest.js';
import type { Tool } from '../api/shapes.js';
import { useWords } from '../text/words.js';

export function manifestText({ manifest, id }: Tool, member: string): string {
  const value = manifest[member];
  return typeof value === 'string' ? value : member === 'tool_name' ? id : '–';
}

export function ToolStatusBadge({ status }: { readonly status: ToolStatus }) {
  const { t } = useWords();
  return <span class={`badge tool-${status}`}>{t.tools.statuses[status]}</span>;
}
