import type { Findings, Limit } from './types.ts';
import type { PoolVerdict, Verdict } from './verdict.ts';

/** What a search cost, and whether it came to its end. */
export interface SearchWork {
  readonly calls: number;
  readonly bytes: number;
  readonly milliseconds: number;
  /** `complete`, or what ran out. */
  readonly ended: 'complete' | 'calls' | 'bytes' | 'time';
}

/** Everything that could not be seen, each thing once, with what no search of this kind can see. */
export function limitsOf(
  found: readonly Limit[],
  noCreator: boolean,
  unpriced: boolean,
  work: SearchWork,
): readonly Limit[] {
  const more: Limit[] = [];
  if (noCreator)
    more.push({
      code: 'no_creator',
      detail: 'no source tells who made the token: nobody can be linked to the creator',
    });
  if (unpriced)
    more.push({
      code: 'no_historical_price',
      detail: 'some amounts have no price of their time: their dollars are null',
    });
  if (work.ended !== 'complete')
    more.push({ code: 'budget_spent', detail: `the ${work.ended} of one search were used up before its end` });
  const seen = new Set<string>();
  return [...more, ...found, METHOD].filter(({ code, detail }) => {
    const isNew = !seen.has(`${code} ${detail}`);
    seen.add(`${code} ${detail}`);
    return isNew;
  });
}

const METHOD: Limit = {
  code: 'method',
  detail:
    'the largest losses of up to three pools are traced; liquidity that its owner moved to another pool looks like one that was taken away; what was filled up again, other chains, and what exchanges and mixers do inside are not seen',
};

const WORDS: Readonly<Record<Verdict, string>> = {
  drained_by_linked_wallets:
    'At least 90 % of a pool’s liquidity was taken out within 24 hours by wallets linked to the creator.',
  drained:
    'A pool has lost at least 90 % of what it once held; no link of those who took it out to the creator covers that much.',
  large_removals: 'Large parts of a pool’s money were taken out, and the pools were not emptied.',
  no_drain_seen: 'No large loss is seen in the pools’ histories.',
  not_seen: 'No pool’s history could be read.',
};

/** The findings in a sentence or two. */
export function summaryOf(verdict: Verdict, { hops, pools }: Findings, verdicts: readonly PoolVerdict[]): string {
  const count = pools.reduce((sum, pool) => sum + pool.drains.length, 0);
  const gone = Math.max(0, ...verdicts.map((one) => one.gone));
  if (count === 0) return WORDS[verdict];
  return `${WORDS[verdict]} ${count} transaction${count === 1 ? '' : 's'} found, ${percent(gone)} % of the largest amount seen is gone, ${hops.length} onward payment${hops.length === 1 ? '' : 's'} followed.`;
}

/** A share of 0-1 as percent with two decimals. */
export function percent(share: number): number {
  return Math.round(share * 10_000) / 100;
}
