import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccount } from '../data/account.ts';
import { useList } from '../data/list.ts';
import { useChange } from '../data/service.ts';
import { count, many } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { CsvFile } from '../parts/csv-file.tsx';
import { Field, Form } from '../parts/form.tsx';
import { moment } from '../parts/moment.tsx';
import { NeedsScope } from '../parts/needs-scope.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { Rows } from '../parts/rows.tsx';
import { asIs, type Column, columnBy, columnsOf, NUMBER, WIDE } from '../parts/table.tsx';
import type { ReplyOf } from '../types.ts';
import { BulkJob, Progress } from './bulk-job.tsx';
import { rowsOf } from './rows-of.ts';

type Job = ReplyOf<'GET /v1/bulk/{id}'>;

const route = getRouteApi('/bulk');

/** Many assets scored as one job. The job shown is in the address. */
export function Page() {
  const { job } = route.useSearch();
  return (
    <>
      <PageHead title="Bulk" sub="Many assets scored as one job, which continues when this page is closed." />
      <NeedsScope scope="score" to="have assets rated">
        <div className="grid side-form">
          <div className="grid">
            {job && <BulkJob key={job} id={job} />}
            <Jobs />
          </div>
          <NewBulk />
        </div>
      </NeedsScope>
    </>
  );
}

/** Rows are pasted or read from a file; what was read of them is shown before they are sent. */
function NewBulk() {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const create = useChange('POST /v1/bulk', ['GET /v1/bulk']);
  const most = useAccount().data?.plan.bulk_rows ?? null;
  const { rows, fault } = rowsOf(text);
  const isTooMany = most !== null && rows.length > most;
  if (most === 0)
    return (
      <Panel title="New bulk job">
        <p className="q">The plan of this key has no bulk jobs; GET /v1/plans shows plans that do.</p>
      </Panel>
    );
  const onSend = () =>
    create.mutate(
      { body: { rows } },
      {
        onSuccess: ({ bulk_id: id }) => {
          setText('');
          navigate({ to: '/bulk', search: { job: id } });
        },
      },
    );
  return (
    <Panel title="New bulk job">
      <Form
        change={create}
        submit={
          create.isPending ? 'Sending …' : rows.length === 0 ? 'Score them' : `Score ${many(rows.length, 'asset')}`
        }
        isReady={rows.length > 0}
        onSend={onSend}
      >
        <Field label="One asset a line, or a CSV text">
          <textarea
            rows={10}
            spellCheck={false}
            value={text}
            placeholder={'UNI\nuniswap.org\n0x1f98…\n\nor with a head: asset, or project,project_url'}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <span className="actions">
          <CsvFile onText={setText} />
          <span className="q" role="status">
            {rows.length > 0 && many(rows.length, 'row')}
            {most !== null && (rows.length > 0 ? ` of ${count(most)}` : `Up to ${count(most)} rows`)}
          </span>
        </span>
        {fault !== null && (
          <p className="neg" role="alert">
            {fault}
          </p>
        )}
        {isTooMany && <p className="neg">The plan takes {count(most)} rows; the others would be refused one by one.</p>}
      </Form>
    </Panel>
  );
}

function Jobs() {
  const { job } = route.useSearch();
  const list = useList('GET /v1/bulk', {}, { again: ({ state }) => state === 'running' });
  const navigate = useNavigate();
  const columns: readonly Column<Job>[] = [
    ...COLUMNS,
    columnBy(
      'Rows',
      ({ bulk_id: id }) => (
        <Button
          aria-pressed={job === id}
          onClick={() => navigate({ to: '/bulk', search: { job: job === id ? undefined : id } })}
        >
          {job === id ? 'Shown above' : 'Show'} <span className="vh">rows of {id}</span>
        </Button>
      ),
      { id: 'open' },
    ),
  ];
  return (
    <Panel title="Bulk jobs" sub="of the account, newest first; kept for 30 days">
      <Rows
        of={list}
        what="the bulk jobs"
        name="Bulk jobs"
        columns={columns}
        keyOf={({ bulk_id: id }) => id}
        none="There is none yet. Paste assets, or read a CSV file."
        tools={false}
      />
    </Panel>
  );
}

const column = columnsOf<Job>();
const COLUMNS: readonly Column<Job>[] = [
  column('created_at', 'Sent', moment),
  column('state', 'State', asIs, { wide: true }),
  columnBy('Done', (job) => <Progress job={job} />, { id: 'progress' }),
  columnBy('Rated', ({ rows }) => count(rows.rated), { ...NUMBER, value: ({ rows }) => rows.rated }),
  columnBy('Without result', ({ rows }) => count(rows.failed + rows.refused + rows.cancelled), {
    ...NUMBER,
    ...WIDE,
    id: 'not',
    value: ({ rows }) => rows.failed + rows.refused + rows.cancelled,
  }),
];
