import { setTimeout as wait } from 'node:timers/promises';
import { Flags } from '@oclif/core';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { endWithOutput } from '../src/cli/hangup.js';
import { jsonOn } from '../src/cli/output.js';
import { agentLines } from '../src/cli/simulation.js';
import type { AgentsReport } from '../src/app/simulation/agents.js';

const agents_watch_ms = 1_000;

export default class AgentsStatus extends AgentCommand<AgentsReport> {
  static override description = `Print the state of the seven agents of a running simulation server.
API_TOKEN holds the server's token. API_TOKEN and PORT are also read from .env in the working directory; a token of .env counts on this machine only.
Without a server all are listed as stopped, with exit 7.`;
  static override examples = [
    '<%= config.bin %> agents-status',
    '<%= config.bin %> agents-status --url http://127.0.0.1:8001 --watch',
  ];
  static override flags = {
    url: Flags.string({ description: "the server's address (default: http://127.0.0.1 with PORT, else 8000)", helpValue: 'URL' }),
    watch: Flags.boolean({ description: 'refresh every second until Ctrl-C' }),
  };

  private watched = false;

  protected async act({ flags }: ParsedInput<typeof AgentsStatus>): Promise<AgentsReport> {
    const { agentsServer, readAgents } = await import('../src/app/simulation/agents.js');
    const { url, token } = agentsServer(flags.url, process.env, process.cwd());
    const ask = async (): Promise<AgentsReport> => await readAgents(url, token, Date.now());
    let report = await ask();
    endWithOutput();
    const signal = flags.watch ? (await import('../src/cli/serve.js')).endingSignal() : AbortSignal.abort();
    while (!signal.aborted) {
      this.watched = true;
      const lines = this.jsonEnabled() ? [jsonOn(process.stdout, report)] : [...agentLines(report), ''];
      process.stdout.write(`${lines.join('\n')}\n`);
      await wait(agents_watch_ms, undefined, { signal }).catch(() => undefined);
      report = await ask();
    }
    if (!report.running) this.answerNo('engine_unavailable');
    return report;
  }

  protected present(report: AgentsReport): readonly string[] {
    return this.watched ? [] : agentLines(report);
  }

  override logJson(json: unknown): void {
    if (!this.watched) super.logJson(json);
  }
}
