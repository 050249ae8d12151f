/** The flag of a reason that a signed event records. */
import { invalid, RefusalError } from '../base/refusal.js';
import { noteFault } from '../base/text.js';

export const reasonFlag = {
  description: 'your reason, 1 to 2000 characters, recorded in the signed event',
  helpValue: 'TEXT',
  parse: async (text: string) => {
    const fault = noteFault(text, 2_000);
    if (fault !== null) throw new RefusalError(invalid('reason', fault));
    return text;
  },
};
