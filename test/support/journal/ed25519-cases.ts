/** All published Ed25519 cases of test/vectors as [key, message, signature] in hexadecimal. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.js';

type Case = readonly [key: string, message: string, signature: string];

interface Wycheproof {
  readonly testGroups: readonly {
    readonly publicKey: { readonly pk: string };
    readonly tests: readonly { readonly msg: string; readonly sig: string }[];
  }[];
}
type SpecCheck = readonly { readonly message: string; readonly pub_key: string; readonly signature: string }[];

export function signatureCases(): readonly Case[] {
  const folder = join(packageRoot(import.meta.url), 'test', 'vectors', 'ed25519');
  const readJson = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const { testGroups } = readJson('wycheproof-ed25519.json') as Wycheproof;
  const wycheproof = testGroups.flatMap(({ publicKey, tests }) => tests.map(({ msg, sig }): Case => [publicKey.pk, msg, sig]));
  const speccheck = (readJson('ed25519-speccheck.json') as SpecCheck).map(
    (each): Case => [each.pub_key, each.message, each.signature],
  );
  return [...wycheproof, ...speccheck];
}
