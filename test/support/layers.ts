/** The checker of scripts/layers.mjs, typed for tests. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from './package-root.js';

export interface SourceFile {
  /** From the package's root, as in `src/base/bytes.ts`. */
  readonly path: string;
  readonly source: string;
}

export interface LayerRule {
  readonly name: string;
  readonly path: RegExp;
  readonly may: readonly string[];
  readonly pure?: boolean;
  readonly exact?: boolean;
}

export interface LayerReport {
  readonly violations: readonly string[];
  readonly cycles: readonly string[];
}

interface Layers {
  readonly check: (files: readonly SourceFile[], rules?: readonly LayerRule[], tops?: readonly string[]) => LayerReport;
  readonly sources: () => readonly SourceFile[];
  readonly importedPaths: (path: string, source: string) => readonly string[];
}

export const layers = (await import(pathToFileURL(join(packageRoot(import.meta.url), 'scripts', 'layers.mjs')).href)) as Layers;
