import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Input } from '../../../client/src/operation.ts';
import { useScopes } from '../data/account.ts';
import { useDownload } from '../data/download.ts';
import { read } from '../data/service.ts';
import { count } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Select } from '../parts/form.tsx';
import { moment } from '../parts/moment.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';
import { Rows } from '../parts/rows.tsx';
import { type Column, columnBy, columnsOf, WIDE } from '../parts/table.tsx';
import { useToast } from '../parts/toast.tsx';
import type { ReplyOf } from '../types.ts';

type Day = ReplyOf<'GET /v1/exports/rms/daily/manifest'>['data'][number];
type Chain = Input<'GET /v1/{chain}/exports/daily'>['path']['chain'];

const FORMATS = ['csv', 'json', 'ndjson', 'parquet'] as const;
const route = getRouteApi('/exports');

/** The files of closed days: ratings, and the chains' data. */
export function Page() {
  const chain = route.useSearch().chain as Chain | undefined;
  const navigate = useNavigate();
  const mayReadChains = useScopes()('chain:read') === true;
  const chains = useQuery({ ...read('GET /v1/chains'), enabled: mayReadChains });
  const ratings = useQuery({ ...read('GET /v1/exports/rms/daily/manifest'), enabled: chain === undefined });
  const path = { chain: chain ?? 'solana' };
  const chainDays = useQuery({
    ...read('GET /v1/{chain}/exports/daily/manifest', { path }),
    enabled: chain !== undefined,
  });
  const manifest = chain === undefined ? ratings : chainDays;
  const saveRatings = useDownload('GET /v1/exports/rms/daily');
  const saveChain = useDownload('GET /v1/{chain}/exports/daily');
  const tell = useToast();
  const save = ({ date, revision }: Day, format: (typeof FORMATS)[number]) => {
    const query = { date, format, ...(revision === undefined ? {} : { revision }) };
    const fileName = `${chain ?? 'rms'}-${date}.${format}`;
    const done = { onSuccess: () => tell(`${fileName} was saved.`) };
    if (chain === undefined) saveRatings.mutate({ input: { query }, fileName }, done);
    else saveChain.mutate({ input: { path, query }, fileName }, done);
  };
  const isSaving = saveRatings.isPending || saveChain.isPending;
  const error = saveRatings.error ?? saveChain.error;
  const columns: readonly Column<Day>[] = [
    ...COLUMNS,
    columnBy('Files', (day) => (
      <span className="actions">
        {FORMATS.map((format) => (
          <Button
            key={format}
            disabled={isSaving}
            aria-label={`${day.date} as ${format}`}
            onClick={() => save(day, format)}
          >
            {format} <span className="q">{size(day, format)}</span>
          </Button>
        ))}
      </span>
    )),
  ];
  return (
    <>
      <PageHead
        title="Exports"
        sub="One signed file a day with everything, never changed. A corrected day is a new revision beside the old one."
      >
        <Select
          label="What is exported"
          any="Ratings"
          options={(chains.data?.data ?? []).map((one) => [one.chain, `Chain data of ${one.title}`])}
          value={chain}
          onChoose={(one) => navigate({ to: '/exports', search: { chain: one }, replace: true })}
        />
      </PageHead>
      {isSaving && <p role="status">Fetching the file …</p>}
      {error && <ProblemBox error={error} />}
      <Panel title="Published days">
        <Rows
          of={manifest}
          what="the published days"
          name="Published days"
          columns={columns}
          keyOf={({ date, revision }) => `${date}.${revision ?? 1}`}
          none="No day has been published yet. A day (UTC) is closed shortly after it ends."
          tools={false}
        />
      </Panel>
    </>
  );
}

const column = columnsOf<Day>();
const COLUMNS: readonly Column<Day>[] = [
  columnBy(
    'Day',
    ({ date, revision = 1, restates }) => (
      <>
        <span className="nowrap">{date}</span>
        {revision > 1 && (
          <span className="under">
            revision {revision}: {restates?.reason ?? 'corrected'}
          </span>
        )}
      </>
    ),
    { id: 'date', value: ({ date, revision }) => `${date} ${revision ?? 1}` },
  ),
  column('rows', 'Rows', count, { number: true }),
  column('published_at', 'Published', moment, WIDE),
];

function size(day: Day, format: string): string {
  const bytes = day.files.find((file) => file.format === format && file.encoding === 'identity')?.bytes;
  if (bytes === undefined) return '';
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
