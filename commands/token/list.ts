import { AgentCommand } from '../../src/cli/command.js';
import { tokenTable } from '../../src/cli/tokens.js';
import type { TokenList } from '../../src/codec/api-tokens.js';

export default class TokenListCommand extends AgentCommand<TokenList> {
  static override description =
    'List the access tokens by name and role, revoked ones too. api is the built-in one, in the file api.token.';
  static override examples = ['<%= config.bin %> token list', '<%= config.bin %> token list --json'];

  protected async act(): Promise<TokenList> {
    const { listTokens } = await import('../../src/app/tokens/change.js');
    return this.withHome(listTokens);
  }

  protected present({ items }: TokenList): readonly string[] {
    return tokenTable(items);
  }
}
