/** The manifest of each kind's tool. */
import type { Kind } from '../codec/kinds.js';
import { allocationManifest } from './allocation/manifest.js';
import { codeManifest } from './code/manifest.js';
import { forecastManifest } from './forecast/manifest.js';
import type { KindManifest } from './kind.js';
import { researchManifest } from './research/manifest.js';
import { scheduleManifest } from './schedule/manifest.js';

export const manifests: { readonly [K in Kind]: KindManifest<K> } = {
  research: researchManifest,
  allocation: allocationManifest,
  schedule: scheduleManifest,
  forecast: forecastManifest,
  code: codeManifest,
};
