import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useDownload } from '../data/download.ts';
import { useList } from '../data/list.ts';
import { read, useChange } from '../data/service.ts';
import { BULK_STATES, count, many, points, shortAddress, span, withShortAddresses, words } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { Button } from '../parts/button.tsx';
import { Select } from '../parts/form.tsx';
import { Band } from '../parts/marks.tsx';
import { Missing } from '../parts/missing.tsx';
import { Panel } from '../parts/panel.tsx';
import { Loaded, ProblemBox } from '../parts/problem.tsx';
import { Rows } from '../parts/rows.tsx';
import { asIs, type Column, columnBy, columnsOf, NUMBER } from '../parts/table.tsx';
import { Twice } from '../parts/twice.tsx';
import type { ReplyOf } from '../types.ts';

type Job = ReplyOf<'GET /v1/bulk/{id}'>;
type Row = ReplyOf<'GET /v1/bulk/{id}/rows'>['data'][number];

const AGAIN_MS = 2_000;
const route = getRouteApi('/bulk');

/** One bulk job: its progress, why rows have no result, and the rows. */
export function BulkJob({ id }: { readonly id: string }) {
  const { state } = route.useSearch();
  const navigate = useNavigate();
  const job = useQuery({
    ...read('GET /v1/bulk/{id}', { path: { id } }),
    refetchInterval: (query) => (query.state.data?.state === 'running' ? AGAIN_MS : false),
  });
  const isRunning = job.data?.state === 'running';
  const query = { limit: 100, ...(state ? { state } : {}) };
  const rows = useList('GET /v1/bulk/{id}/rows', { path: { id }, query });
  const queries = useQueryClient();
  const done = job.data?.rows.done;
  // Rows end one by one; the list is read again when the count changes.
  useEffect(() => {
    if (done !== undefined) void queries.invalidateQueries({ queryKey: ['GET /v1/bulk/{id}/rows'] });
  }, [done, queries]);
  const cancel = useChange('DELETE /v1/bulk/{id}', ['GET /v1/bulk/{id}', 'GET /v1/bulk', 'GET /v1/bulk/{id}/rows']);
  const results = useDownload('GET /v1/bulk/{id}/rows');
  const error = cancel.error ?? results.error;
  return (
    <Panel title="Bulk job" sub={id}>
      {error && <ProblemBox error={error} />}
      <Loaded query={job} what="the bulk job">
        {(value) => (
          <>
            <p role="status">
              <Progress job={value} /> {inWords(value)}
            </p>
            {value.reasons.length > 0 && (
              <p className="q">
                Why rows have no result:{' '}
                {value.reasons.map(({ code, rows }) => `${words(code).toLowerCase()} (${count(rows)})`).join(', ')}.
              </p>
            )}
          </>
        )}
      </Loaded>
      <Rows
        of={rows}
        what="the rows"
        name="Rows"
        columns={COLUMNS}
        keyOf={({ row }) => String(row)}
        none="No row is in this state."
        tools={false}
      />
      <p className="q">
        Band and score are those of the moment. The published rating follows only what lasts, and a default keeps it at
        D until it is cured: open the asset to read it.
      </p>
      <p className="actions below">
        <Select
          label="State of the rows"
          any="All rows"
          options={BULK_STATES.map((one) => [one, one])}
          value={state}
          onChoose={(one) => navigate({ to: '/bulk', search: { job: id, state: one }, replace: true })}
        />
        <Button
          disabled={results.isPending}
          onClick={() => results.mutate({ input: { path: { id }, query: { format: 'csv' } }, fileName: `${id}.csv` })}
        >
          All results as CSV
        </Button>
        {isRunning && <Twice name="Cancel" about="the bulk job" onSure={() => cancel.mutate({ path: { id } })} />}
      </p>
    </Panel>
  );
}

export function Progress({ job: { rows } }: { readonly job: Pick<Job, 'rows'> }) {
  return (
    <span className="progress">
      <progress max={Math.max(1, rows.total)} value={rows.done} aria-label="Rows that are done" /> {count(rows.done)} of{' '}
      {count(rows.total)}
    </span>
  );
}

function inWords({ state, rows, at_once: atOnce, eta_seconds: eta }: Job): string {
  const counts = (['rated', 'failed', 'refused', 'duplicate', 'cancelled'] as const)
    .filter((one) => rows[one] > 0)
    .map((one) => `${count(rows[one])} ${one}`)
    .join(', ');
  if (state !== 'running') return `${words(state)}: ${counts || 'no row was done'}.`;
  const rest = eta === null ? 'How long it takes is known once the first row ends.' : `About ${span(eta)} to go.`;
  return `${counts ? `${counts}; ` : ''}${many(rows.running, 'row')} under way, at most ${atOnce} at once. ${rest}`;
}

const column = columnsOf<Row>();
const COLUMNS: readonly Column<Row>[] = [
  column('row', 'No.', asIs, { number: true, wide: true }),
  columnBy(
    'Asked for',
    ({ requested: { asset, project, project_url: url }, job_id: job }) => (
      <>
        {job === null ? (
          <span title={asset ?? undefined}>{withShortAddresses(asset ?? project ?? url ?? 'an empty row')}</span>
        ) : (
          <Link to="/job/$id" params={{ id: job }} title={asset ?? undefined}>
            {withShortAddresses(asset ?? project ?? url ?? job)}
          </Link>
        )}
        {project !== null && url !== null && <span className="under">{url}</span>}
      </>
    ),
    { id: 'asked', value: ({ requested: { asset, project } }) => asset ?? project },
  ),
  column('state', 'State', asIs, { wide: true }),
  columnBy(
    'Band',
    ({ result, state }) =>
      result === null ? <Missing why={REASONS[state]} words={WORDS[state]} /> : <Band band={result.band} />,
    { csv: ({ result }) => result?.band },
  ),
  columnBy(
    'Score',
    ({ result, state }) =>
      result === null ? (
        <Missing why={REASONS[state]} words={WORDS[state]} />
      ) : result.score === null ? (
        <Missing why="not_rated" />
      ) : (
        points(result.score)
      ),
    { ...NUMBER, value: ({ result }) => result?.score },
  ),
  columnBy('Outcome', (row) => <Outcome row={row} />, { id: 'what' }),
];

const REASONS = {
  waiting: 'too_early',
  running: 'too_early',
  rated: 'not_rated',
  failed: 'failed',
  refused: 'not_asked',
  duplicate: 'not_asked',
  cancelled: 'not_asked',
} as const;
const WORDS: Readonly<Record<Row['state'], string>> = {
  waiting: 'Its turn has not come.',
  running: 'Its sources are requested now.',
  rated: 'It was rated, and the result is no longer kept.',
  failed: 'Its score failed; the last column states why.',
  refused: 'It was not begun; the last column states why.',
  duplicate: 'It repeats an earlier row, which has the result.',
  cancelled: 'The job was cancelled before its turn.',
};

/** The rated asset, or the error; an ambiguous row offers its candidates. */
function Outcome({ row: { result, error, duplicate_of: earlier, state } }: { readonly row: Row }) {
  if (result !== null) return <AssetName asset={{ id: result.asset, symbol: result.symbol, name: result.name }} />;
  if (earlier !== null) return `repeats row ${earlier}`;
  if (error === null) return WORDS[state];
  return (
    <>
      {error.title}
      <span className="under">{error.detail}</span>
      {error.candidates && (
        <ul className="links">
          {error.candidates.map(({ id, name, symbol }) => (
            <li key={id}>
              <Link to="/score" search={{ asset: id }} className="pressed" title={id}>
                {symbol ?? name} {shortAddress(id.split(':').at(-1) ?? id)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
