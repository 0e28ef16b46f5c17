import { chainName, classOf, dollars, points, words } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { Band, FlagCounts, Trust } from '../parts/marks.tsx';
import { Missing } from '../parts/missing.tsx';
import { Age } from '../parts/moment.tsx';
import { ScoreTrend } from '../parts/score-trend.tsx';
import { asIs, type Column, columnBy, columnsOf, NUMBER, WIDE } from '../parts/table.tsx';
import type { RatingRecord } from '../types.ts';

export const SORTS = ['score', '-score', 'trust', '-trust', 'as_of', '-as_of', 'symbol', '-symbol'] as const;

/** The members of a record that a row shows. */
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
/** Only columns that the service sorts by can be sorted: the list is longer than the part that was read. */
export const ASSET_COLUMNS: readonly Column<Row>[] = [
  columnBy('Asset', ({ asset }) => <AssetName asset={asset} />, {
    id: 'symbol',
    value: ({ asset }) => asset.symbol ?? asset.name,
  }),
  columnBy('Class', ({ asset }) => classOf(asset), { ...WIDE, csv: ({ asset }) => asset.class }),
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
  columnBy('30 days', ({ asset }) => <ScoreTrend assetId={asset.id} />, { ...WIDE, id: 'trend' }),
  column('trust', 'Trust', (trust) => <Trust score={trust} />, { number: true, wide: true }),
  columnBy(
    'Flags',
    ({ flags }) => (
      <span title={flags.map(({ title, detail }) => `${title}: ${detail}`).join('\n')}>
        <FlagCounts flags={flags} />
      </span>
    ),
    { csv: ({ flags }) => flags.map(({ code }) => code).join(' ') },
  ),
  columnBy(
    'Price over fair value',
    ({ vfr }) =>
      vfr.value === null ? (
        <Missing
          why="no_peers"
          words="No fair value can be computed reliably: too few peers, or no figure that peers are compared by."
          cost="none, the score does not use it"
        />
      ) : (
        <>
          {vfr.value.toFixed(2)} <span className="q">{words(vfr.zone).toLowerCase()}</span>
        </>
      ),
    { ...NUMBER, ...WIDE, id: 'vfr', csv: ({ vfr }) => vfr.value },
  ),
  column(
    'cap',
    'Market cap',
    (cap) => (cap === null ? <Missing why="no_source" cost="size does not count" /> : dollars(cap)),
    { number: true, wide: true, unsorted: true },
  ),
  column('as_of', 'Rated', (as_of) => <Age of={as_of} />, { number: true, wide: true }),
  columnBy(
    '80 % interval',
    ({ interval }) =>
      interval === null ? (
        <Missing why="not_rated" />
      ) : interval[0] === interval[1] ? (
        <Missing why="held" />
      ) : (
        `${points(interval[0])}–${points(interval[1])}`
      ),
    { ...NUMBER, id: 'interval', extra: true, csv: ({ interval }) => interval?.join(' to ') },
  ),
  columnBy('Chain', ({ asset }) => (asset.chain ? chainName(asset.chain) : <Missing why="no_token" />), {
    extra: true,
    csv: ({ asset }) => asset.chain,
  }),
  columnBy(
    'Before',
    ({ before }) => (before ? <Band band={before.band} /> : <Missing why="never" words="This is its first rating." />),
    { extra: true, csv: ({ before }) => before?.band },
  ),
  columnBy(
    'Failure within a year',
    ({ failure }) =>
      failure?.value == null ? (
        <Missing why="no_source" words={failure?.detail ?? 'It is of a rating before probabilities were stated.'} />
      ) : (
        `${(100 * failure.value).toFixed(1)} %`
      ),
    { ...NUMBER, id: 'failure', extra: true, csv: ({ failure }) => failure?.value },
  ),
  column('outlook', 'Outlook', (outlook) => outlook ?? <Missing why="too_early" />, { extra: true, unsorted: true }),
  column('watch', 'Pending', (watch) => watch ?? 'nothing', { extra: true, unsorted: true }),
  column('gaps', 'Not known', asIs, { number: true, extra: true, unsorted: true }),
];
