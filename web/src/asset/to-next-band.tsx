import { points, signed, withSources } from '../format.ts';
import { Panel } from '../parts/panel.tsx';
import type { Counterfactual, Facts } from './facts.ts';
import { ReceiptedFeature } from './receipts.tsx';
import { valueWords, WHO } from './words.ts';

type Change = Counterfactual['raises'][number];

const MOST = 4;

/** Changes that would move the rating: to the next band, and to a lower one. */
export function ToNextBand({ facts }: { readonly facts: Facts }) {
  const { counterfactual: of } = facts;
  if (of === null)
    return (
      <Panel title="To the next band">
        {facts.noCounterfactual === null ? (
          <p className="q waiting">Computing it from the archived evidence …</p>
        ) : (
          <p className="q">Not computed. {facts.noCounterfactual}</p>
        )}
      </Panel>
    );
  if (of.reason !== null || of.needed_score === null || of.score === null)
    return (
      <Panel title="To the next band" className="not-reckoned">
        <p className="q">{of.reason === null ? 'It has the best band there is.' : `Not computed: ${of.reason}.`}</p>
      </Panel>
    );
  const capOf = (flag: string | null) => facts.rating.risk_flags.find(({ code }) => code === flag)?.title ?? 'A cap';
  const gap = of.needed_score - of.score;
  const fixed = of.obstacles.filter(({ can_be_lifted: lifted }) => !lifted);
  const raises = of.pairs.length > 0 ? pairRows(of) : of.raises.slice(0, Math.max(2, MOST - of.obstacles.length));
  return (
    <Panel
      title={fixed.length > 0 ? `${of.band} is out of reach` : `To reach ${of.band}`}
      meta={
        gap > 0
          ? `needs ${signed(gap)}: ${points(of.needed_score)} on ${of.needed_ratings} daily ratings`
          : `${points(of.needed_score)} is reached; it has to last for ${of.needed_ratings} daily ratings`
      }
    >
      <div className="rows">
        <table className="levers">
          <caption className="vh">What would raise the rating, and what would lower it</caption>
          <thead>
            <tr>
              <th scope="col">Raises it</th>
              <th scope="col">Now</th>
              <th scope="col">Needed</th>
              <th scope="col">Who</th>
              <th scope="col" className="r">
                Points
              </th>
            </tr>
          </thead>
          <tbody>
            {of.obstacles.map((cap) => (
              <tr key={cap.code} className="obstacle">
                <td>{cap.can_be_lifted ? `${capOf(cap.flag)} ends` : 'Ceiling of its class'}</td>
                <td colSpan={3} className="whole" title={cap.condition}>
                  {withSources(cap.detail)}
                  {cap.can_be_lifted ? '' : ': nobody can lift it'}
                </td>
                <td className="r neg">max {points(cap.cap)}</td>
              </tr>
            ))}
            {of.obstacles.length > 0 && raises.length === 0 && of.score_without_obstacles !== null && (
              <tr className="sum">
                <td colSpan={4}>Nothing else has to change</td>
                <td className="r pos">{signed(of.score_without_obstacles - of.score)}</td>
              </tr>
            )}
            {of.obstacles.length === 0 && raises.length === 0 && (
              <tr className="sum">
                <td colSpan={5}>{gap > 0 ? 'No single change is enough' : 'Nothing has to change; it has to last'}</td>
              </tr>
            )}
            {raises.map((change) => (
              <Row key={`${change.feature} ${change.needed}`} facts={facts} change={change} />
            ))}
            {of.pairs[0] && (
              <tr className="sum">
                <td colSpan={4}>Both together: {points(of.pairs[0].score)}</td>
                <td className="r pos">{signed(of.pairs[0].score - (of.score_without_obstacles ?? of.score))}</td>
              </tr>
            )}
            {of.pairs.length === 0 && raises.length > 0 && !raises.some(({ reaches }) => reaches) && (
              <tr className="sum">
                <td colSpan={5}>No one or two of these are enough</td>
              </tr>
            )}
          </tbody>
          {of.lowers.length > 0 && (
            <tbody>
              <tr>
                <th scope="rowgroup" colSpan={5}>
                  Lowers it ({of.lower_band} begins below {points(of.lower_score)})
                </th>
              </tr>
              {of.lowers.slice(0, 2).map((change) => (
                <Row key={change.feature} facts={facts} change={change} />
              ))}
            </tbody>
          )}
        </table>
      </div>
    </Panel>
  );
}

/** The best pair, and single changes besides, within the space available. */
function pairRows({ pairs, raises }: Counterfactual): readonly Change[] {
  const pair = pairs[0]?.changes ?? [];
  return [...pair, ...raises.filter(({ feature }) => !pair.some((one) => one.feature === feature)).slice(0, 2)].slice(
    0,
    2,
  );
}

function Row({ facts, change }: { readonly facts: Facts; readonly change: Change }) {
  const { feature: id, factor: code, name, unit, now, status, needed, who, points: moved } = change;
  const feature = facts.breakdown?.factors.flatMap(({ features }) => features).find((one) => one.id === id);
  return (
    <tr>
      <td title={facts.breakdown?.factors.find((factor) => factor.code === code)?.name}>
        {feature ? (
          <ReceiptedFeature facts={facts} of={feature}>
            {name}
          </ReceiptedFeature>
        ) : (
          name
        )}
      </td>
      <td title={now === null ? undefined : valueWords(now, unit, id)}>
        {now === null ? (status === 'absent' ? 'none found' : 'not known') : valueWords(now, unit, id)}
      </td>
      <td title={valueWords(needed, unit, id)}>{valueWords(needed, unit, id)}</td>
      <td>{WHO[who]}</td>
      <td className={`r ${moved >= 0 ? 'pos' : 'neg'}`}>{signed(moved)}</td>
    </tr>
  );
}
