import { useEffect, useState } from 'react';
import { ask, type Problem } from '../api.ts';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/old-table.tsx';
import { Read, Refused } from '../parts/state.tsx';
import type { Delivery, Page } from '../types.ts';
import { useRead } from '../use-read.ts';

/** While a message is under way its end is looked for. */
const AGAIN_MS = 3_000;
const SIGNS = { delivered: '✓', failed: '✕', pending: '…', folded: '⤷' };

/** What became of each message of a webhook. */
export function Deliveries({ id }: { readonly id: string }) {
  const list = useRead<Page<Delivery>>(`/v1/webhooks/${id}/deliveries`);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { again } = list;
  const waits = list.state === 'ready' && list.value.data.some(({ state }) => state === 'pending');
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [waits, again]);
  async function replay(delivery: string): Promise<void> {
    const reply = await ask(`/v1/webhooks/${id}/deliveries/${delivery}/replay`, { method: 'POST' });
    setProblem(reply.ok ? null : reply.problem);
    list.again();
  }
  return (
    <section className="card">
      <div className="title-row">
        <h2>Deliveries</h2>
        <button type="button" className="small" onClick={list.again}>
          Look again
        </button>
      </div>
      {problem && <Refused problem={problem} />}
      <Read
        reading={list}
        what="the deliveries"
        empty={({ data }) => data.length === 0 && 'Nothing was sent in the last 30 days.'}
      >
        {({ data }) => (
          <Table
            caption="Deliveries, newest first"
            rows={data}
            keyOf={(delivery) => delivery.id}
            columns={[
              { title: 'Message', of: ({ type }) => type },
              { title: 'State', of: ({ state }) => `${SIGNS[state]} ${state}` },
              { title: 'Attempts', number: true, of: ({ attempts }) => attempts },
              { title: 'Status', number: true, of: ({ last_status }) => last_status ?? 'none' },
              { title: 'What went wrong', of: ({ last_detail }) => last_detail ?? '' },
              { title: 'Made', of: ({ created_at }) => <Moment at={created_at} /> },
              {
                title: 'Do',
                of: (delivery) => (
                  <button
                    type="button"
                    className="small"
                    aria-label={`Send again ${delivery.id}`}
                    onClick={() => replay(delivery.id)}
                  >
                    Send again
                  </button>
                ),
              },
            ]}
          />
        )}
      </Read>
    </section>
  );
}
