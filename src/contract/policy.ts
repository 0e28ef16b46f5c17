import Type from 'typebox';
import { RiskFlag } from './rating.ts';
import { PolicyRules } from './requests/policy.ts';
import {
  Band,
  count,
  DataMode,
  describedHere,
  fraction,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  type Reply,
  time,
} from './vocabulary.ts';

const outcome = oneOf(
  {
    title: 'PolicyOutcome',
    description: '`block`: a rule forbids it; `caution`: a person should review it; `allow`: all rules are met.',
  },
  ['allow', 'caution', 'block'],
);
const link = (description: string) => nullableText(`${description} Path on this service; null where there is none.`);
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const FiredRule = Type.Object(
  {
    rule: Type.String({
      description: 'Name of the rule, such as `band`, `flag` or `exit_size` (docs/policy.md has all).',
    }),
    outcome: oneOf('Its effect on the decision.', ['block', 'caution']),
    decided: Type.Boolean({ description: 'False: what it needs is not known, and the outcome is that of `unknown`.' }),
    limit: Type.Union([Type.String(), Type.Number(), Type.Null()], {
      description: 'The limit of the rule; null without one.',
    }),
    found: Type.Union([Type.String(), Type.Number(), Type.Null()], {
      description: 'What was found; null where nothing is known.',
    }),
    detail: Type.String({ description: 'The same as text.' }),
    flag: orNull(RiskFlag, 'The flag that fired it; null for other rules.'),
    receipts: Type.Array(Type.String(), { description: 'Paths of what the figure rests on.' }),
  },
  { title: 'FiredRule', description: 'A rule that is not met, or cannot be decided, with its evidence.' },
);
const Exit = Type.Object(
  {
    max_cost_pct: Type.Number({ description: 'Average price below the market, fees included, percent.' }),
    size_usd: Type.Number({ description: 'Value of the largest sale at that cost, US dollars.' }),
    received_usd: Type.Number({ description: 'What it brings, US dollars.' }),
    method: oneOf(
      '`exact`: pools read from the chain; `tvl_proxy`: estimated from what indexers report; `order_books`: bids within 2 % at exchanges, without their fees.',
      ['exact', 'tvl_proxy', 'order_books'],
    ),
    pools: count('Pools that it is split over.'),
    largest_pool: nullableText('The pool that takes most of it; null without one.'),
    largest_pool_share_pct: nullableNumber('Its part of the sale, percent; null without pools.'),
    largest_provider_share_pct: nullableNumber(
      'Part of the liquidity that the creator and linked wallets hold, percent; null when not known.',
    ),
  },
  { title: 'LargestExposure', description: 'The largest position whose exit costs no more than the rules allow.' },
);
const judged = {
  requested: Type.String({ description: 'The asset as requested.' }),
  asset_id: nullableText('Its CAIP-19 id; null where the text names none, or several.'),
  symbol: nullableText('Ticker, untrusted text; null when not known.'),
  outcome,
  fired: Type.Array(FiredRule, { description: 'Every rule that fired, in the order of the rules.' }),
  met: Type.Array(Type.String(), { description: 'Rules that apply and are met.' }),
  band: describedHere(Band, 'As published; NR without a rating.'),
  score: nullableNumber('As published, 0-100; null when not rated.'),
  trust_score: nullableNumber('Trust in its evidence, 0-100; null without a rating.'),
  rating_as_of: nullableTime('When the facts of the rating were true; null without a rating.'),
  methodology_version: nullableText('Version of the methodology that made it; null without a rating.'),
  largest_exposure: orNull(Exit, 'Null where neither pools nor order books are known.'),
  rating: link('The signed rating that was judged.'),
  evidence: link('The evidence of its job.'),
  next: orNull(
    Type.Object({
      detail: Type.String({ description: 'Why another rating would help.' }),
      method: Type.String({ description: 'Method of the request that has it made.' }),
      path: Type.String({ description: 'Its path.' }),
      body: orNull(Type.Object({ asset: Type.String({ description: 'The asset.' }) }), 'Its body; null without one.'),
      job: link('The job that rates it already.'),
    }),
    'The request that has the asset rated, where there is no rating, an old one, or one whose evidence is gone; else null.',
  ),
};

export const PolicyVerdict = Type.Object(
  {
    ...judged,
    rules: describedHere(PolicyRules, 'The rules that were applied: the preset’s with the caller’s in their place.'),
    checked_at: time('When the rules were applied.'),
    data_mode: DataMode,
  },
  {
    title: 'PolicyVerdict',
    description: 'The rules of a caller applied to a published rating; no part of the rating.',
  },
);
export type PolicyVerdictReply = Reply<typeof PolicyVerdict>;

const Position = Type.Object(
  {
    ...judged,
    quantity: nullableNumber('Whole tokens, as given or read; null where neither is.'),
    value_usd: nullableNumber('Value, US dollars; null where neither value nor price is known.'),
    share: fraction('Of the value of the portfolio.'),
  },
  { title: 'PolicyPosition', description: 'One position of a portfolio, judged.' },
);
const HeldOn = Type.Object(
  {
    chain: Type.String({ description: 'Name of the chain.' }),
    address: Type.String({ description: 'The address, as given.' }),
    height: count('Slot or number of the block that was read.'),
    positions: count('Assets with a balance.'),
    tokens_looked_at: count('Tokens whose balance was read.'),
    complete: Type.Boolean({
      description:
        'Everything that the address owns by itself was seen. False for EVM chains, whose nodes have no such list.',
    }),
    gaps: Type.Array(
      oneOf(
        '`known_assets_only`: only tokens rated or indexed here were looked at; `explorer_list`: those and what the explorer lists; `explorer_silent`: it gave no usable reply; `cut`: there are more tokens than are looked at; `unread`: some tokens gave no balance, which is not a balance of zero.',
        ['known_assets_only', 'explorer_list', 'explorer_silent', 'cut', 'unread'],
      ),
      { description: 'What may be missing; empty when complete.' },
    ),
    read_at: time('When it was read; a read is shared for ten seconds.'),
  },
  { title: 'HoldingsRead', description: 'What was read of an address on one chain.' },
);
/** What an asset depends on. */
const NODES = ['issuer', 'protocol', 'bridge', 'underlying', 'collateral', 'oracle', 'chain'] as const;
const Breakage = Type.Object(
  {
    kind: oneOf('What fails.', ['asset', ...NODES]),
    name: Type.String({ description: 'Its name; of an asset its id.' }),
    loss: fraction('Part of the portfolio that is lost when it fails altogether.'),
    positions: Type.Array(
      Type.Object({
        asset_id: Type.String({ description: 'A position that loses by it.' }),
        loss: fraction('Part of the position.'),
      }),
      { description: 'Positions that lose by it, the largest loss first.' },
    ),
  },
  { title: 'Breakage', description: 'What fails together when one node fails.' },
);
const Edge = Type.Object(
  {
    asset_id: Type.String({ description: 'The position.' }),
    kind: oneOf('Kind of the node that it depends on.', NODES),
    name: Type.String({ description: 'The node.' }),
    share: fraction('Part of the loss of the node that passes on.'),
    source: Type.String({ description: 'The row of a register that states it, or `asset id`.' }),
    confirmed: Type.Boolean({ description: 'False where no read source proves the row’s cell.' }),
  },
  { title: 'DependencyEdge', description: 'One dependency of a position.' },
);
export const PortfolioVerdict = Type.Object(
  {
    outcome,
    value_usd: Type.Number({ description: 'Sum of the known values, US dollars.' }),
    score: nullableNumber('Mean of the scores by value over what is rated, 0-100; null where nothing is.'),
    band: describedHere(Band, 'Band of that mean; NR where less than half of the value is rated.'),
    worst: orNull(
      Type.Object({ asset_id: Type.String({ description: 'The asset.' }), band: describedHere(Band, 'Its band.') }),
      'The position with the worst band; null where none is rated.',
    ),
    uncovered: fraction('Part of the value without a band.'),
    shares: Type.Object(
      { allow: fraction('Allowed.'), caution: fraction('With caution.'), block: fraction('Blocked.') },
      { description: 'Parts of the value by decision.' },
    ),
    positions: Type.Array(Position, {
      description: 'The positions, in the order given; those of an address by chain, the coin first.',
    }),
    holdings: orNull(
      Type.Array(HeldOn, { description: 'One entry per chain.' }),
      'Where the positions were read; null where the caller gave them. A list that may not be whole makes the decision `caution` at least; positions that were left out make it that of `unknown`.',
    ),
    dependencies: Type.Array(Edge, { description: 'What the positions depend on.' }),
    breaks_together: Type.Array(Breakage, {
      description: 'What each failure takes with it, the largest loss first; at most 100.',
    }),
    simulation: Type.Object(
      {
        seed: Type.Integer({ description: 'The same seed and positions give the same bytes.' }),
        runs: count('Number of runs.'),
        mean: fraction('Mean loss of a year.'),
        p95: fraction('Loss that 95 % of the runs do not pass.'),
        p99: fraction('Loss that 99 % of the runs do not pass.'),
        worst_hundredth: fraction('Mean of the worst hundredth of the runs.'),
        largest: fraction('Largest loss of a run.'),
        together: fraction('Part of the runs in which two positions or more lose half of their value or more.'),
        assumed: Type.Array(Type.String(), {
          description:
            'Nodes whose chance to fail is an assumption (docs/policy.md), not the calibrated one of a rating.',
        }),
      },
      {
        description: 'Losses within a year when nodes fail by chance; a scenario on stated assumptions, no forecast.',
      },
    ),
    rules: describedHere(PolicyRules, 'The rules that were applied.'),
    checked_at: time('When the rules were applied.'),
    data_mode: DataMode,
  },
  {
    title: 'PortfolioVerdict',
    description: 'A portfolio checked against rules: each position, the whole, and what fails together.',
  },
);
export type PortfolioVerdictReply = Reply<typeof PortfolioVerdict>;
export type JudgedReply = Omit<Reply<typeof Position>, 'quantity' | 'value_usd' | 'share'>;

export const PresetList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'What a request calls it.', examples: ['treasury'] }),
          title: Type.String({ description: 'Who it is for.' }),
          rules: describedHere(PolicyRules, 'Its rules.'),
        },
        { title: 'PolicyPreset', description: 'Built-in rules.' },
      ),
      { description: 'All presets.' },
    ),
  },
  { description: 'The built-in rules.' },
);
