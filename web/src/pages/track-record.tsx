import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PlotChart, type PlotOptions } from '../charts/chart.tsx';
import { read } from '../data/service.ts';
import { bandColour, count, ends, minute, percent } from '../format.ts';
import { AssetName } from '../parts/asset-link.tsx';
import { Button } from '../parts/button.tsx';
import { Corrections } from '../parts/corrections.tsx';
import { Band, inBand } from '../parts/marks.tsx';
import { Missing, orMissing } from '../parts/missing.tsx';
import { moment } from '../parts/moment.tsx';
import { Figures, PageHead, Panel } from '../parts/panel.tsx';
import { Loaded } from '../parts/problem.tsx';
import { Rows } from '../parts/rows.tsx';
import { type Column, columnBy, columnsOf, NUMBER, Table, WIDE } from '../parts/table.tsx';
import type { ReplyOf } from '../types.ts';

type Horizon = ReplyOf<'GET /v1/track-record'>['horizons'][number];
type BandRow = Horizon['bands'][number];
type Miss = ReplyOf<'GET /v1/track-record/misses'>['data'][number];

const share = (value: number) => percent(value * 100, 1);
const route = getRouteApi('/track-record');

/** Outcomes of all ratings, misses included. */
export function Page() {
  const record = useQuery(read('GET /v1/track-record'));
  const misses = useQuery(read('GET /v1/track-record/misses'));
  const { days } = route.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <PageHead title="Track record" sub="Everything ever published counts, corrected or not." />
      <Loaded query={record} what="the track record">
        {(value) => {
          const horizon = value.horizons.find((one) => one.days === days) ?? longestFollowed(value.horizons);
          return (
            <div className="grid">
              <Figures
                figures={[
                  { name: 'Assets', value: count(value.assets) },
                  { name: 'Ratings', value: count(value.ratings) },
                  { name: 'Defaults', value: count(value.defaults), more: 'by the default tests' },
                  { name: 'In default when first rated', value: count(value.first_rated_in_default) },
                  { name: 'Misses', value: count(value.misses_total), more: `counted ${minute(value.as_of)}` },
                ]}
              />
              <fieldset className="actions">
                <legend className="vh">Horizon</legend>
                {value.horizons.map((one) => (
                  <Button
                    key={one.days}
                    className="chip"
                    aria-pressed={one === horizon}
                    onClick={() => navigate({ to: '/track-record', search: { days: one.days }, replace: true })}
                  >
                    {one.days} days
                  </Button>
                ))}
              </fieldset>
              {horizon && (
                <div className="grid halves">
                  <Reliability of={horizon} />
                  <Panel title={`Failures within ${horizon.days} days`} foot={<Accuracy of={horizon} />}>
                    <Table
                      name={`Failures within ${horizon.days} days by band`}
                      columns={COLUMNS}
                      rows={horizon.bands}
                      keyOf={({ band }) => band}
                      none="Nothing was rated yet."
                    />
                  </Panel>
                </div>
              )}
            </div>
          );
        }}
      </Loaded>
      <div className="grid below">
        <Panel title="Misses" sub="defaults of what was rated well in the year before, each by name">
          <Rows
            of={misses}
            what="the misses"
            name="Misses"
            columns={MISSES}
            keyOf={(one) => one.asset_id + one.defaulted_at}
            none="None: nothing that was rated well has failed."
          />
        </Panel>
        <Corrections />
      </div>
    </>
  );
}

/** The longest horizon with an outcome; the shortest while there is none. */
function longestFollowed(horizons: readonly Horizon[]): Horizon | undefined {
  const sorted = horizons.toSorted((a, b) => b.days - a.days);
  return sorted.find(({ bands }) => bands.some(({ assets }) => assets > 0)) ?? sorted.at(-1);
}

function Accuracy({ of: { accuracy_ratio: ratio, accuracy_reason: reason } }: { readonly of: Horizon }) {
  return <>Accuracy ratio: {ratio === null ? `none yet, ${reason ?? 'too few failures'}` : ratio.toFixed(3)}.</>;
}

/** Observed against stated probability of failure: a band on the line fails as often as stated. A horizon without stated values has the observed ones alone. */
function Reliability({ of }: { readonly of: Horizon }) {
  const states = of.bands.some(({ target }) => target !== null);
  const dots = of.bands.flatMap(({ band, rate, interval, target, assets, failed }) =>
    rate === null || (states && (target === null || target <= 0))
      ? []
      : [{ band, rate, target: target ?? 0, low: interval?.[0] ?? rate, high: interval?.[1] ?? rate, assets, failed }],
  );
  const without = of.bands.filter(({ rate, target }) => rate === null && target !== null);
  const x = states ? 'target' : 'band';
  const options: PlotOptions = useCallback(
    (plot) => ({
      marginLeft: 44,
      marginBottom: 34,
      x: states ? STATED : { type: 'point', domain: of.bands.map(({ band }) => band), label: null, padding: 1 },
      y: { domain: [0, 1], label: 'Observed, %', tickFormat: whole, grid: true },
      marks: [
        ...(states ? [plot.line(LINE, { x: 'x', y: 'x', stroke: 'var(--line-2)', strokeDasharray: '4 3' })] : []),
        plot.ruleX(dots, { x, y1: 'low', y2: 'high', stroke: 'var(--s2)', strokeWidth: 1.5 }),
        plot.dot(dots, {
          x,
          y: 'rate',
          r: 7,
          fill: ({ band }: { band: string }) => bandColour(band),
          stroke: 'var(--ink)',
          title: (one: (typeof dots)[number]) =>
            `${one.band}: ${one.failed} of ${one.assets} failed, ${share(one.rate)} (${share(one.low)} to ${share(one.high)})${states ? `; stated ${share(one.target)}` : ''}`,
        }),
        // On an axis of bands each stands below its dot already.
        plot.text(states ? dots : [], {
          x,
          y: 'rate',
          text: 'band',
          dx: 12,
          textAnchor: 'start',
          fill: 'var(--ink)',
          fontWeight: 600,
          stroke: 'var(--panel)',
        }),
      ],
    }),
    [dots, states, x, of],
  );
  return (
    <Panel
      title={states ? 'Observed against stated' : 'Observed by band'}
      meta={`within ${of.days} days, 95 % intervals`}
      foot={
        <>
          {states
            ? 'On the line, a band fails as often as it states.'
            : 'Assay states failure rates for 365 days only. These are the observed rates; read them with their intervals.'}
          {without.length > 0 &&
            ` Not drawn, nobody has been followed for ${of.days} days: ${without.map(({ band }) => band).join(', ')}.`}
        </>
      }
    >
      {dots.length === 0 ? (
        <p className="empty">
          No rated asset has been followed for {of.days} days yet. The diagram begins when the first has.
        </p>
      ) : (
        <PlotChart
          height={300}
          options={options}
          label={`Observed failure rates: ${dots.map((one) => `${one.band} ${share(one.rate)}${states ? ` of stated ${share(one.target)}` : ''}`).join(', ')}`}
        />
      )}
    </Panel>
  );
}

/** Curved by the logarithmic axis, so it is drawn through many points. */
const STATED = {
  type: 'log',
  domain: [0.003, 1],
  label: 'Stated, %',
  ticks: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1],
  tickFormat: (value: number) => whole(value),
  grid: true,
} as const;
const LINE = Array.from({ length: 60 }, (_, step) => ({ x: 0.003 * (1 / 0.003) ** (step / 59) }));
const whole = (value: number) => String(Number((value * 100).toPrecision(2)));

const ONE_YEAR = 'A rate is stated for 365 days.';
const YOUNG = <Missing why="too_early" words="No asset of the band has been followed for so long." />;
const bandRowColumn = columnsOf<BandRow>();
const COLUMNS: readonly Column<BandRow>[] = [
  bandRowColumn('band', 'Band', (band) => <Band band={band} />, { unsorted: true }),
  bandRowColumn('assets', 'Followed', count, { number: true, unsorted: true }),
  bandRowColumn('young', 'Too young', count, { number: true, wide: true, unsorted: true }),
  bandRowColumn('withdrawn', 'Withdrawn', count, { number: true, extra: true, unsorted: true }),
  bandRowColumn('failed', 'Failed', count, { number: true, unsorted: true }),
  bandRowColumn('rate', 'Rate', (rate) => (rate === null ? YOUNG : share(rate)), { number: true, unsorted: true }),
  columnBy('Interval', ({ interval }) => ends(interval, share) ?? YOUNG, {
    ...NUMBER,
    ...WIDE,
    csv: ({ interval }) => interval?.join(' to '),
  }),
  bandRowColumn('target', 'Stated', orMissing('none', ONE_YEAR, share), { ...NUMBER, unsorted: true }),
  columnBy('Meant for', ({ target_range: range }) => ends(range, share) ?? <Missing why="none" words={ONE_YEAR} />, {
    ...NUMBER,
    id: 'range',
    extra: true,
    csv: ({ target_range: range }) => range?.join(' to '),
  }),
];

const missColumn = columnsOf<Miss>();
const MISSES: readonly Column<Miss>[] = [
  columnBy('Asset', ({ asset_id: id, symbol }) => <AssetName asset={{ id, symbol, name: null }} />, {
    csv: ({ asset_id: id }) => id,
  }),
  missColumn('band', 'Was rated', inBand, { unsorted: true }),
  missColumn('band_as_of', 'Last so on', moment),
  missColumn('band_before', 'Just before', inBand, { ...WIDE, unsorted: true }),
  missColumn('defaulted_at', 'Failed', moment),
];
