/**
 * The tool manifest, AEP-005-TOOL-MANIFEST: one table of its members, from which the codec and the published JSON Schema are made.
 * All members are required. Other members are kept and never interpreted.
 */
import type * as t from 'io-ts';
import type { FieldError } from '../base/refusal.js';
import { choice, described, flag, list, openObject, required, text } from './kit.js';

export const permissionClasses = [
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
export const toolStatuses = ['active', 'deprecated', 'disabled', 'quarantined', 'draft'] as const;
export type ToolStatus = (typeof toolStatuses)[number];

/** To which statuses a tool may go from each. */
export const toolMoves: Readonly<Record<ToolStatus, readonly ToolStatus[]>> = {
  draft: ['active'],
  active: ['deprecated', 'disabled', 'quarantined'],
  deprecated: ['disabled', 'quarantined'],
  disabled: ['active'],
  quarantined: ['active', 'disabled'],
};

const permission = choice(...permissionClasses);
const words = text();
const many = <A>(item: t.Type<A, unknown>): t.Type<readonly A[], unknown> => list(item, 0, Number.MAX_SAFE_INTEGER);

/** A manifest as received: the object may have more members than these. */
export const manifestCodec = openObject('ToolManifest', {
  tool_id: described('identifies the tool', required(words)),
  schema: described('names this format', required(choice('AEP-005-TOOL-MANIFEST'))),
  schema_version: described('version of the format; any text', required(words)),
  tool_name: described('name for people', required(words)),
  tool_version: described('version of the tool', required(words)),
  provider: described('who supplies the tool', required(words)),
  description: described('what the tool does', required(words)),
  permission_classes_supported: described(
    'every class of permission that a use of the tool may need',
    required(many(permission)),
  ),
  default_permission: described('the class that a use has when nothing else is said', required(permission)),
  risk_class: described('how much harm a wrong use can do', required(choice('low', 'medium', 'high', 'protected', 'restricted'))),
  side_effects: described('what a use changes', required(many(words))),
  data_access: described('what a use reads', required(many(words))),
  external_effect: described('whether a use reaches anybody or anything outside', required(flag)),
  rollback_supported: described('whether a use can be undone', required(flag)),
  compensation_supported: described('whether a use can be made good by another action', required(flag)),
  approval_required_for: described('classes that need the approval of a person before each use', required(many(permission))),
  audit_required: described('whether each use must be recorded', required(flag)),
  evidence_required: described('whether each use must leave evidence of what it did', required(flag)),
  owner: described('who answers for the tool', required(words)),
  status: described('whether the tool may be used', required(choice(...toolStatuses))),
});
export type ToolManifest = t.TypeOf<typeof manifestCodec>;

type PermissionClass = (typeof permissionClasses)[number];
/** Permission classes whose use affects somebody outside. */
const externalClasses: readonly PermissionClass[] = ['external_contact', 'send', 'payment'];

/** Returns a warning for each member that is valid alone but contradicts another one. */
export function manifestWarnings(manifest: ToolManifest): FieldError[] {
  const { permission_classes_supported: supported, default_permission, approval_required_for: approval } = manifest;
  const warnings: FieldError[] = [];
  if (manifest.schema_version === '') warnings.push({ path: 'schema_version', message: 'is empty' });
  if (default_permission !== 'none' && !supported.includes(default_permission)) {
    warnings.push({ path: 'default_permission', message: `${default_permission} is not among permission_classes_supported` });
  }
  approval.forEach((name, i) => {
    if (!supported.includes(name))
      warnings.push({ path: `approval_required_for[${i}]`, message: `${name} is not among permission_classes_supported` });
  });
  const outward = externalClasses.filter((name) => supported.includes(name));
  if (outward.length > 0 && !manifest.external_effect) {
    warnings.push({ path: 'external_effect', message: `is false, although ${outward.join(', ')} reaches outside` });
  }
  return warnings;
}
