import { useState } from 'react';
import { download } from '../api.ts';
import { count } from '../format.ts';
import { Table } from '../parts/old-table.tsx';
import { Read } from '../parts/state.tsx';
import { useRead } from '../use-read.ts';
import { PlanUse } from './plan-use.tsx';

interface Sums {
  readonly requests: number;
  readonly billable: number;
  readonly refused: number;
  readonly errors: number;
  readonly bytes: number;
}
type Row = Sums & Readonly<Record<string, string | number>>;
const GROUPS = [
  ['day', 'Day'],
  ['endpoint_group', 'Kind of request'],
  ['key', 'Key'],
  ['plan', 'Plan'],
] as const;

/** What the account has used this month, and its statement. */
export function Usage() {
  const [group, setGroup] = useState<string>('day');
  const [note, setNote] = useState('');
  const usage = useRead<{
    readonly account_id: string;
    readonly from: string;
    readonly to: string;
    readonly data: readonly Row[];
    readonly totals: Sums;
  }>(`/v1/usage?group_by=${group}`);
  const title = GROUPS.find(([code]) => code === group)?.[1] ?? 'Day';
  const save = async () => {
    const problem = await download('/v1/usage/statement?format=csv', 'assay-statement.csv');
    setNote(problem ? problem.title : 'The statement was saved.');
  };
  return (
    <section className="card">
      <div className="title-row">
        <h2>Usage</h2>
        <span className="actions">
          <label className="choice">
            <span>By</span>
            <select value={group} onChange={(event) => setGroup(event.target.value)}>
              {GROUPS.map(([code, name]) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={save}>
            Statement as CSV
          </button>
          <span role="status">{note}</span>
        </span>
      </div>
      <PlanUse />
      <h3>This month</h3>
      <Read reading={usage} what="the usage" empty={({ data }) => data.length === 0 && 'Nothing was asked this month.'}>
        {({ data, totals, from, to, account_id: account }) => (
          <>
            <p className="quiet">
              {account}, {from} to {to}: {count(totals.requests)} requests, {count(totals.billable)} of them count
              against the quota.
            </p>
            <Table
              caption={`Usage by ${title.toLowerCase()}`}
              rows={data}
              keyOf={(_row, index) => String(index)}
              columns={[
                { title, of: (row) => String(row[group === 'key' ? 'key_id' : group] ?? '') },
                { title: 'Requests', number: true, of: ({ requests }) => count(requests) },
                { title: 'Count against the quota', number: true, of: ({ billable }) => count(billable) },
                { title: 'Refused', number: true, of: ({ refused }) => count(refused) },
                { title: 'Errors', number: true, of: ({ errors }) => count(errors) },
                { title: 'Kilobytes', number: true, of: ({ bytes }) => count(bytes / 1000) },
              ]}
            />
          </>
        )}
      </Read>
    </section>
  );
}
