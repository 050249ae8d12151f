/** Shell completion, generated from oclif's description of the commands. */
import { bash } from './completion/bash.js';
import { completedCommands, type KnownCommand } from './completion/commands.js';
import { fish } from './completion/fish.js';
import { zsh } from './completion/zsh.js';

const generators = { bash, zsh, fish } as const;
export type Shell = keyof typeof generators;

export const completionScript = (shell: Shell, bin: string, commands: readonly KnownCommand[]): string =>
  generators[shell](bin, completedCommands(bin, commands));
