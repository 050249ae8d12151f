import { Args } from '@oclif/core';
import type { TokenRecord } from '../../src/codec/api-tokens.js';
import { actorFlag, AgentCommand, type ParsedInput, stopsWork } from '../../src/cli/command.js';
import { tokenLines } from '../../src/cli/tokens.js';

export default class TokenRevoke extends AgentCommand<TokenRecord> {
  static override description = `Revoke an access token: it stops working at once, in a running server too.
The built-in token of the file api.token can only be rotated.`;
  static override examples = ['<%= config.bin %> token revoke alice'];
  static override args = { name: Args.string({ description: "the token's name", required: true }) };
  static override flags = { as: actorFlag };

  protected async act({ args, flags }: ParsedInput<typeof TokenRevoke>): Promise<TokenRecord> {
    const { revokeToken } = await import('../../src/app/tokens/change.js');
    return this.withHome((home) => revokeToken(home, args.name, flags.as), stopsWork);
  }

  protected present = tokenLines;
}
