import type { MissionKind } from '../kind.js';

export const allocationManifest: MissionKind<'allocation'>['manifest'] = {
  tool_id: 'mission_allocation',
  schema: 'AEP-005-TOOL-MANIFEST',
  schema_version: '1.1',
  tool_name: 'Allocation mission',
  tool_version: '1.0.0',
  provider: 'agent-cli',
  description:
    'Chooses items within a budget and a risk limit, with a proven bound on what could be gained. The result counts only after a person approved it.',
  permission_classes_supported: ['read', 'transform'],
  default_permission: 'transform',
  risk_class: 'low',
  side_effects: ['journal_entry'],
  data_access: ['mission_input', 'approved_results'],
  external_effect: false,
  rollback_supported: false,
  compensation_supported: true,
  approval_required_for: [],
  audit_required: true,
  evidence_required: true,
  owner: 'operator',
  status: 'active',
};
