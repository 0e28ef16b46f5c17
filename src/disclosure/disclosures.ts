import type { RatingReader } from '../monitoring/index.ts';
import type { Signer } from '../signing/index.ts';
import type { Store } from '../store/index.ts';
import { listRestatements } from '../store/index.ts';
import { disputeBook } from './disputes.ts';
import { openTrackRecordKeeper } from './track-record-keeper.ts';
import type { DisclosureServices } from './types.ts';

export interface DisclosureOptions {
  readonly store: Store;
  readonly dataMode: 'live' | 'sandbox';
  readonly reader: Pick<RatingReader, 'find'>;
  readonly signer: Pick<Signer, 'sign'>;
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
}

/** Disputes, corrections and the track record of this installation. */
export function openDisclosures(
  options: DisclosureOptions,
): DisclosureServices & { readonly close: () => Promise<void> } {
  const { store, reader, signer, now } = options;
  const keeper = openTrackRecordKeeper(options);
  return {
    disputes: disputeBook(store.db, now),
    async restatements(query) {
      const rows = await listRestatements(store.db, query);
      return rows.map(({ body, asset_id: assetId, made_at: madeAt, rating_id: _, ...row }) => ({
        ...row,
        assetId,
        madeAt,
        detail: JSON.parse(body) as Readonly<Record<string, unknown>>,
      }));
    },
    trackRecord: keeper.read,
    sign: signer.sign,
    find: (text) => reader.find(text),
    close: keeper.close,
  };
}
