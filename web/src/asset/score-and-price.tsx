import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ChartNotice, TimeSeriesChart } from '../charts/chart.tsx';
import { read } from '../data/service.ts';
import { day, dollars, points, words } from '../format.ts';
import { Panel } from '../parts/panel.tsx';
import { Loaded } from '../parts/problem.tsx';
import type { MarketSnapshot, RatingRecord } from '../types.ts';
import { useBands } from './band-scale.tsx';
import type { Facts } from './facts.ts';
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
  const low = Math.min(...ratings.flatMap(({ score }) => score ?? []), 100) - 12;
  const high = Math.max(...ratings.flatMap(({ score }) => score ?? []), 0) + 12;
  const series = useMemo(
    () => [
      {
        name: 'Score',
        colour: '--s1',
        least: 8,
        stepped: true,
        format: points,
        points: ratings.map(({ as_of: at, score }) => ({ at: Date.parse(at), value: score })),
      },
      {
        name: 'Price, USD',
        colour: '--s2',
        axis: 'left' as const,
        format: dollars,
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
      bands.filter(({ from: cut }) => cut > low && cut < high).map(({ band, from: value }) => ({ value, name: band })),
    [bands, low, high],
  );
  return (
    <Panel title="Score and price" meta={spanWords(ratings)}>
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
                label={`Score from ${points(ratings[0]?.score)} to ${points(ratings.at(-1)?.score)} over ${ratings.length} ratings${snapshots.length > 1 ? `, price from ${dollars(snapshots[0]?.price_usd)} to ${dollars(snapshots.at(-1)?.price_usd)}` : ''}`}
                height={176}
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
                    : 'no price: kept for tokens on an indexed chain'}
                </span>
              )}{' '}
              {acts
                .map(({ as_of: at, rating_action: act, band }, index) => (
                  <span key={at} className="q">
                    <b>{index + 1}</b> {day(at)} {ACTIONS[act] ?? words(act)} {band}
                  </span>
                ))
                .slice(-3)}
              {ratings.length > 1 && <ChartNotice />}
            </p>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function spanWords(ratings: readonly RatingRecord[]): string | undefined {
  const [first, last] = [ratings[0], ratings.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return first === last ? day(first.as_of) : `${day(first.as_of)} to ${day(last.as_of)}`;
}

/** One rating makes no line. */
function FewRatings({ ratings }: { readonly ratings: readonly RatingRecord[] }) {
  const only = ratings[0];
  return (
    <div className="few">
      <p>
        One rating so far: <b>{points(only?.score)}</b>, {only?.band}.
      </p>
      <p className="q">
        A line needs two. A monitored asset is rated again by itself: severe ones every quarter of an hour, quiet ones
        once a day.
      </p>
    </div>
  );
}
