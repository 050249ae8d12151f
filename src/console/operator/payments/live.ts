/** Which entries of the feed concern payments. Their streams are not the mission's. */
import type { FeedEntry } from '../../../codec/api-journal.js';

export const isOfPayments = ({ type }: FeedEntry): boolean => type.startsWith('invoice.') || type === 'receipt.recorded';
