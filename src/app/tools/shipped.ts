/** The manifests that the program ships for its own tools. Each is checked at its first use. */
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { Fault } from '../../base/fault.js';
import { parseJsonBytes } from '../../base/json.js';
import { unwrap } from '../../base/result.js';
import { decode } from '../../codec/kit.js';
import { manifestCodec, type ToolManifest } from '../../codec/tool-manifest.js';
import { kinds } from '../../codec/kinds.js';
import { toolOfKind, type OwnToolId } from '../../domain/tool-catalog.js';
import { missionKind } from '../../kinds/table.js';
import { packageRoot } from '../../store/package-root.js';

const read = new Map<OwnToolId, ToolManifest>();

export function shippedManifest(id: OwnToolId): ToolManifest {
  const known = read.get(id) ?? load(id);
  read.set(id, known);
  return known;
}

function load(id: OwnToolId): ToolManifest {
  try {
    return unwrap(decode(manifestCodec, shipped(id)));
  } catch (error) {
    throw new Fault(`the installation is incomplete: the manifest of ${id} is missing or damaged`, error);
  }
}

/** Returns the unchecked manifest: the tool of a mission kind is declared with the kind; each other tool has a file. */
function shipped(id: OwnToolId): unknown {
  const kind = kinds.find((one) => toolOfKind(one) === id);
  if (kind !== undefined) return missionKind(kind).manifest;
  return unwrap(parseJsonBytes(readFileSync(path.join(packageRoot, 'manifests', `${id}.json`))));
}
