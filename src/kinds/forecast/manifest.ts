import type { MissionKind } from '../kind.js';

export const forecastManifest: MissionKind<'forecast'>['manifest'] = {
  tool_id: 'mission_forecast',
  schema: 'AEP-005-TOOL-MANIFEST',
  schema_version: '1.1',
  tool_name: 'Forecast mission',
  tool_version: '1.0.0',
  provider: 'agent-cli',
  description:
    'Forecasts a series of observations, with intervals and the errors on a holdout. The result counts only after a person approved it.',
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
