import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read, useChange } from '../data/service.ts';
import { minute, shortAddress, words } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';

/** Messages muted by the link "Mute" of a webhook's messages, and until when; they can be unmuted here. Empty without a mute. */
export function Mutes({ id }: { readonly id: string }) {
  const list = useQuery(read('GET /v1/webhooks/{id}/mutes', { path: { id } }));
  const end = useChange('DELETE /v1/webhooks/{id}/mutes/{mute}', ['GET /v1/webhooks/{id}/mutes']);
  const mutes = list.data?.data ?? [];
  if (mutes.length === 0) return null;
  return (
    <Panel title="Muted" sub="not sent by this webhook; still in the list of alerts">
      {end.error && <ProblemBox error={end.error} />}
      <ul>
        {mutes.map(({ id: mute, asset_id: asset, kind, until }) => (
          <li key={mute} className="actions">
            <span>
              {kind === null ? 'All alerts' : words(kind)}
              {asset !== null && (
                <>
                  {' about '}
                  <Link to="/asset/$name" params={{ name: asset }} title={asset}>
                    {shortAddress(asset.split(':').at(-1) ?? asset)}
                  </Link>
                </>
              )}{' '}
              until {minute(until)}
            </span>
            <Button onClick={() => end.mutate({ path: { id, mute } })}>End</Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
