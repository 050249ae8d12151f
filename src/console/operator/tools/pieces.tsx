/** Pieces of the pages of tools. */
import type { ToolStatus } from '../../../codec/tool-manifest.js';
import { useWords } from '../text/words.js';

export function ToolStatusBadge({ status }: { readonly status: ToolStatus }) {
  const { t } = useWords();
  return <span class={`badge tool-${status}`}>{t.tools.statuses[status]}</span>;
}
