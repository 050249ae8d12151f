/** The folder of the package's own files (migrations, manifests, package.json), in the source tree and in an installation. */
import { existsSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault } from '../base/refusal.js';

function find(from: string): string {
  for (let dir = from; ; dir = path.dirname(dir)) {
    if (existsSync(path.join(dir, 'migrations', 'journal'))) return dir;
    if (dir === path.dirname(dir)) throw new Fault('the installation is incomplete: migrations are missing');
  }
}

export const packageRoot: string = find(path.dirname(fileURLToPath(import.meta.url)));
