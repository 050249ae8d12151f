/** `-` on the command line: standard input or output where a command takes it in place of a file, else an error of usage. */
import type { Interfaces } from '@oclif/core';
import { invalid, RefusalError } from '../base/refusal.js';
import { standard_stream } from '../base/text.js';

interface ParsedFlags {
  readonly raw: Interfaces.ParserOutput['raw'];
  readonly flags: { readonly json?: boolean | undefined };
}

/** What the usage shows as the value of a flag that names a file. */
const file_values = ['FILE', 'DIR', 'PATH'];

/**
 * @param flags the command's own and those of all commands
 * @param streams the arguments and flags of this command for which `-` is standard input or output
 * @throws RefusalError `invalid` for `-` as any other argument or file, an empty argument or file name, and where the output and the document of `--json` mix
 */
export function refuseStreams({ raw, flags: given }: ParsedFlags, flags: Interfaces.FlagInput, streams: readonly string[]): void {
  let first = '';
  for (const token of raw) {
    // The parser names the first of several values only.
    const name = token.type === 'arg' ? ((token.arg as string | undefined) ?? first) : token.flag;
    const shown = token.type === 'arg' ? name.toUpperCase() : `--${name}`;
    if (token.type === 'arg') first = name;
    const mustHave = token.type === 'arg' ? 'is empty' : namesFile(flags[name]) ? 'is empty; name a file or a directory' : null;
    if (token.input === '' && mustHave !== null) throw new RefusalError(invalid(shown, mustHave));
    if (token.input !== standard_stream) continue;
    if (streams.includes(name)) {
      if (name === 'output' && given.json === true)
        throw new RefusalError(invalid(shown, '- and --json cannot be used together: both print to standard output'));
      continue;
    }
    if (token.type === 'arg' || namesFile(flags[name]))
      throw new RefusalError(invalid(shown, '- is neither standard input nor standard output here; a file of this name is ./-'));
  }
}

const namesFile = (flag: Interfaces.FlagInput[string] | undefined): boolean =>
  flag !== undefined && 'helpValue' in flag && typeof flag.helpValue === 'string' && file_values.includes(flag.helpValue);
