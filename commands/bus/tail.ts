import { Flags } from '@oclif/core';
import type { RecordedEnvelope } from '../../src/app/bus/records.js';
import { printable, shorten } from '../../src/base/text.js';
import { AgentCommand, type ParsedInput } from '../../src/cli/command.js';
import { endWithOutput } from '../../src/cli/hangup.js';
import { jsonOn } from '../../src/cli/output.js';

/** Envelopes that `bus tail` prints at its start. */
const bus_tail_default = 10;

const payload_chars = 60;

function envelopeLine({ sequence, time, peer, envelope: sent }: RecordedEnvelope): string {
  const what =
    sent === null ? 'erased' : `${sent.sender} → ${sent.recipient}: ${shorten(JSON.stringify(sent.payload), payload_chars)}`;
  return printable(`${sequence}  ${time.slice(0, 19)}Z  ${peer}  ${what}`);
}

export default class BusTail extends AgentCommand<number> {
  static override description = `Print the newest envelopes that the message bus recorded in the journal of this home.
With --json it prints one JSON object per line.`;
  static override examples = ['<%= config.bin %> bus tail', '<%= config.bin %> bus tail --follow --json'];
  static override flags = {
    limit: Flags.integer({ description: 'how many', default: bus_tail_default, helpValue: 'N' }),
    follow: Flags.boolean({ description: 'keep printing new envelopes, until Ctrl-C' }),
  };

  protected async act({ flags }: ParsedInput<typeof BusTail>): Promise<number> {
    const { followEnvelopes, newestEnvelopes } = await import('../../src/app/bus/records.js');
    const { endingSignal } = await import('../../src/cli/serve.js');
    endWithOutput();
    const ending = flags.follow ? endingSignal() : AbortSignal.abort();
    return this.withHome(
      async (home) => {
        let shown = 0;
        const print = (envelope: RecordedEnvelope): void => {
          process.stdout.write(`${this.jsonEnabled() ? jsonOn(process.stdout, envelope) : envelopeLine(envelope)}\n`);
          shown++;
        };
        let last = home.writer.head.size;
        for (const one of newestEnvelopes(home, flags.limit)) {
          print(one);
          last = Math.max(last, one.sequence);
        }
        for await (const one of followEnvelopes(home, last, ending)) print(one);
        return shown;
      },
      { onlyReads: true },
    );
  }

  protected present(shown: number): readonly string[] {
    return shown === 0 ? ['no envelopes'] : [];
  }

  /** Prints nothing, because the lines were printed already. */
  override logJson(): void {}
}
