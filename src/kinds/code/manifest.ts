import type { MissionKind } from '../kind.js';

export const codeManifest: MissionKind<'code'>['manifest'] = {
  tool_id: 'mission_code',
  schema: 'AEP-005-TOOL-MANIFEST',
  schema_version: '1.1',
  tool_name: 'Code mission',
  tool_version: '1.0.0',
  provider: 'agent-cli',
  description: 'Finds a program that passes held-out cases. The result counts only after a person approved it.',
  permission_classes_supported: ['read', 'transform', 'execute'],
  default_permission: 'transform',
  risk_class: 'high',
  side_effects: ['journal_entry'],
  data_access: ['mission_input'],
  external_effect: false,
  rollback_supported: false,
  compensation_supported: true,
  approval_required_for: ['execute'],
  audit_required: true,
  evidence_required: true,
  owner: 'operator',
  status: 'active',
};
