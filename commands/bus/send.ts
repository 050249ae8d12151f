import { Args, Flags } from '@oclif/core';
import { AgentCommand, type ParsedInput } from '../../src/cli/command.js';

interface SendReport {
  readonly address: string;
  readonly recipient: string;
  readonly ts: number;
}

export default class BusSend extends AgentCommand<SendReport> {
  static override description =
    `Send one envelope over a message bus: to the running daemon of the home, or without a home to the server at --address.
The daemon of the home also gets the home's token (api.token), so that higher limits apply.
AGI_INSIGHT_BUS_TOKEN holds the token of the bus, if it requires one. The command prints the recipient once the envelope is recorded there.`;
  static override examples = [
    `<%= config.bin %> bus send market --payload '{"task":"forecast"}'`,
    '<%= config.bin %> bus send market --file payload.json --address bus.example:6006 --tls',
  ];
  static override args = { recipient: Args.string({ description: 'for whom it is', required: true }) };
  static override flags = {
    from: Flags.string({ description: 'the sender', default: 'operator', helpValue: 'NAME' }),
    payload: Flags.string({ description: 'a JSON object (default: {})', helpValue: 'JSON', exclusive: ['file'] }),
    file: Flags.string({ description: 'a file with a JSON object', helpValue: 'FILE' }),
    address: Flags.string({
      description: 'the server (default: the daemon of the home)',
      helpValue: 'HOST:PORT',
    }),
    tls: Flags.boolean({ description: "encrypt the connection, and check the server's certificate" }),
    ca: Flags.string({ description: 'trust only the certificates in this file; implies --tls', helpValue: 'FILE' }),
  };

  protected async act({ args, flags }: ParsedInput<typeof BusSend>): Promise<SendReport> {
    const { envelopeOf, targetOf } = await import('../../src/app/bus/outgoing.js');
    const envelope = envelopeOf({ ...flags, recipient: args.recipient }, Date.now());
    const target = targetOf(flags, await this.world());
    const { sendEnvelope } = await import('../../src/bus/client.js');
    // Node warns about gRPC's name for a server that has only an IP address.
    process.noDeprecation = true;
    await sendEnvelope(target, envelope);
    return { address: target.address, recipient: envelope.recipient, ts: envelope.ts };
  }

  protected present({ address, recipient }: SendReport): readonly string[] {
    return [`sent to ${recipient} over ${address}; it is recorded there`];
  }
}
