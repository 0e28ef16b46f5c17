import type { Member } from '../mapping.ts';

/** Single numbers as rankings; missing values come last. */
const SINGLES: readonly { readonly name: string; readonly of: (member: Member) => number | null }[] = [
  { name: 'market cap', of: ({ quantities }) => numberAt(quantities, 'market_cap_usd') },
  {
    name: 'volume',
    of: ({ quantities }) => numberAt(quantities, 'volume_24h_usd') ?? numberAt(quantities, 'volume_24h_dex_usd'),
  },
  {
    name: 'turnover',
    of: ({ quantities }) => {
      const [volume, cap] = [numberAt(quantities, 'volume_24h_usd'), numberAt(quantities, 'market_cap_usd')];
      return volume === null || cap === null || cap <= 0 ? null : volume / cap;
    },
  },
  { name: 'sales', of: ({ quantities }) => numberAt(quantities, 'sells_24h') },
  { name: 'peg score', of: ({ quantities }) => negated(numberAt(quantities, 'depeg_aged_sum')) },
];

/** Each single number that a member has, as a score of all members. */
export function singlesOf(
  members: readonly Member[],
): readonly { readonly name: string; readonly scores: readonly number[] }[] {
  return SINGLES.flatMap(({ name, of }) => {
    const scores = ranked(members.map(of));
    return scores === null ? [] : [{ name, scores }];
  });
}

/** Numbers as a score, with missing ones below the smallest; null when none is known. */
function ranked(values: readonly (number | null)[]): readonly number[] | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const least = known.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  return values.map((value) => value ?? least - 1);
}

function numberAt(quantities: Member['quantities'], id: string): number | null {
  const value = quantities[id];
  return typeof value === 'number' ? value : null;
}

function negated(value: number | null): number | null {
  return value === null ? null : -value;
}
