import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useAccount } from '../data/account.ts';
import { useDownload } from '../data/download.ts';
import { read } from '../data/service.ts';
import { count, many, percent } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Select } from '../parts/form.tsx';
import { Missing } from '../parts/missing.tsx';
import { Figures, Panel } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';
import { Rows } from '../parts/rows.tsx';
import { type Column, columnsOf, NUMBER, WIDE } from '../parts/table.tsx';
import type { ReplyOf } from '../types.ts';

type Row = ReplyOf<'GET /v1/usage'>['data'][number];

const USAGE_GROUPS = ['day', 'endpoint_group', 'key', 'plan'] as const;
const TITLES = { day: 'Day', endpoint_group: 'Kind of request', key: 'Key', plan: 'Plan' } as const;
const route = getRouteApi('/account');

/** Usage of the account this month and today, and its statement. */
export function Usage() {
  const by: (typeof USAGE_GROUPS)[number] = route.useSearch().by ?? 'day';
  const navigate = useNavigate();
  const usage = useQuery(read('GET /v1/usage', { query: { group_by: by } }));
  const statement = useDownload('GET /v1/usage/statement');
  const first = (row: Row) => (by === 'key' ? row.key_id : row[by]);
  const columns: readonly Column<Row>[] = [
    {
      id: by,
      title: TITLES[by],
      cell: (row) => first(row) ?? <Missing why="none" words="The requests were sent without a key." />,
      value: first,
    },
    ...SUMS,
  ];
  return (
    <div className="grid">
      <Today />
      <Panel
        title="This month"
        sub={
          usage.data &&
          `${usage.data.from} to ${usage.data.to}: ${many(usage.data.totals.requests, 'request')}, ${count(usage.data.totals.billable)} count against the quota`
        }
      >
        <Rows
          of={usage}
          what="the usage"
          name="Usage"
          columns={columns}
          keyOf={(row) => first(row) ?? 'none'}
          none="No request was sent this month. Use is added up within a minute."
          tools={
            <>
              <Select
                label="Usage by"
                options={USAGE_GROUPS.map((one) => [one, `By ${TITLES[one].toLowerCase()}`])}
                value={by}
                onChoose={(one) => navigate({ to: '/account', search: { tab: 'usage', by: one }, replace: true })}
              />
              <Button
                disabled={statement.isPending}
                onClick={() =>
                  statement.mutate({ input: { query: { format: 'csv' } }, fileName: 'assay-statement.csv' })
                }
              >
                Statement as CSV
              </Button>
            </>
          }
        />
        {statement.error && <ProblemBox error={statement.error} />}
      </Panel>
    </div>
  );
}

const column = columnsOf<Row>();
const SUMS: readonly Column<Row>[] = [
  column('requests', 'Requests', count, NUMBER),
  column('billable', 'Counted', count, NUMBER),
  column('refused', 'Refused', count, { ...NUMBER, ...WIDE }),
  column('errors', 'Errors', count, { ...NUMBER, ...WIDE }),
  column('bytes', 'Kilobytes', (bytes) => count(bytes / 1000), { ...NUMBER, ...WIDE }),
];

/** Usage of the plan's daily quota. */
function Today() {
  const today = new Date().toISOString().slice(0, 10);
  const account = useAccount();
  const usage = useQuery(read('GET /v1/usage', { query: { group_by: 'plan', from: today, to: today } }));
  if (!account.data || !usage.data) return null;
  const { plan } = account.data;
  const used = usage.data.data.find((row) => row.plan === plan.name)?.billable ?? 0;
  const most = (limit: number | null) => (limit === null ? 'no limit' : count(limit));
  const daily = plan.requests_per_day;
  return (
    <Figures
      figures={[
        {
          name: 'Counted today, UTC',
          value: count(used),
          more: daily === null ? 'no limit a day' : `of ${count(daily)}, ${percent((used / daily) * 100, 1)}`,
        },
        { name: 'Requests a minute', value: most(plan.requests_per_minute), more: `plan ${plan.name}` },
        { name: 'Fresh ratings a day', value: most(plan.fresh_ratings_per_day) },
        { name: 'Rows of a bulk job', value: plan.bulk_rows === 0 ? 'none' : count(plan.bulk_rows) },
      ]}
    />
  );
}
