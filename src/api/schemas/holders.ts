import Type from 'typebox';
import { head, nullable, nullableNumber, nullableText, percent, words } from './chain.ts';

const Concentration = Type.Object(
  {
    holder_count: nullableNumber('Holders in this view.'),
    top_1_pct: percent('Share of the largest holder.'),
    top_5_pct: percent('Share of the five largest.'),
    top_10_pct: percent('Share of the ten largest.'),
    top_20_pct: percent('Share of the twenty largest.'),
    top_50_pct: percent('Share of the fifty largest.'),
    top_100_pct: percent('Share of the hundred largest.'),
    gini: nullableNumber('Gini coefficient, 0-1.'),
    gini_min: nullableNumber('The same over holders of at least one dollar.'),
    hhi: nullableNumber('Herfindahl-Hirschman index, 0-10,000.'),
    effective_holders: nullableNumber('One over the sum of squared shares.'),
    entropy: nullableNumber('Shannon entropy, natural logarithm.'),
    entropy_holders: nullableNumber('e to the entropy.'),
    entropy_normalised: nullableNumber('Entropy over ln n, 0-1.'),
    nakamoto_50: nullableNumber('Fewest holders with more than half.'),
    nakamoto_33: nullableNumber('Fewest holders with more than a third.'),
    notes: Type.Array(Type.String()),
  },
  { title: 'Concentration' },
);
const labelKind = words(
  'pool',
  'burn',
  'locker',
  'vesting',
  'bridge',
  'exchange',
  'staking',
  'lending',
  'issuer',
  'program',
);
const Label = Type.Object({
  kind: labelKind,
  name: Type.String(),
  source: Type.String(),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
});
const Tier = Type.Object({ tier: Type.String(), holders: Type.Integer(), share_pct: Type.Number() });
const raw = (description: string) => Type.String({ pattern: '^[0-9]+$', description: `${description}, base units.` });

/** Reply of GET /v1/{chain}/{asset}/holders/snapshot. */
export const HoldersReply = Type.Object(
  {
    ...head,
    kind: Type.Literal('holders'),
    method: Type.Union(
      ['full_scan', 'indexer', 'top20_only'].map((name) => Type.Literal(name)),
      {
        description:
          'How good the list is: every account read from the chain, an indexer’s list, or the twenty largest accounts.',
      },
    ),
    status: words('complete', 'incomplete_enumeration', 'zero_supply', 'top20_only'),
    holder_count: nullableNumber('Owners with more than nothing.'),
    decimals: Type.Integer({ minimum: 0, maximum: 255 }),
    supply: Type.Object({
      total_raw: raw('Supply'),
      burned_raw: raw('Held by burn addresses'),
      locked_raw: raw('Set aside besides what is burned'),
      adjusted_raw: raw('What is left for the adjusted view'),
      coverage: nullableNumber('Balances seen over the total; 1 when all were seen.'),
    }),
    raw: Concentration,
    adjusted: Concentration,
    tiers_usd: nullable(Type.Array(Tier)),
    tiers_supply: nullable(Type.Array(Tier)),
    top_holders: Type.Array(
      Type.Object({
        rank: Type.Integer({ minimum: 1 }),
        address: Type.String(),
        amount_raw: raw('Balance'),
        amount: Type.Number({ description: 'Balance in whole tokens.' }),
        share_pct: Type.Number(),
        labels: Type.Array(Label),
        set_aside: nullableText('Why it is not in the adjusted view; null when it is.'),
      }),
    ),
    unlabelled_top20_share_pct: percent('Share of those of the twenty largest that nobody knows.'),
    set_aside: Type.Array(Type.Object({ kind: labelKind, holders: Type.Integer(), share_pct: Type.Number() })),
    change: nullable(
      Type.Object({
        since: Type.String(),
        holder_count: nullableNumber('Change of the count.'),
        top_10_pct: nullableNumber('Change in percentage points.'),
        adjusted_top_10_pct: nullableNumber('Change in percentage points.'),
      }),
    ),
    scan: Type.Object({
      accounts: nullableNumber('Token accounts read.'),
      height: nullableNumber('Slot or block the list is true at.'),
      bytes: nullableNumber('Bytes read.'),
      milliseconds: nullableNumber('Time it took.'),
    }),
    histogram: nullable(
      Type.Object({
        base: Type.Number(),
        buckets: Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Number()])),
      }),
    ),
  },
  { title: 'HoldersSnapshot' },
);
