import { inNumber, sentence, words } from '../format.ts';
import { Panel } from '../parts/panel.tsx';
import type { Facts } from './facts.ts';
import { noVfrWords } from './words.ts';

interface Unknown {
  readonly name: string;
  /** Who can do something about it. */
  readonly who: string;
  readonly why: string;
  readonly cost: string;
  readonly todo: string;
}

/** Each missing value: the reason, its cost, the remedy and who can apply it. */
export function NotKnown({ facts }: { readonly facts: Facts }) {
  const rows = unknownsOf(facts);
  return (
    <Panel title="What is not known" meta={rows.length === 0 ? 'nothing' : rows.length}>
      {facts.breakdown === null ? (
        <p className={facts.noBreakdown === null ? 'q waiting' : 'q'}>{facts.noBreakdown ?? 'Reading the factors …'}</p>
      ) : rows.length === 0 ? (
        <p className="q">Every feature of its class was answered.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keyboard
        <ul className="unknowns" tabIndex={0} aria-label="What is not known">
          {rows.map(({ name, who, why, cost, todo }) => (
            <li key={name}>
              <p>
                <b>{name}</b> <span className="tag">{who}</span>
              </p>
              <p className="q">
                {why} {cost}
              </p>
              <p>
                <span className="q">To do:</span> {todo}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** The gaps of the rating in the words of its breakdown, which the report has too; the fair value is no part of the score. */
function unknownsOf({ rating, breakdown, full, counterfactual }: Facts): readonly Unknown[] {
  const features = (breakdown?.factors ?? []).flatMap((factor) => factor.features);
  const gaps = rating.gaps.map(({ feature: id, reason }): Unknown => {
    const feature = features.find((one) => one.id === id);
    const raise = counterfactual?.raises.find((one) => one.feature === id);
    const { why, cost, action } = feature?.absence ?? { why: sentence(reason), cost: '', action: '' };
    const worth = raise !== undefined && raise.points > 0 ? ` Worth up to ${raise.points.toFixed(1)} points.` : '';
    return { name: feature?.name ?? words(id), why: inNumber(why), cost: `${cost}${worth}`, ...doer(action) };
  });
  if (rating.vfr.value !== null) return gaps;
  const vfr: Unknown = {
    name: 'Value against peers (vfr)',
    why: noVfrWords(full?.vfr.reason ?? null),
    cost: 'Costs no points.',
    ...doer('Operator: rate more assets of its class; it is computed again with each rating.'),
  };
  return [...gaps, vfr];
}

/** `Operator: add a key.` as who and what. */
function doer(action: string): Pick<Unknown, 'who' | 'todo'> {
  const [, who = 'open', todo = action] = /^([A-Z][a-z]+): (.+)$/.exec(action) ?? [];
  return { who: who.toLowerCase(), todo: sentence(todo) };
}
