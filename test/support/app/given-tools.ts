/** A tool manifest written from the specification, and the means to vary it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from '../../../src/app/home/home.js';
import { setToolStatus } from '../../../src/app/tools/tools.js';
import type { ToolRecord } from '../../../src/codec/api-tools.js';
import type { ToolManifest, ToolStatus } from '../../../src/codec/tool-manifest.js';

/** The permission classes of the specification, in its order. */
export const classes = [
  'none',
  'read',
  'draft',
  'transform',
  'write',
  'execute',
  'external_contact',
  'send',
  'delete',
  'deploy',
  'payment',
  'secret_access',
  'admin_change',
  'protected_operation',
  'break_glass',
] as const;

export const givenManifest = (changes: Partial<ToolManifest> = {}): ToolManifest => ({
  tool_id: 'mail_send',
  schema: 'AEP-005-TOOL-MANIFEST',
  schema_version: '1.1',
  tool_name: 'Mail',
  tool_version: '1.0.0',
  provider: 'somebody',
  description: 'Sends mail.',
  permission_classes_supported: ['draft', 'send'],
  default_permission: 'draft',
  risk_class: 'high',
  side_effects: ['message'],
  data_access: ['addresses'],
  external_effect: true,
  rollback_supported: false,
  compensation_supported: true,
  approval_required_for: ['send'],
  audit_required: true,
  evidence_required: true,
  owner: 'operator',
  status: 'active',
  ...changes,
});

let files = 0;

/** Writes text or JSON to a new file; returns its path. */
export function manifestFile(folder: string, content: unknown): string {
  const file = join(folder, `manifest-${++files}.json`);
  writeFileSync(file, typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content));
  return file;
}

/** The moves of the specification. */
export const moves: Readonly<Record<ToolStatus, readonly ToolStatus[]>> = {
  draft: ['active'],
  active: ['deprecated', 'disabled', 'quarantined'],
  deprecated: ['disabled', 'quarantined'],
  disabled: ['active'],
  quarantined: ['active', 'disabled'],
};

export const setStatus = (home: Home, id: string, to: ToolStatus, note = 'tried'): Promise<ToolRecord> =>
  setToolStatus(home, id, { to, note, actor: 'operator' });
