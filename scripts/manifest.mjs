/**
 * Writes oclif.manifest.json, as `oclif manifest` does: the description of every command, so that a start imports only the
 * command that runs. NODE_ENV must not be `test` or `development`, else oclif looks for TypeScript sources.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Plugin } from '@oclif/core';
import { root } from './machine.mjs';

const plugin = new Plugin({ root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true });
await plugin.load();
const commands = Object.fromEntries(Object.entries(plugin.manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1)));
const file = join(root, 'oclif.manifest.json');
writeFileSync(`${file}.new`, `${JSON.stringify({ commands, version: plugin.version }, null, 2)}\n`);
renameSync(`${file}.new`, file);
