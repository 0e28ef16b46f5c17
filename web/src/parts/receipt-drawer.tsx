import { useQuery } from '@tanstack/react-query';
import { read } from '../data/service.ts';
import { minute } from '../format.ts';
import type { Evidence } from '../types.ts';
import { Dialog } from './dialog.tsx';
import { Missing } from './missing.tsx';
import { Loaded } from './problem.tsx';
import type { Receipt } from './receipt.tsx';

/** Value, its derivation, each observation, and each reply with its address, time and hash. */
export function ReceiptDrawer({ receipt, onClose }: { readonly receipt: Receipt; readonly onClose: () => void }) {
  const { title, value, how, observations = [], job } = receipt;
  const evidence = useQuery({
    ...read('GET /v1/jobs/{id}/evidence', { path: { id: job ?? '' } }),
    enabled: typeof job === 'string',
    staleTime: Number.POSITIVE_INFINITY,
    select: (reply) => new Map((reply as unknown as Evidence).responses.map((one) => [one.id, one])),
  });
  return (
    <Dialog side title={title} onClose={onClose}>
      <p className="receipt-value">{value}</p>
      {how && <p className="q">{how}</p>}
      <ul className="receipt-list">
        {observations.map((one) => (
          <li key={`${one.source} ${one.evidence}`}>
            <p>
              <b>{one.source}</b> <span className="end-value">{one.value}</span>
            </p>
            <p className="q">{one.accepted ? 'Counted' : `Left out: ${one.reason ?? 'no reason was kept'}`}</p>
            {one.evidence !== null && evidence.data && <Reply of={evidence.data.get(one.evidence)} />}
          </li>
        ))}
      </ul>
      {job ? (
        <Loaded query={evidence} what="the archived replies">
          {(replies) => (
            <p className="foot">
              {replies.size} replies of sources are kept for this rating (job {job}).
            </p>
          )}
        </Loaded>
      ) : (
        <p className="foot">
          The archived replies:{' '}
          <Missing why="withheld" words="They are shown to keys with the scope score that requested this rating." />
        </p>
      )}
    </Dialog>
  );
}

function Reply({ of }: { readonly of: Evidence['responses'][number] | undefined }) {
  if (!of) return <p className="q">Its reply is no longer kept.</p>;
  return (
    <dl className="facts">
      <dt>Asked</dt>
      <dd>
        <code>{of.url}</code>
      </dd>
      <dt>Replied</dt>
      <dd>
        {minute(of.fetchedAt)}, HTTP {of.status ?? 'none'}
      </dd>
      <dt>SHA-256</dt>
      <dd>
        {of.sha256 ? <code title={of.sha256}>{of.sha256}</code> : <Missing why="failed" words="No reply came." />}
      </dd>
    </dl>
  );
}
