import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { packageRoot } from '../store/package-root.js';

/** Returns the definition of a projector's tables in one version. */
export const projectionDdl = (name: string): string =>
  readFileSync(path.join(packageRoot, 'migrations', 'projections', name), 'utf8');
