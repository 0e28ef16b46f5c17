import { points, sentence } from '../format.ts';
import { Panel } from '../parts/panel.tsx';
import type { Feature } from '../types.ts';
import type { Facts } from './facts.ts';
import { noVfrWords } from './words.ts';

interface Unknown {
  readonly name: string;
  readonly who: 'project' | 'ours' | 'open';
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

function unknownsOf(facts: Facts): readonly Unknown[] {
  const { rating, breakdown, full, counterfactual } = facts;
  const features = (breakdown?.factors ?? []).flatMap((factor) =>
    factor.features.map((feature) => ({ feature, factor })),
  );
  const gaps = rating.gaps.map(({ feature: id, reason }): Unknown => {
    const found = features.find(({ feature }) => feature.id === id);
    const raise = counterfactual?.raises.find(({ feature }) => feature === id);
    const cost =
      raise !== undefined && raise.points > 0
        ? `Worth up to ${raise.points.toFixed(1)} points.`
        : found === undefined
          ? ''
          : `Weight: ${(found.feature.weight * 100).toFixed(0)} % of ${found.factor.name.toLowerCase()}.`;
    return { name: found?.feature.name ?? id.replaceAll('_', ' '), cost, ...reasonOf(found?.feature, reason) };
  });
  const vfr: readonly Unknown[] =
    rating.vfr.value === null
      ? [
          {
            name: 'Value against peers (vfr)',
            who: 'open',
            why: noVfrWords(full?.vfr.reason ?? null),
            cost: 'Costs no points.',
            todo: 'Rate more assets of its class; it is computed again with each rating.',
          },
        ]
      : [];
  return [...gaps, ...vfr];
}

function reasonOf(feature: Feature | undefined, reason: string): Pick<Unknown, 'who' | 'why' | 'todo'> {
  const method = feature?.method ?? '';
  const failed = /^a source that would know failed \((.+)\)$/.exec(method)?.[1];
  if (failed !== undefined)
    return {
      who: 'ours',
      why: `The source failed (${failed.replaceAll('_', ' ')}).`,
      todo: 'Rate it again; if it stays, look at the source on the page Status.',
    };
  const counts = feature?.score == null ? 'counts as none' : `counts ${points(feature.score)} of 100 points`;
  // Statements of the project that no other source confirms: they have a value, which counts in part.
  if (feature?.status === 'absent' && typeof feature.value === 'number' && feature.value > 0 && method !== '')
    return {
      who: 'project',
      why: `${sentence(method)} No other source confirms it, so that it ${counts} and widens the interval.`,
      todo: 'The project publishes it where registries read it.',
    };
  if (feature?.status === 'absent' && (feature.score ?? 0) >= 70)
    return {
      who: 'open',
      why: 'Searched for and none found, which is good and counts as half known.',
      todo: 'Nothing; another list to search would make it surer.',
    };
  if (feature?.status === 'absent')
    return {
      who: 'project',
      why: `Searched for and not found; it ${counts}.`,
      todo: 'The project publishes it where registries read it.',
    };
  if (feature?.status === 'observed')
    return {
      who: 'ours',
      why: `Stated, and not surely: confidence ${feature.confidence.toFixed(2)}${feature.score === null ? '' : `, ${points(feature.score)} of 100`}.`,
      todo: 'A second independent source; see the keys on the page Status.',
    };
  if (/party|project|site|silent|publish/i.test(reason + method))
    return { who: 'project', why: sentence(method || reason), todo: 'The project publishes it.' };
  return {
    who: 'open',
    why: `${sentence(method === '' ? reason : method)}`,
    todo: 'Propose a row of a register with its source, or add a source that states it.',
  };
}
