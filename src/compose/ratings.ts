import type { Config } from '../config/types.ts';
import { createRatingBook } from '../monitoring/rating-book.ts';
import type { RatingBook } from '../scoring/types.ts';
import type { Signer } from '../signing/signer.ts';

/** Where ratings are published, for every process that finishes scoring jobs. */
export function openRatingBook(config: Config, signer: Signer): RatingBook {
  return createRatingBook({
    dataMode: config.dataMode,
    sign: signer.sign,
    writeAlerts: async () => ({ openAlerts: false }),
    monitorDays: config.monitorDays,
  });
}
