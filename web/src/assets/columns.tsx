import { chainName, classOf, dollars, points, words } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { Band, FlagCounts, Trust } from '../parts/marks.tsx';
import { Missing } from '../parts/missing.tsx';
import { Age } from '../parts/moment.tsx';
import { ScoreTrend } from '../parts/score-trend.tsx';
import { type Column, columnsOf, plainly } from '../parts/table.tsx';
import type { RatingRecord } from '../types.ts';

export const SORTS = ['score', '-score', 'trust', '-trust', 'as_of', '-as_of', 'symbol', '-symbol'] as const;

/** What a row shows of a record. */
export function rowOf(record: RatingRecord) {
  const { asset, band, score, trust_score, risk_flags, as_of, vfr, market_cap_usd, score_interval, outlook, watch } =
    record;
  const { id, symbol, name, chain, category } = asset;
  const failure = record.failure_probability?.find(({ horizon }) => horizon === '365d') ?? null;
  return {
    asset: { id, symbol, name, chain, category, class: asset.class ?? null },
    band,
    score,
    trust: trust_score,
    flags: risk_flags.map(({ code, severity, title, detail, since }) => ({ code, severity, title, detail, since })),
    as_of,
    vfr,
    cap: market_cap_usd,
    interval: score_interval,
    outlook,
    watch: watch?.detail ?? null,
    gaps: record.gaps.length,
    failure,
    before: record.previous,
  };
}

type Row = ReturnType<typeof rowOf>;

const column = columnsOf<Row>();
/** Only what the service sorts by is sorted: the list is longer than what has been read. */
export const ASSET_COLUMNS: readonly Column<Row>[] = [
  {
    id: 'symbol',
    title: 'Asset',
    cell: ({ asset }) => <AssetName asset={asset} />,
    value: ({ asset }) => asset.symbol ?? asset.name,
  },
  { id: 'class', title: 'Class', wide: true, cell: ({ asset }) => classOf(asset), csv: ({ asset }) => asset.class },
  column('band', 'Band', (band) => <Band band={band} />, { unsorted: true }),
  column(
    'score',
    'Score',
    (score) =>
      score === null ? (
        <Missing why="not_rated" todo="Open the asset to see what is missing." />
      ) : (
        <b>{points(score)}</b>
      ),
    { number: true },
  ),
  { id: 'trend', title: '30 days', wide: true, cell: ({ asset }) => <ScoreTrend assetId={asset.id} /> },
  column('trust', 'Trust', (trust) => <Trust score={trust} />, { number: true, wide: true }),
  {
    id: 'flags',
    title: 'Flags',
    cell: ({ flags }) => (
      <span title={flags.map(({ title, detail }) => `${title}: ${detail}`).join('\n')}>
        <FlagCounts flags={flags} />
      </span>
    ),
    csv: ({ flags }) => flags.map(({ code }) => code).join(' '),
  },
  {
    id: 'vfr',
    title: 'Price over fair value',
    number: true,
    wide: true,
    cell: ({ vfr }) =>
      vfr.value === null ? (
        <Missing
          why="no_peers"
          words="No fair value can be computed honestly: too few peers, or no figure that peers are compared by."
          cost="none, the score does not use it"
        />
      ) : (
        <>
          {vfr.value.toFixed(2)} <span className="q">{words(vfr.zone).toLowerCase()}</span>
        </>
      ),
    csv: ({ vfr }) => vfr.value,
  },
  column(
    'cap',
    'Market cap',
    (cap) => (cap === null ? <Missing why="no_source" cost="size counts nothing" /> : dollars(cap)),
    { number: true, wide: true, unsorted: true },
  ),
  column('as_of', 'Rated', (as_of) => <Age of={as_of} />, { number: true, wide: true }),
  {
    id: 'interval',
    title: '80 % interval',
    number: true,
    extra: true,
    cell: ({ interval }) =>
      interval === null ? (
        <Missing why="not_rated" />
      ) : interval[0] === interval[1] ? (
        <Missing why="held" />
      ) : (
        `${points(interval[0])}–${points(interval[1])}`
      ),
    csv: ({ interval }) => interval?.join(' to '),
  },
  {
    id: 'chain',
    title: 'Chain',
    extra: true,
    cell: ({ asset }) => (asset.chain ? chainName(asset.chain) : <Missing why="no_token" />),
    csv: ({ asset }) => asset.chain,
  },
  {
    id: 'before',
    title: 'Before',
    extra: true,
    cell: ({ before }) =>
      before ? <Band band={before.band} /> : <Missing why="never" words="This is its first rating." />,
    csv: ({ before }) => before?.band,
  },
  {
    id: 'failure',
    title: 'Failure within a year',
    number: true,
    extra: true,
    cell: ({ failure }) =>
      failure?.value == null ? (
        <Missing why="no_source" words={failure?.detail ?? 'It is of a rating before probabilities were stated.'} />
      ) : (
        `${(100 * failure.value).toFixed(1)} %`
      ),
    csv: ({ failure }) => failure?.value,
  },
  column('outlook', 'Outlook', (outlook) => outlook ?? <Missing why="too_early" />, { extra: true, unsorted: true }),
  column('watch', 'Pending', (watch) => watch ?? 'nothing', { extra: true, unsorted: true }),
  column('gaps', 'Not known', plainly, { number: true, extra: true, unsorted: true }),
];
