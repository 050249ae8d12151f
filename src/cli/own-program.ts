/**
 * The program as oclif loads it. A host that lists the package as a plugin reads package.json and oclif.manifest.json, where all commands are below
 * the topic `agent`; the program itself has them without a topic, and a manifest of its own in dist/.
 */
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Interfaces } from '@oclif/core';

const dist = fileURLToPath(new URL('../../', import.meta.url));
/** A bundle is where this module is not: its commands are those beside it, which share its modules. */
const isBundled = import.meta.dirname.startsWith(path.join(dist, 'program'));

/** @param plugins whether the commands of plugins are wanted too: `help` */
export function ownProgram({ plugins } = { plugins: true }): Interfaces.LoadOptions & object {
  const pjson = JSON.parse(readFileSync(`${dist}../package.json`, 'utf8')) as Interfaces.PJSON;
  const { agent } = pjson.oclif.topics as Readonly<Record<string, { readonly subtopics?: Interfaces.PJSON['oclif']['topics'] }>>;
  const oclif = {
    ...pjson.oclif,
    commands: './commands',
    helpClass: { target: './src/cli/help.js', identifier: 'TopicHelp' },
    topics: agent?.subtopics ?? {},
    ...(plugins ? {} : { plugins: [] }),
  };
  return { root: isBundled ? path.join(dist, 'program') : dist, pjson: { ...pjson, oclif } };
}
