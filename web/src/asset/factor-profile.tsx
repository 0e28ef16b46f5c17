import { inNumber, points, signed } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Panel } from '../parts/panel.tsx';
import { useReceipt } from '../parts/receipt.tsx';
import type { Factor } from '../types.ts';
import { decidersOf, type Facts, type Peers } from './facts.ts';
import { featureReceipt } from './receipts.tsx';
import { valueWords } from './words.ts';

/** Each factor against the median and the middle half of its class, with the fact that decides it. */
export function FactorProfile({ facts }: { readonly facts: Facts }) {
  const { breakdown, peers } = facts;
  if (breakdown === null)
    return (
      <Panel title="Factors against peers">
        <p className={facts.noBreakdown === null ? 'q waiting' : 'q'}>{facts.noBreakdown ?? 'Reading the factors …'}</p>
      </Panel>
    );
  // Peers rated by other factors, such as before and after the token, have no median here.
  const known = (peers?.factors ?? []).some(
    ({ code, median }) => median !== null && breakdown.factors.some((factor) => factor.code === code),
  );
  return (
    <Panel
      title="Factors against peers"
      meta={
        <span className="legend">
          <span className="key-box s1">score</span> {known && <span className="key-mark">median</span>}{' '}
          {known ? (
            <span className="key-box half">middle half of {peers?.peers} peers</span>
          ) : (
            'no median: fewer than five rated peers have these factors'
          )}
        </span>
      }
    >
      <div className="rows">
        <table className="factors">
          <caption className="vh">Factors with their weight, their score and the median of peers</caption>
          <thead>
            <tr>
              <th scope="col">Factor</th>
              <th scope="col" className="r wide">
                Weight
              </th>
              <th scope="col" className="axis">
                <span className="vh">Drawn, of 100</span>
                <Axis />
              </th>
              <th scope="col" className="r">
                Score
              </th>
              <th scope="col" className="r">
                {known ? 'vs med.' : 'Points'}
              </th>
              <th scope="col" className="wide">
                What decides it
              </th>
            </tr>
          </thead>
          <tbody>
            {breakdown.factors.map((factor) => (
              <FactorRow
                key={factor.code}
                facts={facts}
                factor={factor}
                range={peers?.factors.find(({ code }) => code === factor.code) ?? null}
                isCompared={known}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

/** A value that no second source confirms. */
const isStated = (value: unknown) => typeof value === 'number' && value > 0;

function Axis() {
  return (
    <span className="axis-marks" aria-hidden="true">
      {[0, 25, 50, 75, 100].map((value) => (
        <span key={value}>{value}</span>
      ))}
    </span>
  );
}

function FactorRow({
  facts,
  factor,
  range,
  isCompared,
}: {
  readonly facts: Facts;
  readonly factor: Factor;
  readonly range: Peers['factors'][number] | null;
  readonly isCompared: boolean;
}) {
  const open = useReceipt();
  const [decider, second] = decidersOf(factor);
  const deciding = [decider, second]
    .flatMap((one) => (one === undefined ? [] : `${one.name}: ${valueWords(one.value, one.unit, one.id)}`))
    .map((text, index) => (index === 0 ? text : text.charAt(0).toLowerCase() + text.slice(1)))
    .join('; ');
  const against = range?.median == null ? null : factor.score - range.median;
  return (
    <tr>
      <td className="factor-name">
        <Button
          className="receipted"
          title={inNumber(factor.rationale)}
          onClick={() =>
            open({
              title: factor.name,
              value: `${points(factor.score)} of 100`,
              how: `${inNumber(factor.rationale)} Weight ${factor.weight} %.`,
              observations: factor.features.map((feature) => ({
                source: feature.name,
                value:
                  feature.status === 'observed' || (feature.status === 'absent' && isStated(feature.value))
                    ? `${valueWords(feature.value, feature.unit, feature.id)}, ${points(feature.score)} of 100`
                    : feature.status === 'absent'
                      ? 'searched for, none found'
                      : feature.status === 'not_applicable'
                        ? 'not for this class'
                        : 'not known',
                accepted: feature.status === 'observed' || feature.status === 'absent',
                reason: inNumber(feature.method),
                evidence: null,
              })),
              job: facts.full === null ? null : facts.rating.job_id,
            })
          }
        >
          {factor.name}
        </Button>
      </td>
      <td className="r wide">{factor.weight.toFixed(0)} %</td>
      <td className="axis">
        <svg viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
          {[25, 50, 75].map((value) => (
            <path key={value} className="grid-line" d={`M${value} 0v14`} />
          ))}
          {range?.low != null && range.high != null && (
            <rect className="half" x={range.low} y={1} width={Math.max(0.6, range.high - range.low)} height={12} />
          )}
          <rect
            className={against !== null && against < 0 ? 'below' : 'above'}
            x={0}
            y={4.5}
            width={factor.score}
            height={5}
          />
          {range?.median != null && <rect className="median" x={range.median - 0.3} y={1} width={0.6} height={12} />}
        </svg>
      </td>
      <td className="r">
        <b>{points(factor.score)}</b>
      </td>
      <td className={`r ${(against ?? factor.contribution) >= 0 ? 'pos' : 'neg'}`}>
        {isCompared ? (
          against === null ? (
            <span className="q">no peers</span>
          ) : (
            signed(against)
          )
        ) : (
          signed(factor.contribution)
        )}
      </td>
      <td className="wide decides">
        {decider === undefined ? (
          <span className="q">nothing known: counts as the usual start</span>
        ) : (
          <Button className="receipted q" title={deciding} onClick={() => open(featureReceipt(facts, decider))}>
            {deciding}
          </Button>
        )}
      </td>
    </tr>
  );
}
