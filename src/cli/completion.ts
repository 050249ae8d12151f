/** Shell completion, generated from oclif's description of the commands. */
import { bash } from './completion/bash.js';
import { completedCommands, type KnownCommand, type Names } from './completion/commands.js';
import { fish } from './completion/fish.js';
import { zsh } from './completion/zsh.js';

const generators = { bash, zsh, fish } as const;
export type Shell = keyof typeof generators;

/** @param names the command's name, by which the script calls it, and its other names */
export const completionScript = (shell: Shell, names: Names, commands: readonly KnownCommand[]): string =>
  generators[shell](names, completedCommands(names[0], commands));
