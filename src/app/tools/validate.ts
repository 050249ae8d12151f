/** `tool validate`: checks manifests from anyone only against the rules of the format; no home required. */
import type { FieldError } from '../../base/refusal.js';
import { manifestWarnings, type ToolManifest } from '../../codec/tool-manifest.js';
import { isToolId } from '../../domain/tool.js';
import { readManifestFile } from './read-manifest.js';

export interface FileVerdict {
  readonly path: string;
  readonly valid: boolean;
  /** Every fault, with its path within the manifest; an empty path is the file as a whole. */
  readonly errors: readonly FieldError[];
  readonly warnings: readonly FieldError[];
}

export interface ValidateReport {
  readonly valid: boolean;
  readonly files: readonly FileVerdict[];
}

export function validateManifests(paths: readonly string[]): ValidateReport {
  const files = paths.map((path): FileVerdict => {
    const { manifest, errors } = readManifestFile(path);
    return { path, valid: manifest !== null, errors, warnings: manifest === null ? [] : warningsOf(manifest) };
  });
  return { valid: files.every(({ valid }) => valid), files };
}

/** Warns of conflicts between members and of reasons why the manifest could not be imported. */
export const warningsOf = (manifest: ToolManifest): FieldError[] => [
  ...(isToolId(manifest.tool_id)
    ? []
    : [{ path: 'tool_id', message: 'is not a valid id here, so the manifest could not be imported' }]),
  ...manifestWarnings(manifest),
];
