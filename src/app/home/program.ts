/** The program's own name and version, from package.json. */
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { unwrap } from '../../base/result.js';
import { decode, mapOf } from '../../codec/kit.js';
import { packageRoot } from '../../store/package-root.js';
import * as t from 'io-ts';

const manifest = unwrap(decode(mapOf(t.unknown), JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8'))));

export const programVersion: string = String(manifest['version']);
