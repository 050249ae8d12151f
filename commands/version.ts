import { AgentCommand } from '../src/cli/command.js';

interface Version {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
}

export default class VersionCommand extends AgentCommand<Version> {
  static override description = 'Print the version of this program, of Node.js and the platform.';
  static override examples = ['<%= config.bin %> version', '<%= config.bin %> version --json'];

  protected act(): Promise<Version> {
    const { platform, arch } = this.config;
    const { version } = this.ctor.plugin ?? this.config;
    return Promise.resolve({ version, node: process.version, platform: `${platform}-${arch}` });
  }

  protected present({ version, node, platform }: Version): readonly string[] {
    return [`agent-cli/${version} ${platform} node-${node}`];
  }
}
