/**
 * Writes two manifests, as `oclif manifest` does: the description of every command, so that a start imports only the command that runs.
 * dist/oclif.manifest.json is the program's own; oclif.manifest.json is a host's, where every command is below the topic `agent`.
 * NODE_ENV must not be `test` or `development`, else oclif looks for TypeScript sources.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Plugin } from '@oclif/core';
import { AgentTopic } from '../dist/src/cli/agent-topic.js';
import { ownProgram } from '../dist/src/cli/main.js';
import { root } from './machine.mjs';

const given = { type: 'core', isRoot: true, ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true };
const plugin = new Plugin({ ...given, ...ownProgram() });
await plugin.load();
const sorted = Object.entries(plugin.manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1));

/** Texts name the program by its bin, to which a host adds the topic. */
const inHost = (value) => JSON.parse(JSON.stringify(value).replaceAll('<%= config.bin %>', '<%= config.bin %> agent'));
const prefixed = sorted.map(([id, command]) => {
  const { relativePath, ...rest } = command;
  return [`agent:${id}`, { ...inHost(rest), id: `agent:${id}`, relativePath: ['dist', 'program', ...relativePath] }];
});
const { description, strict } = AgentTopic;
const own = { aliases: [], hiddenAliases: [], args: {}, flags: {}, description, strict, hasDynamicHelp: false };
const { pluginAlias, pluginName, pluginType } = sorted[0][1];
const loaded = {
  pluginAlias,
  pluginName,
  pluginType,
  isESM: true,
  relativePath: ['dist', 'program', 'src', 'cli', 'agent-topic.js'],
};
const hosted = [['agent', { ...own, ...loaded, id: 'agent' }], ...prefixed];

/** Members of a flag or a command that are as if they were missing while they are false. */
const usual = new Set(['allowNo', 'hasDynamicHelp', 'multiple']);

function write(file, commands) {
  const given = (name, value) => (value === false && usual.has(name) ? undefined : value);
  const text = JSON.stringify({ commands: Object.fromEntries(commands), version: plugin.version }, given);
  writeFileSync(`${file}.new`, `${text}\n`);
  renameSync(`${file}.new`, file);
}

write(join(root, 'dist', 'oclif.manifest.json'), sorted);
write(join(root, 'oclif.manifest.json'), hosted);
