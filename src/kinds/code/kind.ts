import { without_objective } from '../improvement.js';
import { type MissionKind, missionManifest } from '../kind.js';
import { codeEngine } from './benchmark.js';
import { codeExample } from './example.js';
import { codeChart } from './chart.js';
import { codeSize } from './size.js';
import { codeInputs, failedCases } from './view.js';

export const codeKind: MissionKind<'code'> = {
  kind: 'code',
  manifest: missionManifest('code', 'Code mission', 'Finds a program that passes held-out cases.', {
    permission_classes_supported: ['read', 'transform', 'execute'],
    risk_class: 'high',
    data_access: ['mission_input'],
    approval_required_for: ['execute'],
  }),
  example: codeExample,
  inputs: codeInputs,
  chart: codeChart,
  failures: failedCases,
  solver: { engine: codeEngine, verifier: null, size: codeSize },
  improvement: () => without_objective,
  seedIds: null,
  erasable: () => false,
  reference: null,
};
