import { useMemo } from 'react';
import { PlotChart } from '../charts/chart.tsx';
import type { PlotProps } from '../charts/plot.tsx';
import { compact, percent } from '../format.ts';
import { Panel } from '../parts/panel.tsx';
import { type Facts, numberOf } from './facts.ts';
import { Receipted, ReceiptedFeature } from './receipts.tsx';

/** What is released in the next twelve months, against what circulates and what there is at most. */
export function Unlocks({ facts }: { readonly facts: Facts }) {
  const feature = facts.breakdown?.factors.flatMap(({ features }) => features).find(({ id }) => id === 'sd_unlock');
  const share = numberOf(facts, 'unlock_next_12m_share');
  const circulating = numberOf(facts, 'circulating_supply');
  const most = numberOf(facts, 'max_supply') ?? numberOf(facts, 'total_supply');
  const month = numberOf(facts, 'unlock_30d_tokens');
  const { all, options } = useMemo(() => drawn(circulating, share, most), [circulating, share, most]);
  return (
    <Panel title="Supply and unlocks">
      {circulating === null ? (
        <p className={facts.isFullAwaited ? 'q waiting' : 'q'}>
          {facts.isFullAwaited
            ? 'Reading the supply …'
            : facts.isFullRefused
              ? 'The supply is shown to keys with the scope score.'
              : 'No source states how much circulates.'}
        </p>
      ) : (
        <PlotChart
          label={all.map(({ name, value }) => `${name}: ${compact(value)} tokens`).join(', ')}
          height={54}
          options={options}
        />
      )}
      {!facts.isFullAwaited && (
        <>
          <ul className="pairs">
            <li>
              <span>
                <i className="swatch s1" aria-hidden="true" />
                Circulates
              </span>{' '}
              <Receipted facts={facts} of="circulating_supply">
                <b>{circulating === null ? 'not known' : compact(circulating)}</b>
              </Receipted>
            </li>
            <li>
              <span>
                <i className="swatch s3" aria-hidden="true" />
                In 12 months
              </span>{' '}
              {feature === undefined ? (
                <b>no schedule</b>
              ) : (
                <ReceiptedFeature facts={facts} of={feature}>
                  <b>{typeof feature.value === 'number' ? percent(feature.value * 100, 1) : 'not known'}</b>
                </ReceiptedFeature>
              )}
            </li>
            <li>
              <span>At most</span>{' '}
              <Receipted facts={facts} of={numberOf(facts, 'max_supply') === null ? 'total_supply' : 'max_supply'}>
                <b>{numberOf(facts, 'max_supply') === null ? 'no maximum' : compact(most)}</b>
              </Receipted>
            </li>
            {month !== null && (
              <li>
                <span>Locks on chain, 30 days</span>{' '}
                <Receipted facts={facts} of="unlock_30d_tokens">
                  <b>{compact(month)}</b>
                </Receipted>
              </li>
            )}
          </ul>
          <p className="foot">
            {feature === undefined
              ? 'Nothing is released by a schedule in this class.'
              : feature.value === null
                ? `No schedule is published: ${feature.method}.`
                : 'A sum of twelve months: no source gives the single dates.'}
          </p>
        </>
      )}
    </Panel>
  );
}

interface Part {
  readonly name: string;
  readonly value: number;
  readonly colour: string;
}

/** The supply in three parts, and how they are drawn. */
function drawn(circulating: number | null, share: number | null, most: number | null) {
  const soon = share === null || circulating === null ? 0 : share * circulating;
  const known = (circulating ?? 0) + soon;
  const all: readonly Part[] = [
    { name: 'circulates', value: circulating ?? 0, colour: 'var(--s1)' },
    { name: 'within 12 months', value: soon, colour: 'var(--s3)' },
    { name: 'later or never', value: Math.max(0, (most ?? known) - known), colour: 'var(--line-2)' },
  ];
  const options: PlotProps['options'] = (plot) => ({
    marginLeft: 4,
    marginRight: 20,
    marginTop: 4,
    marginBottom: 20,
    x: {
      label: null,
      ticks: 3,
      tickFormat: (value: number) => compact(value),
      domain: [0, Math.max(most ?? 0, known)],
    },
    marks: [
      plot.barX(all, {
        x: 'value',
        fill: 'colour',
        insetRight: 1,
        title: ({ name, value }: Part) => `${name}: ${compact(value)} tokens`,
      }),
    ],
  });
  return { all, options };
}
