import Type from 'typebox';
import { LABEL_KINDS } from '../domain/index.ts';
import { head, type Stored } from './snapshot.ts';
import {
  count,
  describedHere,
  fraction,
  nullableNumber,
  nullableText,
  oneOf,
  percent,
  type Reply,
  time,
} from './vocabulary.ts';

const share = (description: string) => Type.Number({ description: `${description} Percent of supply, 0-100.` });
const Concentration = Type.Object(
  {
    holder_count: nullableNumber('Holders in this view.'),
    top_1_pct: percent('Share of the largest holder.'),
    top_5_pct: percent('Share of the five largest.'),
    top_10_pct: percent('Share of the ten largest.'),
    top_20_pct: percent('Share of the twenty largest.'),
    top_50_pct: percent('Share of the fifty largest.'),
    top_100_pct: percent('Share of the hundred largest.'),
    gini: nullableNumber('Gini coefficient, 0-1; null for fewer than two holders.'),
    gini_min: nullableNumber('The same over holders of at least one dollar; null without a price.'),
    hhi: nullableNumber('Herfindahl-Hirschman index, 0-10,000.'),
    effective_holders: nullableNumber('One over the sum of squared shares.'),
    entropy: nullableNumber('Shannon entropy, natural logarithm.'),
    entropy_holders: nullableNumber('e to the entropy.'),
    entropy_normalised: nullableNumber('Entropy over ln n, 0-1; null for one holder.'),
    nakamoto_50: nullableNumber('Fewest holders with more than half; null when no number of them has it.'),
    nakamoto_33: nullableNumber('Fewest holders with more than a third; null when no number of them has it.'),
    notes: Type.Array(Type.String(), {
      description: 'Codes such as `n_lt_k` (fewer than a hundred holders) and `one_holder`.',
    }),
  },
  { title: 'Concentration', description: 'How a supply is spread over its holders, in one view of them.' },
);
const Label = Type.Object(
  {
    kind: oneOf('What the address is.', LABEL_KINDS),
    name: Type.String({ description: 'Readable, such as `Raydium AMM v4 pool`.' }),
    source: Type.String({ description: 'Where the label comes from: what the chain shows, a source, a list.' }),
    confidence: fraction('How sure the label is.'),
  },
  { title: 'HolderLabel', description: 'What is known of an address.' },
);
const Tier = Type.Object(
  {
    tier: Type.String({ description: 'Range of balances: US dollars (`1-10`) or share of supply (`<0.0001%`).' }),
    holders: count('Holders whose balance lies in it.'),
    share_pct: share('What they hold together.'),
  },
  { title: 'HolderTier', description: 'Holders whose balances are of one size.' },
);
const raw = (description: string) => Type.String({ pattern: '^[0-9]+$', description: `${description}, base units.` });

/** Reply of GET /v1/{chain}/{asset}/holders/snapshot. */
export const HoldersReply = Type.Object(
  {
    ...head,
    kind: Type.Literal('holders', { description: 'Which kind of snapshot this is.' }),
    method: oneOf(
      'How good the list is: every account read from the chain, an indexer’s list, or the twenty largest accounts.',
      ['full_scan', 'indexer', 'top20_only'],
    ),
    status: oneOf(
      '`incomplete_enumeration`: the balances seen do not make up the supply, or are in doubt; `zero_supply`: there is nothing to hold; `top20_only`: the rest is not known.',
      ['complete', 'incomplete_enumeration', 'zero_supply', 'top20_only'],
    ),
    holder_count: nullableNumber('Owners with more than nothing.'),
    decimals: Type.Integer({ minimum: 0, maximum: 255, description: 'Base units are 10^-decimals of a whole token.' }),
    supply: Type.Object(
      {
        total_raw: raw('Supply'),
        burned_raw: raw('Held by burn addresses'),
        locked_raw: raw('Under locks or vesting: outside the adjusted supply besides what is burned'),
        adjusted_raw: raw('What is left for the adjusted view'),
        coverage: nullableNumber('Balances seen over the total; 1 when all were seen.'),
      },
      { description: 'What there is, and what of it the two views are shares of.' },
    ),
    raw: describedHere(Concentration, 'Over all addresses, and all of the supply.'),
    adjusted: describedHere(
      Concentration,
      'Without pools, exchanges, bridges and the like (`set_aside`), of the supply that is neither burned nor locked.',
    ),
    tiers_usd: Type.Union([Type.Array(Tier), Type.Null()], {
      description: 'Holders by the value of their balance in US dollars; null without a price.',
    }),
    tiers_supply: Type.Union([Type.Array(Tier), Type.Null()], {
      description: 'Holders by their share of the supply; null when only the largest are known.',
    }),
    top_holders: Type.Array(
      Type.Object({
        rank: Type.Integer({ minimum: 1, description: '1: the largest.' }),
        address: Type.String({ description: 'Owner’s address.' }),
        amount_raw: raw('Balance'),
        amount: Type.Number({ description: 'Balance in whole tokens.' }),
        share_pct: share('Its balance.'),
        labels: Type.Array(Label, { description: 'What is known of the address; empty: nothing.' }),
        set_aside: nullableText('Why it is not in the adjusted view; null when it is.'),
      }),
      { description: 'The largest holders, largest first.' },
    ),
    unlabelled_top20_share_pct: percent('Share of those of the twenty largest that have no label.'),
    set_aside: Type.Array(
      Type.Object({
        kind: oneOf('What the addresses are.', LABEL_KINDS),
        holders: count('Addresses of the kind.'),
        share_pct: share('What they hold together.'),
      }),
      { description: 'What is not in the adjusted view, by kind.' },
    ),
    change: Type.Union(
      [
        Type.Object({
          since: time('`as_of` of the snapshot before.'),
          holder_count: nullableNumber('Change of the count.'),
          top_10_pct: nullableNumber('Change in percentage points.'),
          adjusted_top_10_pct: nullableNumber('Change in percentage points.'),
        }),
        Type.Null(),
      ],
      { description: 'Against the snapshot before, of the same method; null when there is none.' },
    ),
    scan: Type.Object(
      {
        accounts: nullableNumber('Token accounts read.'),
        height: nullableNumber('Slot or block the list is true at.'),
        bytes: nullableNumber('Bytes read.'),
        milliseconds: nullableNumber('Time it took.'),
      },
      { description: 'What was read to make it; null where it was not counted.' },
    ),
    histogram: Type.Union(
      [
        Type.Object({
          base: Type.Number({ description: 'Bucket i holds balances from base^i to below base^(i+1), base units.' }),
          buckets: Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Number()]), {
            description: 'Number of the bucket, how many balances it holds, their sum in base units.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'All balances in buckets that can be merged with other days’; null for `top20_only`.' },
    ),
  },
  { title: 'HoldersSnapshot', description: 'Who holds an asset, and how it is spread, at one moment.' },
);
export type HoldersSnapshot = Stored<typeof HoldersReply>;
export type HolderTier = Reply<typeof Tier>;
/** Log-bucket histogram of balances; another day or shard can be merged with it. */
export type HistogramRecord = NonNullable<HoldersSnapshot['histogram']>;
