import { useQuery } from '@tanstack/react-query';
import { read } from '../data/service.ts';
import { chainName, count, minute, percent, span, words } from '../format.ts';
import { Missing, orMissing } from '../parts/missing.tsx';
import { Age, Moment, moment } from '../parts/moment.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { Loaded } from '../parts/problem.tsx';
import { SourceHours } from '../parts/source-hours.tsx';
import { asIs, type Column, columnBy, columnsOf, NUMBER, Table, WIDE } from '../parts/table.tsx';
import type { ReplyOf } from '../types.ts';

type Status = ReplyOf<'GET /v1/status'>;
type Source = Status['sources'][number];
type Window = NonNullable<Status['service_level']>['windows'][number];
type Snapshots = Status['chains'][number]['snapshots'][number] & {
  readonly chain: string;
  readonly closed: string | null;
};

const AGAIN_MS = 15_000;
const LAST: Readonly<Record<string, string>> = { '1h': 'hour', '24h': '24 hours', '30d': '30 days' };
const NO_READS = <Missing why="none" words="No request of this kind came in the window." />;

/** Freshness of the data, and service levels. */
export function Page() {
  const status = useQuery({ ...read('GET /v1/status'), refetchInterval: AGAIN_MS });
  return (
    <>
      <PageHead
        title="Status"
        sub={
          status.data && (
            <>
              <b>{status.data.status === 'ok' ? '● Working' : `▲ ${words(status.data.status)}`}</b>, version{' '}
              {status.data.version}, {minute(status.data.as_of)}, read again every {AGAIN_MS / 1000} s
            </>
          )
        }
      />
      <Loaded query={status} what="the status">
        {(value) => (
          <div className="grid">
            <ServiceLevel of={value.service_level} />
            <Sources of={value.sources} />
            <Panel title="Chains" sub="how far the index of each chain is behind its plan">
              <Table
                name="Freshness by chain and kind"
                columns={CHAINS}
                rows={value.chains.flatMap(({ chain, last_closed_day: closed, snapshots }) =>
                  snapshots.map((each) => ({ chain, closed, ...each })),
                )}
                keyOf={({ chain, kind }) => chain + kind}
              />
            </Panel>
          </div>
        )}
      </Loaded>
    </>
  );
}

const WINDOWS: readonly Column<Window>[] = [
  columnBy('Last', ({ window }) => LAST[window] ?? window, { id: 'window' }),
  columnBy('Measured', ({ from, to }) => `${span((Date.parse(to) - Date.parse(from)) / 1000)}, since ${minute(from)}`, {
    ...WIDE,
    id: 'span',
  }),
  columnBy(
    'Available',
    ({ availability_pct: share }) =>
      share === null ? <Missing why="too_early" words="Less than a minute was measured." /> : percent(share),
    NUMBER,
  ),
  columnBy('Requests', ({ requests }) => count(requests), NUMBER),
  columnBy('Failed', ({ failures }) => count(failures), NUMBER),
  columnBy('Median, ms', ({ latency_ms: latency }) => (latency ? latency.p50 : NO_READS), { ...NUMBER, id: 'p50' }),
  columnBy('99 of 100 within, ms', ({ latency_ms: latency }) => (latency ? latency.p99 : NO_READS), {
    ...NUMBER,
    ...WIDE,
    id: 'p99',
  }),
];

function ServiceLevel({ of }: { readonly of: Status['service_level'] }) {
  const until = of?.windows[0]?.to;
  return (
    <Panel
      title="Service level"
      sub={until && `all windows end at ${minute(until)}`}
      foot="Ratings, chain data and exports. A window reaches back to the first minute that was measured, if that is later."
    >
      {of === null ? (
        <p className="empty">This installation does not measure itself.</p>
      ) : of.windows.length === 0 ? (
        <p className="empty">The first minute is being measured.</p>
      ) : (
        <Table name="Service level" tools={false} columns={WINDOWS} rows={of.windows} keyOf={({ window }) => window} />
      )}
    </Panel>
  );
}

/** The sources that are asked, failing ones first, and below them those that are off: they neither answer nor fail. */
function Sources({ of }: { readonly of: readonly Source[] }) {
  const on = of.filter(({ enabled }) => enabled).toSorted((a, b) => rank(a) - rank(b));
  const off = of.filter(({ enabled }) => !enabled);
  const down = on.filter(({ reachable }) => reachable === false).length;
  return (
    <>
      <Panel
        title="Sources"
        sub={`${count(on.length)} are on, ${down === 0 ? 'none is' : `${count(down)} ${down === 1 ? 'is' : 'are'}`} down; the last 24 hours`}
      >
        <Table name="Public sources" columns={SOURCES} rows={on} keyOf={({ source }) => source} />
      </Panel>
      {off.length > 0 && (
        <Panel title="Sources that are off" sub="not asked, by choice or for want of a key: no fault">
          <Table name="Sources that are off" columns={OFF} rows={off} keyOf={({ source }) => source} />
        </Panel>
      )}
    </>
  );
}

/** Down, less weight than usual, answering, not asked yet. */
function rank({ reachable, weight }: Source): number {
  return reachable === false ? 0 : weight < 1 ? 1 : reachable ? 2 : 3;
}

const OFF: readonly Column<Source>[] = [
  columnBy('Source', ({ title }) => title, { value: ({ title }) => title }),
  columnBy('Why', ({ reason }) => reason, { id: 'reason' }),
];

const sourceColumn = columnsOf<Source>();
const SOURCES: readonly Column<Source>[] = [
  columnBy('Source', ({ title }) => title, { value: ({ title }) => title }),
  columnBy(
    'State',
    ({ reachable, failure, latency_ms: latency, succeeded_at: at }) =>
      reachable === null ? (
        <Missing why="not_asked" words="Nothing that was rated needed it yet." />
      ) : reachable ? (
        latency === null && at !== null ? (
          <>
            answered <Age of={at} /> ago, not asked since
          </>
        ) : (
          'answers'
        )
      ) : (
        <b className="neg">▲ down{failure === null ? '' : `: ${failure}`}</b>
      ),
    {
      id: 'reachable',
      value: ({ reachable }) => (reachable === false ? 0 : reachable === null ? 2 : 1),
    },
  ),
  columnBy('24 hours', ({ hours }) => <SourceHours hours={hours} />, { ...WIDE, id: 'hours' }),
  sourceColumn('latency_ms', 'Median, ms', orMissing('not_asked', undefined, count), {
    number: true,
    wide: true,
  }),
  columnBy(
    'Requests left',
    ({ budget }) => (budget === null ? 'no limit kept' : `${count(budget.left)} of ${count(budget.burst)}`),
    { ...NUMBER, ...WIDE, id: 'budget', value: ({ budget }) => budget?.left },
  ),
  sourceColumn(
    'accepted_share',
    'Accepted',
    orMissing('too_early', 'It stated nothing yet.', (share: number) => percent(100 * share, 0)),
    { number: true, wide: true },
  ),
  sourceColumn('weight', 'Weight', (weight) => (weight < 1 ? <b className="neg">▲ {weight}</b> : weight), {
    number: true,
    wide: true,
  }),
  columnBy(
    'Last change of what it states',
    ({ last_drift: drift }) =>
      drift === null ? (
        'none'
      ) : (
        <>
          <Moment at={drift.at} /> {drift.text}
        </>
      ),
    { ...WIDE, id: 'drift' },
  ),
  sourceColumn(
    'checked_at',
    'Checked on known assets',
    orMissing('too_early', 'Known assets are read from it every hour.', moment),
    { extra: true, unsorted: true },
  ),
];

const snapshotsColumn = columnsOf<Snapshots>();
const CHAINS: readonly Column<Snapshots>[] = [
  snapshotsColumn('chain', 'Chain', chainName),
  snapshotsColumn('kind', 'Data', asIs),
  snapshotsColumn('indexed_assets', 'Assets', count, NUMBER),
  snapshotsColumn('due', 'Due', count, { number: true, wide: true }),
  columnBy('Running', ({ running }) => count(running), { ...NUMBER, ...WIDE }),
  snapshotsColumn('failing', 'Failing', (failing) => (failing > 0 ? <b className="neg">▲ {count(failing)}</b> : 0), {
    number: true,
  }),
  snapshotsColumn('late_seconds_p99', '99 of 100 late by', span, NUMBER),
  snapshotsColumn('last_stored_at', 'Newest', orMissing('too_early', 'None was stored yet.', moment), {
    ...WIDE,
    unsorted: true,
  }),
  snapshotsColumn('closed', 'Day closed', orMissing('too_early', 'The first day has not ended.', asIs), {
    ...WIDE,
    unsorted: true,
  }),
];
