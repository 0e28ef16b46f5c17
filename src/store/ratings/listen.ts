import { createListeners, keepListening, type ListenOptions } from '../listening.ts';
import { RATINGS_CHANNEL } from './write.ts';

export interface RatingListener {
  /** Told the id of each asset that was rated; sometimes twice. Returns the way to stop. */
  onRated(listener: (assetId: string) => void): () => void;
  close(): Promise<void>;
}

/** Listens for ratings; what was rated while the connection was away is told when it is back, from the heads. */
export function listenForRatings(options: ListenOptions): RatingListener {
  const { tell, add } = createListeners<string>(options.onError);
  const connection = keepListening(
    {
      name: RATINGS_CHANNEL,
      listener: 'assay-rating-listener',
      onPayload: tell,
      async recheck(client, seconds) {
        const { rows } = await client.query<{ asset_id: string }>(
          'select asset_id from rated_assets where changed_at > clock_timestamp() - make_interval(secs => $1)',
          [seconds],
        );
        for (const row of rows) tell(row.asset_id);
      },
    },
    options,
  );
  return { onRated: add, close: connection.close };
}
