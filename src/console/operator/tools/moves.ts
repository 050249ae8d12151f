/** The status moves of a tool that the agent allows (spec: tool manifests); the agent itself has the last word. */
import type { ToolStatus } from '../../../codec/tool-manifest.js';

export const toolMoves: Readonly<Record<ToolStatus, readonly ToolStatus[]>> = {
  draft: ['active'],
  active: ['deprecated', 'disabled', 'quarantined'],
  deprecated: ['disabled', 'quarantined'],
  disabled: ['active'],
  quarantined: ['active', 'disabled'],
};
