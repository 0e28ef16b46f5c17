import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ChartNotice, TimeSeriesChart } from '../charts/chart.tsx';
import { read } from '../data/service.ts';
import { day, dollars, many, points, words } from '../format.ts';
import { Panel } from '../parts/panel.tsx';
import { Loaded } from '../parts/problem.tsx';
import type { MarketSnapshot, RatingRecord } from '../types.ts';
import { useBands } from './band-scale.tsx';
import { type Facts, isBeforeToken } from './facts.ts';
import { hasManySevere } from './flag-banner.tsx';
import { pathOf } from './snapshots.tsx';

const DAY_MS = 86_400_000;
const ACTIONS: Readonly<Record<string, string>> = {
  new: 'first rating',
  upgrade: 'raised',
  downgrade: 'lowered',
  withdraw: 'withdrawn',
};

/** Score and price on one axis of time, with the actions as markers and the bands as ground. */
export function ScoreAndPrice({ facts }: { readonly facts: Facts }) {
  const { asset, as_of: end } = facts.rating;
  const from = new Date(Date.parse(end) - 365 * DAY_MS).toISOString();
  const path = { asset: asset.id };
  const history = useQuery(read('GET /v1/rms/{asset}/history', { path, query: { interval: '1d', limit: 500, from } }));
  const isNew = history.data !== undefined && history.data.data.length < 2;
  // On the first day every rating is a point.
  const first = useQuery({
    ...read('GET /v1/rms/{asset}/history', { path, query: { interval: 'all', limit: 500, from } }),
    enabled: isNew,
  });
  const actions = useQuery(read('GET /v1/rms/{asset}/actions', { path, query: { from } }));
  const hasToken = asset.chain !== null && asset.address !== null;
  const prices = useQuery({
    ...read('GET /v1/{chain}/market/{asset}/history', {
      path: pathOf(facts.rating),
      query: { interval: '1d', limit: 500, from },
    }),
    enabled: hasToken,
  });
  const bands = useBands();
  const ratings = ((isNew ? first.data : history.data)?.data ?? []) as readonly RatingRecord[];
  const snapshots = (prices.data?.data ?? []) as readonly MarketSnapshot[];
  const actionRows = actions.data?.data;
  const acts = useMemo(
    () => ((actionRows ?? []) as readonly RatingRecord[]).filter(({ rating_action: act }) => act !== 'affirm'),
    [actionRows],
  );
  const [low, high] = viewOf(ratings.flatMap(({ score }) => score ?? []));
  const series = useMemo(
    () => [
      {
        name: 'Score',
        colour: '--s1',
        least: LEAST_SPAN,
        stepped: true,
        format: points,
        points: ratings.map(({ as_of: at, score }) => ({ at: Date.parse(at), value: score })),
      },
      {
        name: 'Price, USD',
        colour: '--s2',
        axis: 'left' as const,
        format: dollarsOver(snapshots.flatMap(({ price_usd: price }) => price ?? [])),
        points: snapshots.map(({ as_of: at, price_usd: price }) => ({ at: Date.parse(at), value: price })),
      },
    ],
    [ratings, snapshots],
  );
  const markers = useMemo(
    () =>
      acts.map(({ as_of: at, rating_action: act }, index) => ({
        at: Date.parse(at),
        text: String(index + 1),
        up: act !== 'downgrade' && act !== 'withdraw',
      })),
    [acts],
  );
  const levels = useMemo(
    () =>
      bands
        .filter(({ from: cut }) => cut > Math.max(0, low) && cut < high)
        .map(({ band, from: value }) => ({ value, name: band })),
    [bands, low, high],
  );
  return (
    <Panel
      title="Score and price"
      meta={
        <span className="legend">
          {spanWords(ratings)} {ratings.length > 1 && <ChartNotice />}
        </span>
      }
    >
      <Loaded
        query={history}
        what="the history"
        empty={({ data }) => data.length === 0 && 'It was not rated in the last twelve months.'}
      >
        {() => (
          <>
            {isNew && first.data === undefined && first.error === null ? (
              <p className="q waiting">Reading the ratings of the first day …</p>
            ) : ratings.length < 2 ? (
              <FewRatings ratings={ratings} />
            ) : (
              <TimeSeriesChart
                label={`Score from ${points(ratings[0]?.score)} to ${points(ratings.at(-1)?.score)} over ${many(ratings.length, 'rating')}${snapshots.length > 1 ? `, price from ${dollars(snapshots[0]?.price_usd)} to ${dollars(snapshots.at(-1)?.price_usd)}` : ''}`}
                height={hasManySevere(facts) ? 160 : Math.max(176, 22 * (facts.breakdown?.factors.length ?? 8) - 4)}
                series={series}
                markers={markers}
                levels={levels}
              />
            )}
            <p className="legend">
              <span className="key-line s1">Score</span>{' '}
              {snapshots.length > 0 ? (
                <span className="key-line s2">Price, USD (left)</span>
              ) : (
                <span>
                  {hasToken
                    ? prices.error === null
                      ? 'no price kept yet'
                      : 'no price: this key may not read chain data, or it is not indexed'
                    : isBeforeToken(facts)
                      ? 'no price: it has no token yet'
                      : 'no price: kept for tokens on an indexed chain'}
                </span>
              )}{' '}
              {ratings.length > 1 && levels.length > 0 && (
                <span>dotted: {levels.map(({ name, value }) => `${name} from ${value}`).join(', ')}</span>
              )}{' '}
              {acts
                .map(({ as_of: at, rating_action: act, band }, index) => (
                  <span key={at} className="q">
                    <b>{index + 1}</b> {day(at)} {ACTIONS[act] ?? words(act)} {band}
                  </span>
                ))
                .slice(-3)}
            </p>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Least span of the axis of scores, points. */
const LEAST_SPAN = 8;

/** Range of scores that the chart shows: lines of bands outside would have a label and not be visible. */
function viewOf(scores: readonly number[]): readonly [number, number] {
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const more = Math.max(0, LEAST_SPAN - (most - least)) / 2;
  const span = Math.max(LEAST_SPAN, most - least);
  // The library leaves a tenth of the height free below and a fifth above.
  return [least - more - span / 7, most + more + (2 * span) / 7];
}

/** Writes prices with enough digits to distinguish them over their span. */
function dollarsOver(prices: readonly number[]): (value: number) => string {
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  const step = (most - least) / 5;
  if (prices.length === 0 || most >= 1_000 || step <= 0) return dollars;
  const digits = Math.min(12, Math.max(2, Math.ceil(-Math.log10(step))));
  return (value) => `$${value.toFixed(digits)}`;
}

function spanWords(ratings: readonly RatingRecord[]): string | undefined {
  const [first, last] = [ratings[0], ratings.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return first === last ? day(first.as_of) : `${day(first.as_of)} to ${day(last.as_of)}`;
}

/** A single rating makes no line. */
function FewRatings({ ratings }: { readonly ratings: readonly RatingRecord[] }) {
  const only = ratings[0];
  return (
    <div className="few">
      <p>
        One rating so far: <b>{points(only?.score)}</b>, {only?.band}.
      </p>
      <p className="q">
        A line needs two ratings. A monitored asset is rated again automatically: severe ones every quarter of an hour,
        quiet ones once a day.
      </p>
    </div>
  );
}
