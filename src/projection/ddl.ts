import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { packageRoot } from '../store/package-root.js';

/** The whole definition of one projector version. */
export const projectionDdl = (name: string): string =>
  readFileSync(path.join(packageRoot, 'migrations', 'projections', name), 'utf8');
