/** What threads are started from. */
import { existsSync } from 'node:fs';

/**
 * Returns what to start a thread from: the bundle of its module, or the module itself where there is none. scripts/program.mjs makes the bundles,
 * because to load the hundreds of modules of a thread one by one takes longer than most small missions.
 * @param module the module of a thread in dist/src
 */
export function threadScript(module: URL): URL {
  const bundle = new URL(module.href.replace(/^(.*\/dist\/)(?=src\/)/, '$1program/'));
  return existsSync(bundle) ? bundle : module;
}
