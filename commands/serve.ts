import { Flags } from '@oclif/core';
import { AgentCommand, type ParsedInput } from '../src/cli/command.js';
import { printJson } from '../src/cli/output.js';
import * as cli from '../src/cli/serve.js';

type ServeReport = { readonly type: 'stopped'; readonly entries_seen: number };

export default class Serve extends AgentCommand<ServeReport> {
  static override description = `Run the daemon: the operator's console and HTTP API on one port, and the home behind them.
It executes missions on threads, verifies the journal from time to time and updates the witness file. On a terminal it prints a login link for
the console. Otherwise the console asks for an access token: the text of the file api.token, or one made by token create. Where API_TOKEN is set, in the environment or in .env, the simulation is
served too, on PORT (else 8000). The message bus is served on AGI_INSIGHT_BUS_PORT (else 6006; 0 turns it off). With --json it prints one object per line: serving, each entry, stopped.`;
  static override examples = ['<%= config.bin %> serve', '<%= config.bin %> serve --port 9000'];
  static override flags = {
    host: Flags.string({
      description: 'the address to listen on; localhost is 127.0.0.1 and ::1',
      default: 'localhost',
      helpValue: 'HOST',
    }),
    port: Flags.integer({ description: 'the port (default: AGENT_PORT, else 8765)', helpValue: 'PORT' }),
    'allow-remote': Flags.boolean({ description: 'let --host be an address that other machines reach', default: false }),
    'login-link': Flags.boolean({
      description: 'print a link that signs a browser of this machine in, once, within two minutes (default: on a terminal)',
      allowNo: true,
    }),
    mcp: Flags.boolean({ description: 'also serve AI assistants: POST /mcp on the port of the console', default: false }),
    simulation: Flags.boolean({ description: 'serve the simulation where API_TOKEN is set', default: true, allowNo: true }),
  };

  protected async act({ flags }: ParsedInput<typeof Serve>): Promise<ServeReport> {
    const { warnings, ...listening } = cli.listeningOf({ ...flags, allowRemote: flags['allow-remote'] }, process.env);
    const { env, ...settings } = await cli.serverSettings(flags.simulation);
    const weak = settings.simulation === undefined ? [] : cli.tokenWarnings(listening.host, settings.simulation.settings);
    const isLinkWanted = cli.isLinkWanted(flags['login-link'], listening.host, process.stdout.isTTY && !this.jsonEnabled());
    const ending = cli.endingSignal();
    const { createLogger, standardError } = await import('../src/http/log.js');
    const { startServers, followUntil } = await import('../src/http/start.js');
    const logger = createLogger('info', standardError(process.stderr.isTTY ? cli.readableLine : undefined));
    for (const warning of [...warnings, ...weak]) logger.warn(warning);
    const starting = startServers({ ...(await this.world()), env }, { ...listening, ...settings, logger, mcp: flags.mcp });
    const server = await cli.namingPorts(starting, listening.port, settings);
    const serving = cli.servingOf(server, listening.host, isLinkWanted ? server.issueLogin() : null, flags.mcp);
    if (this.jsonEnabled()) this.logJson(serving);
    // In one piece: a script that waits for one of the lines finds them all.
    else this.log('%s', cli.servingLines(serving, flags.simulation).join('\n'));
    const entries_seen = await followUntil(server, ending, (entry) => {
      logger.info(entry, 'entry');
      if (this.jsonEnabled()) this.logJson({ type: 'entry', ...entry });
    });
    return { type: 'stopped', entries_seen };
  }

  override logJson(json: unknown): void {
    printJson(json);
  }

  protected present({ entries_seen }: ServeReport): readonly string[] {
    return [`stopped after ${entries_seen === 1 ? '1 entry' : `${entries_seen} entries`}`];
  }
}
