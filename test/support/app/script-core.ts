/** The part of scripts/verify-export.mjs that the script and the page share, loaded as a module. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../package-root.js';

export interface Answer {
  readonly verdict: 'valid' | 'refuted' | 'unusable';
  readonly reason: string | null;
  readonly lines: readonly string[];
}
export interface Core {
  readonly verifyExport: (bytes: Uint8Array, publicKey: string, checkpoint?: string | null) => Promise<Answer>;
  readonly verifies: (key: Uint8Array, message: Uint8Array, signature: Uint8Array) => Promise<boolean>;
  readonly rootOf: (leaf: Uint8Array, index: number, size: number, siblings: readonly Uint8Array[]) => Promise<Uint8Array>;
  readonly print: (value: unknown) => string;
}

/** @returns the core's text as scripts/verify-page.mjs cuts it out. */
export function coreText(): string {
  const page = join(packageRoot(import.meta.url), 'scripts', 'verify-page.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [page, '--core'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

export async function loadCore(): Promise<Core> {
  const source = `${coreText()}\nexport { verifyExport, verifiesEd25519 as verifies, rootOf, print };\n`;
  return (await import(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`)) as Core;
}
