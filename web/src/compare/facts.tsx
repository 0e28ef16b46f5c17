import type { ReactNode } from 'react';
import { valueWords } from '../asset/words.ts';
import { classOf, dollars, points, words } from '../format.ts';
import { Missing } from '../parts/missing.tsx';
import { Panel } from '../parts/panel.tsx';
import type { Feature } from '../types.ts';
import { type Compared, MARKS, nameOf } from './compare-page.tsx';

interface Cell {
  readonly text: string | null;
  readonly shown: ReactNode;
  /** What is compared: higher is better. Null: not ordered, or not known. */
  readonly rank: number | null;
}
interface Fact {
  readonly name: string;
  readonly group: string;
  readonly cells: readonly Cell[];
}

/** Rows of the table: the verdict's figures, then each feature that two or more of the assets have. */
export function factsOf(compared: readonly Compared[]): readonly Fact[] {
  const row = (name: string, of: (one: Compared) => Cell): Fact => ({
    name,
    group: 'Verdict',
    cells: compared.map(of),
  });
  const number = (value: number | null, show: (value: number) => string, rank: number | null, why: ReactNode): Cell =>
    value === null ? { text: null, shown: why, rank: null } : { text: show(value), shown: show(value), rank };
  const unrated = <Missing why="not_rated" />;
  const verdict = [
    row('Score', ({ rating: { score } }) => number(score, points, score, unrated)),
    row('Trust', ({ rating: { trust_score: trust } }) => number(trust, points, trust, unrated)),
    row('Price over fair value', ({ rating: { vfr } }) =>
      number(
        vfr.value,
        (value) => `${value.toFixed(2)} ${words(vfr.zone).toLowerCase()}`,
        null,
        <Missing why="no_peers" />,
      ),
    ),
    row('Market cap', ({ rating: { market_cap_usd: cap } }) => number(cap, dollars, null, <Missing why="no_source" />)),
    row('Class', ({ rating: { asset } }) => ({ text: classOf(asset), shown: classOf(asset), rank: null })),
  ];
  const seen = new Map<string, { readonly name: string; readonly group: string; readonly unit: string }>();
  for (const { breakdown } of compared)
    for (const factor of breakdown?.factors ?? [])
      for (const { id, name, unit } of factor.features) seen.set(id, { name, group: factor.name, unit });
  const features = [...seen].flatMap(([id, { name, group, unit }]) => {
    const found = compared.map(({ breakdown }) =>
      breakdown?.factors.flatMap((factor) => factor.features).find((one) => one.id === id),
    );
    if (found.filter((one) => one && one.value !== null).length < Math.min(2, compared.length)) return [];
    return [{ name, group, cells: found.map((one) => cellOf(one, unit)) }];
  });
  const groups = [...new Set(features.map(({ group }) => group))];
  return [...verdict, ...features.toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group))];
}

function cellOf(feature: Feature | undefined, unit: string): Cell {
  if (!feature || feature.status === 'not_applicable')
    return { text: null, shown: <Missing why="not_applicable" />, rank: null };
  if (feature.value === null)
    return {
      text: null,
      shown: (
        <Missing
          why="no_source"
          words="No source states it."
          cost="it counts at the prior, and the interval is wider"
        />
      ),
      rank: null,
    };
  const text = valueWords(feature.value, unit, feature.id);
  return { text, shown: text, rank: feature.score };
}

/** Best and worst are marked where the methodology scores one above the other. */
export function Facts({
  compared,
  onlyDifferent,
}: {
  readonly compared: readonly Compared[];
  readonly onlyDifferent: boolean;
}) {
  const facts = factsOf(compared).filter(
    ({ cells }) => !onlyDifferent || new Set(cells.map(({ text }) => text)).size > 1,
  );
  return (
    <Panel
      title="Facts, differences marked"
      foot="▲ best and ▼ worst where the score orders them. No mark: equal, not ordered, or not known."
      className="facts-panel"
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="rows sideways" tabIndex={0} aria-label="Facts side by side">
        <table>
          <caption className="vh">Facts side by side</caption>
          <thead>
            <tr>
              <th scope="col">Fact</th>
              {compared.map(({ rating }, place) => (
                <th key={rating.asset.id} scope="col" className="r">
                  <span aria-hidden="true" style={{ color: `var(--s${place + 1})` }}>
                    {MARKS[place]}
                  </span>{' '}
                  {nameOf(rating)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {facts.map((fact, at) => (
              <FactRow
                key={fact.group + fact.name}
                fact={fact}
                compared={compared}
                first={fact.group !== facts[at - 1]?.group}
              />
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

function FactRow({
  fact,
  compared,
  first,
}: {
  readonly fact: Fact;
  readonly compared: readonly Compared[];
  readonly first: boolean;
}) {
  const ranks = fact.cells.flatMap(({ rank }) => (rank === null ? [] : [rank]));
  const [best, worst] = [Math.max(...ranks), Math.min(...ranks)];
  const isOrdered = ranks.length > 1 && best > worst;
  return (
    <>
      {first && (
        <tr className="group">
          <th scope="colgroup" colSpan={compared.length + 1}>
            {fact.group}
          </th>
        </tr>
      )}
      <tr>
        <th scope="row">{fact.name}</th>
        {fact.cells.map((cell, place) => {
          const mark =
            !isOrdered || cell.rank === null
              ? null
              : cell.rank === best
                ? 'best'
                : cell.rank === worst
                  ? 'worst'
                  : null;
          return (
            <td key={compared[place]?.rating.asset.id} className={`r ${mark ?? ''}`}>
              {cell.shown}
              {mark && (
                <span className="fact-mark">
                  <span aria-hidden="true"> {mark === 'best' ? '▲' : '▼'}</span>
                  <span className="vh">, {mark}</span>
                </span>
              )}
            </td>
          );
        })}
      </tr>
    </>
  );
}
