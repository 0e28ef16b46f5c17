import { type Share, ShareBar } from '../charts/share-bar.tsx';
import { compact, inNumber, percent } from '../format.ts';
import { Panel } from '../parts/panel.tsx';
import { type Facts, isBeforeToken, numberOf } from './facts.ts';
import { Receipted, ReceiptedFeature } from './receipts.tsx';

/** What is released in the next twelve months, against what circulates and what there is at most. */
export function Unlocks({ facts }: { readonly facts: Facts }) {
  const feature = facts.breakdown?.factors.flatMap(({ features }) => features).find(({ id }) => id === 'sd_unlock');
  const share = numberOf(facts, 'unlock_next_12m_share');
  const circulating = numberOf(facts, 'circulating_supply');
  const total = numberOf(facts, 'total_supply@chains:all') ?? numberOf(facts, 'total_supply');
  const most = numberOf(facts, 'max_supply') ?? total;
  const month = numberOf(facts, 'unlock_30d_tokens');
  if (isBeforeToken(facts))
    return (
      <Panel title="Supply and unlocks">
        <p className="q">
          It has no token yet, so nothing circulates. What it publishes of the later supply counts in tokenomics
          disclosure.
        </p>
      </Panel>
    );
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
        <ShareBar label="Of the supply" parts={partsOf(circulating, share, most)} />
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
                In 12 mo.
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
                ? `No schedule is published: ${inNumber(feature.method)}.`
                : 'A sum of twelve months: no source gives the single dates.'}
          </p>
        </>
      )}
    </Panel>
  );
}

/** The supply in three parts. */
function partsOf(circulating: number, share: number | null, most: number | null): readonly Share[] {
  const soon = (share ?? 0) * circulating;
  const known = circulating + soon;
  const whole = Math.max(known, most ?? 0);
  const part = (name: string, tokens: number, colour: string): Share => ({
    key: name,
    name: `${name}, ${compact(tokens)} tokens`,
    share: (100 * tokens) / whole,
    colour,
  });
  return [
    part('circulates', circulating, 'var(--s1)'),
    part('within 12 months', soon, 'var(--s3)'),
    part('later or never', whole - known, 'var(--line-2)'),
  ];
}
