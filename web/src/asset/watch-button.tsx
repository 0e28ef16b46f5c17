import { useQuery } from '@tanstack/react-query';
import { read, useChange } from '../data/service.ts';
import { Button } from '../parts/button.tsx';

/** Puts the asset on the account's watchlist, or takes it off. */
export function WatchButton({ assetId }: { readonly assetId: string }) {
  const list = useQuery(read('GET /v1/rms/whitelist'));
  const add = useChange('PUT /v1/rms/whitelist/{asset}', ['GET /v1/rms/whitelist']);
  const remove = useChange('DELETE /v1/rms/whitelist/{asset}', ['GET /v1/rms/whitelist']);
  if (list.data === undefined) return null;
  const watched = (list.data as readonly { readonly asset: string }[]).some(({ asset }) => asset === assetId);
  const path = { asset: assetId };
  const error = add.error ?? remove.error;
  return (
    <>
      <Button
        aria-pressed={watched}
        onClick={() => (watched ? remove.mutate({ path }) : add.mutate({ path, body: {} }))}
      >
        {watched ? 'Watched' : 'Watch'}
      </Button>
      {error && <span role="alert">{error.message}</span>}
    </>
  );
}
