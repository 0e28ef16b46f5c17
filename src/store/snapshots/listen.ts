import { createListeners, keepListening, type ListenOptions } from '../listening.ts';
import { CHANNEL, noticesOf, type StoredNotice } from './notices.ts';

export interface SnapshotListener {
  /** Told of each stored snapshot; sometimes of one twice. Returns the way to stop. */
  onStored(listener: (notice: StoredNotice) => void): () => void;
  close(): Promise<void>;
}

/** Listens for stored snapshots; what was stored while the connection was away is told when it is back, from the heads. */
export function listenForSnapshots(options: ListenOptions): SnapshotListener {
  const { tell, add } = createListeners<StoredNotice>(options.onError);
  const connection = keepListening(
    {
      name: CHANNEL,
      listener: 'assay-listener',
      onPayload: (payload) => {
        for (const notice of noticesOf(payload)) tell(notice);
      },
      async recheck(client, seconds) {
        const { rows } = await client.query<StoredNotice>(
          `select asset_id as "assetId", kind, as_of as "asOf" from snapshot_heads
           where changed_at > clock_timestamp() - make_interval(secs => $1)`,
          [seconds],
        );
        for (const row of rows) tell(row);
      },
    },
    options,
  );
  return { onStored: add, close: connection.close };
}
