/** The check of `doctor` for this program's tools. */
import { damageRefusal } from '../../base/damage.js';
import { RefusalError } from '../../base/result.js';
import type { ToolRecord } from '../../codec/api-tools.js';
import type { Home } from '../home/home.js';
import { isShippedDraft, listTools } from './records.js';
import { activating } from './require.js';

export interface ToolsCheck {
  readonly name: 'tools';
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
  readonly fix: string | null;
}

const isStopped = ({ status }: ToolRecord): boolean => status !== 'deprecated';

/** Returns the command to run. A deprecated tool works: there is a reason to read, and nothing to fix. */
const fixOf = (tool: ToolRecord): string => (isStopped(tool) ? activating(tool.id) : `agent-cli tool show ${tool.id}`);

/** Warns of every own tool that is not active, with its status. */
export function toolsCheck(home: Home): ToolsCheck {
  try {
    const own = listTools(home).items.filter((tool) => tool.own);
    const drafts = own.filter(isShippedDraft);
    const idle = own.filter((tool) => tool.status !== 'active' && !isShippedDraft(tool));
    const [first] = idle;
    if (first !== undefined) {
      const detail = idle.map(({ id, status }) => `${id} is ${status}`).join(', ');
      return { name: 'tools', status: 'warn', detail, fix: fixOf(idle.find(isStopped) ?? first) };
    }
    const detail = `${own.length - drafts.length} active, ${drafts.length} drafts of what this version does not have yet`;
    return { name: 'tools', status: 'ok', detail, fix: null };
  } catch (error) {
    const refusal = error instanceof RefusalError ? error.refusal : damageRefusal(error);
    if (refusal === null) throw error;
    return { name: 'tools', status: 'fail', detail: refusal.detail, fix: refusal.hint ?? null };
  }
}
