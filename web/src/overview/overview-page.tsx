import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLiveAlerts } from '../data/live.ts';
import { read } from '../data/service.ts';
import { classOf, count, day, looksAs, many, points, signed, span, withSources } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { Band, Severity } from '../parts/marks.tsx';
import { Known, Missing } from '../parts/missing.tsx';
import { Age } from '../parts/moment.tsx';
import { Figures, PageHead, Panel } from '../parts/panel.tsx';
import { Loaded } from '../parts/problem.tsx';
import { type Column, columnBy, columnsOf, NUMBER, Table, WIDE } from '../parts/table.tsx';
import type { ReplyOf } from '../types.ts';
import { BandDistribution } from './band-distribution.tsx';
import { SourceHealth } from './source-health.tsx';
import { WatchedAssets } from './watched-assets.tsx';

type Overview = ReplyOf<'GET /v1/overview'>;

const AGAIN_MS = 60_000;
/** Rows of movers and of flags: the page is one screen of 900 px. */
const SHOWN = 10;

/** Ratings, flags and sources that need attention today. */
export function Page() {
  const overview = useQuery({ ...read('GET /v1/overview'), refetchInterval: AGAIN_MS });
  const connection = useLiveAlerts();
  return (
    <>
      <PageHead
        title="Overview"
        sub={
          overview.data && (
            <>
              Counted <Age of={overview.data.as_of} /> ago{connection === 'live' && ', alerts come in live'}
            </>
          )
        }
      />
      <Loaded
        query={overview}
        what="the ratings"
        empty={({ assets }) =>
          assets === 0 && (
            <>
              Nothing has been rated yet. <Link to="/score">Score the first project</Link>: it appears here at once.
            </>
          )
        }
      >
        {(value) => (
          <div className="grid overview">
            <KeyFigures of={value} />
            <NewFlags of={value.severe_flags} />
            <BandDistribution bands={value.bands} assets={value.assets} />
            <Movers of={value} />
            <WatchedAssets />
            <SourceHealth />
            <Coverage of={value} />
            <Defaults of={value} />
          </div>
        )}
      </Loaded>
    </>
  );
}

function KeyFigures({ of }: { readonly of: Overview }) {
  const { actions_7d: acted, severe_flags: flags, age_seconds: ages, trust } = of;
  const defaulted = of.bands.find(({ band }) => band === 'D');
  const stale = of.classes.reduce((sum, row) => sum + row.scored - row.within_24h, 0);
  const change = trust.median === null || trust.median_30d_ago === null ? null : trust.median - trust.median_30d_ago;
  return (
    <Figures
      figures={[
        { name: 'With a score', value: count(of.scored), more: `of ${count(of.assets)} rated` },
        {
          name: 'Raised and lowered, 7 days',
          value: `${count(acted.upgrade)} / ${count(acted.downgrade)}`,
          more: `${count(acted.new)} new, ${count(acted.withdraw)} withdrawn`,
        },
        {
          name: 'Severe flags',
          value: count(flags.critical + flags.high),
          more: `${count(flags.critical)} critical, ${count(flags.new_24h)} new in 24 h`,
        },
        {
          name: 'In default',
          value: count(defaulted?.assets ?? 0),
          more: `${count(defaulted?.assets_30d_ago ?? 0)} a month ago`,
        },
        {
          name: 'Off the peg',
          value: count(of.pegs.length),
          more: of.pegs.length === 12 ? 'and more' : 'by a flag that is raised',
        },
        {
          name: 'Median age',
          value: ages.p50 === null ? <Missing why="not_rated" /> : span(ages.p50),
          more: `${count(stale)} over 24 h`,
        },
        {
          name: change === null ? 'Median trust' : `Median trust, ${signed(change)} in 30 d`,
          value: trust.median === null ? <Missing why="not_rated" /> : points(trust.median),
          more: `${count(trust.below_60)} below 60`,
        },
      ]}
    />
  );
}

const moversColumn = columnsOf<Overview['movers_7d'][number]>();
const MOVERS: readonly Column<Overview['movers_7d'][number]>[] = [
  columnBy('Asset', ({ asset }) => <AssetName asset={asset} />, { value: ({ asset }) => asset.symbol }),
  columnBy('Band', ({ band_before: before, band }) => (
    <span className="nowrap">
      {before !== band && (
        <>
          <Band band={before} /> <span aria-hidden="true">→</span>
          <span className="vh"> to </span>{' '}
        </>
      )}
      <Band band={band} />
    </span>
  )),
  moversColumn('change', 'Points, 7 d', (change) => <b className={change > 0 ? 'pos' : 'neg'}>{signed(change)}</b>, {
    number: true,
  }),
  moversColumn('reason', 'Why', (reason) => (
    <span className="clamp" title={reason}>
      {reason}
    </span>
  )),
  moversColumn('as_of', 'Age', (at) => <Age of={at} />, { ...NUMBER, ...WIDE }),
];

function Movers({ of }: { readonly of: Overview }) {
  return (
    <Panel title="Movers" meta={<Link to="/alerts">alerts</Link>} className="movers">
      <Table
        name="Movers"
        tools={false}
        columns={MOVERS}
        rows={of.movers_7d.slice(0, SHOWN)}
        keyOf={({ asset }) => asset.id}
        none="No score has moved within seven days. Assets that were rated first since then are not counted."
      />
    </Panel>
  );
}

const FLAGS: readonly Column<Overview['severe_flags']['newest'][number]>[] = [
  columnBy('Asset', ({ asset, severity }) => (
    <span className="nowrap">
      <Severity severity={severity} short /> <AssetName asset={{ ...asset, name: asset.symbol ?? asset.name }} />
    </span>
  )),
  columnBy(
    'Flag and evidence',
    ({ title, detail }) => (
      <span className="clamp" title={withSources(detail)}>
        <b>{title}</b> <span className="q">{withSources(detail)}</span>
      </span>
    ),
    { id: 'flag' },
  ),
  columnBy(
    'Since',
    ({ since }) => (
      <Known value={since} why="too_early" words="It was raised before the service kept the time.">
        {(at) => <Age of={at} />}
      </Known>
    ),
    NUMBER,
  ),
];

function NewFlags({ of }: { readonly of: Overview['severe_flags'] }) {
  return (
    <Panel
      title="Severe flags, newest first"
      meta={`${count(of.critical + of.high)} stand on ${many(of.assets, 'asset')}`}
      className="flags"
    >
      <Table
        name="New severe flags"
        tools={false}
        columns={FLAGS}
        rows={of.newest.slice(0, SHOWN)}
        keyOf={({ asset, code }) => asset.id + code}
        none="No critical or high flag is raised for any rated asset."
      />
    </Panel>
  );
}

const AGES = [
  ['under 1 h', 'var(--band-aa)', (row: Overview['classes'][number]) => row.within_1h],
  ['1 to 6 h', 'var(--band-bbb)', (row: Overview['classes'][number]) => row.within_6h - row.within_1h],
  ['6 to 24 h', 'var(--band-ccc)', (row: Overview['classes'][number]) => row.within_24h - row.within_6h],
  ['over 24 h', 'var(--band-c)', (row: Overview['classes'][number]) => row.scored - row.within_24h],
  ['no score', 'var(--raise)', (row: Overview['classes'][number]) => row.assets - row.scored],
] as const;

const classesColumn = columnsOf<Overview['classes'][number]>();
const COVERAGE: readonly Column<Overview['classes'][number]>[] = [
  columnBy('Class', (row) => (
    <Link to="/assets" search={row.class ? { class: row.class } : {}}>
      {classOf({ class: row.class, category: 'default' })}
    </Link>
  )),
  classesColumn('assets', 'Rated', count, { number: true }),
  classesColumn('scored', 'Score', count, { number: true }),
  columnBy(
    'Age of the newest rating, share',
    (row) => (
      <span
        className="share-bar"
        role="img"
        aria-label={AGES.map(([title, , of]) => `${title}: ${of(row)}`).join(', ')}
        title={AGES.map(([title, , of]) => `${title}: ${of(row)}`).join(', ')}
      >
        {AGES.map(([title, colour, of]) => (
          <i key={title} style={{ flex: of(row), background: colour }} />
        ))}
      </span>
    ),
    { id: 'age', width: '45%' },
  ),
];

function Coverage({ of }: { readonly of: Overview }) {
  const rows = of.classes;
  return (
    <Panel
      title="Coverage and age"
      meta={of.age_seconds.p95 === null ? undefined : `95 % within ${span(of.age_seconds.p95)}`}
      foot={
        <span className="legend">
          {AGES.filter(([, , of]) => rows.some((row) => of(row) > 0)).map(([title, colour]) => (
            <span key={title}>
              <i className="swatch" style={looksAs(colour)} />
              {title}
            </span>
          ))}
        </span>
      }
      className="coverage"
    >
      <Table
        name="Coverage and age by class"
        tools={false}
        columns={COVERAGE}
        rows={rows}
        keyOf={(row) => row.class ?? ''}
      />
    </Panel>
  );
}

type Trouble = Omit<Overview['pegs'][number], 'severity'> & {
  readonly event: string;
  readonly cures_at?: string | null;
};

const TROUBLES: readonly Column<Trouble>[] = [
  columnBy('Asset', ({ asset }) => <AssetName asset={asset} />),
  columnBy('Event', ({ event }) => <span className="neg">{event}</span>),
  columnBy(
    'What was seen',
    ({ detail, cures_at: cures }) => {
      const text =
        detail ||
        `no test is met now${cures == null ? '; it waits to be cured' : `; cured on ${day(cures)} if that lasts`}`;
      return (
        <span className="clamp" title={text}>
          {text}
        </span>
      );
    },
    { id: 'detail' },
  ),
  columnBy(
    'Since',
    ({ since }) => (since ? <span className="nowrap">{day(since)}</span> : <Missing why="too_early" />),
    NUMBER,
  ),
];

function Defaults({ of }: { readonly of: Overview }) {
  const rows = [
    ...of.defaults.map((one) => ({ ...one, title: '', event: 'Default' })),
    ...of.pegs.map((one) => ({ ...one, event: one.title })),
  ].slice(0, 14);
  return (
    <Panel title="Defaults and pegs" meta={<Link to="/track-record">track record</Link>} className="defaults">
      <Table
        name="Defaults and pegs"
        tools={false}
        columns={TROUBLES}
        rows={rows}
        keyOf={({ asset, event }) => asset.id + event}
        none="No rated asset is in default, and no flag states that one is off its peg."
      />
    </Panel>
  );
}
