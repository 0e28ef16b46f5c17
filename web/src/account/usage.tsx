import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useAccount } from '../data/account.ts';
import { useDownload } from '../data/download.ts';
import { read } from '../data/service.ts';
import { count, many, percent } from '../format.ts';
import { Missing } from '../parts/missing.tsx';
import { Figures, Panel } from '../parts/panel.tsx';
import { Loaded, ProblemBox } from '../parts/problem.tsx';
import { type Column, columnsOf, Table } from '../parts/table.tsx';
import type { ReplyOf } from '../types.ts';

type Row = ReplyOf<'GET /v1/usage'>['data'][number];

const USAGE_GROUPS = ['day', 'endpoint_group', 'key', 'plan'] as const;
const TITLES = { day: 'Day', endpoint_group: 'Kind of request', key: 'Key', plan: 'Plan' } as const;
const route = getRouteApi('/account');

/** What the account has used this month and today, and its statement. */
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
        <Loaded
          query={usage}
          what="the usage"
          empty={({ data }) => data.length === 0 && 'Nothing was asked this month. Use is added up within a minute.'}
        >
          {({ data }) => (
            <Table
              name="Usage"
              columns={columns}
              rows={data}
              keyOf={(row) => first(row) ?? 'none'}
              tools={
                <>
                  <select
                    aria-label="Usage by"
                    value={by}
                    onChange={(event) =>
                      navigate({
                        to: '/account',
                        search: { tab: 'usage', by: USAGE_GROUPS.find((one) => one === event.target.value) },
                        replace: true,
                      })
                    }
                  >
                    {USAGE_GROUPS.map((one) => (
                      <option key={one} value={one}>
                        By {TITLES[one].toLowerCase()}
                      </option>
                    ))}
                  </select>
                  <button
                    type="button"
                    className="button"
                    disabled={statement.isPending}
                    onClick={() =>
                      statement.mutate({ input: { query: { format: 'csv' } }, fileName: 'assay-statement.csv' })
                    }
                  >
                    Statement as CSV
                  </button>
                </>
              }
            />
          )}
        </Loaded>
        {statement.error && <ProblemBox error={statement.error} />}
      </Panel>
    </div>
  );
}

const sum = (id: 'requests' | 'billable' | 'refused' | 'errors', title: string, wide: boolean): Column<Row> => ({
  id,
  title,
  wide,
  number: true,
  cell: (row) => count(row[id]),
  value: (row) => row[id],
});
const column = columnsOf<Row>();
const SUMS: readonly Column<Row>[] = [
  sum('requests', 'Requests', false),
  sum('billable', 'Counted', false),
  sum('refused', 'Refused', true),
  sum('errors', 'Errors', true),
  column('bytes', 'Kilobytes', (bytes) => count(bytes / 1000), { number: true, wide: true }),
];

/** What of the plan's quota was used today. */
function Today() {
  const today = new Date().toISOString().slice(0, 10);
  const account = useAccount();
  const usage = useQuery(read('GET /v1/usage', { query: { group_by: 'plan', from: today, to: today } }));
  if (!account.data || !usage.data) return null;
  const { plan } = account.data;
  const used = usage.data.data.find((row) => row.plan === plan.name)?.billable ?? 0;
  const most = plan.requests_per_day;
  return (
    <Figures
      figures={[
        {
          name: 'Counted today, UTC',
          value: count(used),
          more: most === null ? 'no limit a day' : `of ${count(most)}, ${percent((used / most) * 100, 1)}`,
        },
        {
          name: 'Requests a minute',
          value: plan.requests_per_minute === null ? 'no limit' : count(plan.requests_per_minute),
          more: `plan ${plan.name}`,
        },
        {
          name: 'Fresh ratings a day',
          value: plan.fresh_ratings_per_day === null ? 'no limit' : count(plan.fresh_ratings_per_day),
        },
        { name: 'Rows of a bulk job', value: plan.bulk_rows === 0 ? 'none' : count(plan.bulk_rows) },
      ]}
    />
  );
}
