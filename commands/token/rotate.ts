import { Args } from '@oclif/core';
import { actorFlag, AgentCommand, type ParsedInput } from '../../src/cli/command.js';
import { issuedLines } from '../../src/cli/tokens.js';
import type { IssuedToken } from '../../src/app/tokens/change.js';

export default class TokenRotate extends AgentCommand<IssuedToken> {
  static override description =
    `Replace an access token by a new one and print it. It is shown only once. Name and role stay; the old token stops working at once.
Without a name, or with the name api, the file api.token is replaced.`;
  static override examples = ['<%= config.bin %> token rotate alice', '<%= config.bin %> token rotate'];
  static override args = {
    name: Args.string({ description: "the token's name; api is the token in the file api.token", default: 'api' }),
  };
  static override flags = { as: actorFlag };

  protected async act({ args, flags }: ParsedInput<typeof TokenRotate>): Promise<IssuedToken> {
    const { rotateToken } = await import('../../src/app/tokens/change.js');
    return this.withHome((home) => rotateToken(home, args.name, flags.as, (issued) => this.printNow(issued)));
  }

  protected present = issuedLines;
}
