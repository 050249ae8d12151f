/** The flag of a reason that a signed event records. */
import { invalid, RefusalError } from '../base/refusal.js';
import { noteFault } from '../base/text.js';

/** As the events that record one have it. */
const reason_chars_max = 2_000;

export const reasonFlag = {
  description: `your reason, 1 to ${reason_chars_max} characters, recorded in the signed event`,
  helpValue: 'TEXT',
  parse: async (text: string) => {
    const fault = noteFault(text, reason_chars_max);
    if (fault !== null) throw new RefusalError(invalid('reason', fault));
    return text;
  },
};
