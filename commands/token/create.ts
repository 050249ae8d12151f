import { Args, Flags } from '@oclif/core';
import { actorFlag, AgentCommand, type ParsedInput } from '../../src/cli/command.js';
import { issuedLines } from '../../src/cli/tokens.js';
import { tokenRoles } from '../../src/codec/events/token.js';
import type { IssuedToken } from '../../src/app/tokens/change.js';

export default class TokenCreate extends AgentCommand<IssuedToken> {
  static override description = `Create an access token for the HTTP API and print it. It is shown only once and not stored.
viewer: reads. reviewer: also creates, executes, reviews, recovers and cancels missions. admin: everything.
agent: an assistant; it reads approved results and submits missions, and with --may-execute also has them executed, one at a time.
The name is recorded in the events of whoever uses the token. It can be used again after the token is revoked.`;
  static override examples = [
    '<%= config.bin %> token create alice --role reviewer',
    '<%= config.bin %> token create dashboard --role viewer --json',
    '<%= config.bin %> token create claude --role agent --may-execute',
  ];
  static override args = { name: Args.string({ description: '1 to 64 of A-Z a-z 0-9 _ -', required: true }) };
  static override flags = {
    approver: Flags.string({
      description: 'the approver for whom it acts; missions that it submits are requests of that person',
      helpValue: 'NAME',
    }),
    'may-execute': Flags.boolean({ description: 'for the role agent: it may also have missions executed' }),
    role: Flags.option({ options: tokenRoles, description: 'what it may do', required: true })(),
    as: actorFlag,
  };

  protected async act({ args, flags }: ParsedInput<typeof TokenCreate>): Promise<IssuedToken> {
    const { createToken } = await import('../../src/app/tokens/change.js');
    const options = { approver: flags.approver, mayExecute: flags['may-execute'] };
    return this.withHome((home) =>
      createToken(home, args.name, flags.role, flags.as, (issued) => this.printNow(issued), options),
    );
  }

  protected present = issuedLines;
}
