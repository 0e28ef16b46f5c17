import { useState } from 'react';
import { ask, type Problem } from '../api.ts';
import { useRead } from '../use-read.ts';

/** Puts the asset on the account's watchlist, or takes it off. */
export function WatchButton({ assetId }: { readonly assetId: string }) {
  const list = useRead<readonly { readonly asset: string }[]>('/v1/rms/whitelist');
  const [problem, setProblem] = useState<Problem | null>(null);
  if (list.state !== 'ready') return null;
  const watched = list.value.some(({ asset }) => asset === assetId);
  async function change(): Promise<void> {
    const path = `/v1/rms/whitelist/${encodeURIComponent(assetId)}`;
    const reply = await ask(path, watched ? { method: 'DELETE' } : { method: 'PUT', json: {} });
    setProblem(reply.ok ? null : reply.problem);
    list.again();
  }
  return (
    <span className="actions">
      <button type="button" aria-pressed={watched} onClick={change}>
        {watched ? '★ Watched' : '☆ Watch'}
      </button>
      {problem && <span role="alert">{problem.title}</span>}
    </span>
  );
}
