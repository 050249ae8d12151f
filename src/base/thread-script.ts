/** What threads are started from. */
import { existsSync } from 'node:fs';

/**
 * Returns what to start a thread from: the bundle of its module, or the module itself where there is none. scripts/threads.mjs makes the bundles,
 * because to load the hundreds of modules of a thread one by one takes longer than most small missions.
 * @param module the module of a thread in dist/src
 */
export function threadScript(module: URL): URL {
  const [, installation, name] = /^(.*\/dist\/)src\/(.+)$/.exec(module.href) ?? [];
  if (installation === undefined || name === undefined) return module;
  const bundle = new URL(`${installation}threads/${name.replaceAll('/', '-')}`);
  return existsSync(bundle) ? bundle : module;
}
