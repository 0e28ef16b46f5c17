import { count, UNKNOWN } from '../format.ts';
import { Table } from '../parts/old-table.tsx';
import type { ReplyOf } from '../types.ts';
import { useRead } from '../use-read.ts';

type Plan = ReplyOf<'GET /v1/plans'>['data'][number];

/** What of the plans' quotas was used today; nothing while it is not known. */
export function PlanUse() {
  const today = new Date().toISOString().slice(0, 10);
  const usage = useRead<ReplyOf<'GET /v1/usage'>>(`/v1/usage?group_by=plan&from=${today}&to=${today}`);
  const plans = useRead<ReplyOf<'GET /v1/plans'>>('/v1/plans');
  if (usage.state !== 'ready' || plans.state !== 'ready' || usage.value.data.length === 0) return null;
  const known = new Map<string | undefined, Plan>(plans.value.data.map((plan) => [plan.name, plan]));
  return (
    <>
      <h3>Today, UTC</h3>
      <Table
        caption="Use of today against the quotas of each plan"
        rows={usage.value.data}
        keyOf={({ plan }, index) => plan ?? String(index)}
        columns={[
          {
            title: 'Plan',
            of: ({ plan }) => (
              <>
                {plan ?? UNKNOWN}
                <span className="under">{known.get(plan)?.title}</span>
              </>
            ),
          },
          { title: 'Counted today', number: true, of: ({ billable }) => count(billable) },
          { title: 'Of, a day', number: true, of: ({ plan }) => most(known.get(plan), 'requests_per_day') },
          { title: 'Used', number: true, of: ({ plan, billable }) => share(billable, known.get(plan)) },
          { title: 'At most a minute', number: true, of: ({ plan }) => most(known.get(plan), 'requests_per_minute') },
          { title: 'Assets to watch', number: true, of: ({ plan }) => count(known.get(plan)?.watchlist_size) },
        ]}
      />
    </>
  );
}

function most(plan: Plan | undefined, limit: 'requests_per_day' | 'requests_per_minute'): string {
  if (!plan) return UNKNOWN;
  return plan[limit] === null ? 'no limit' : count(plan[limit]);
}

function share(used: number, plan: Plan | undefined): string {
  const limit = plan?.requests_per_day ?? null;
  return limit === null || limit === 0 ? UNKNOWN : `${((used / limit) * 100).toFixed(1)} %`;
}
