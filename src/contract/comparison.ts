import Type from 'typebox';
import { ALL_FACTOR_CODES } from '../domain/index.ts';
import {
  ageSeconds,
  assetClass,
  Band,
  count,
  DataMode,
  describedHere,
  enumerated,
  jobId,
  methodologyVersion,
  nullableNumber,
  nullableText,
  oneOf,
  type Reply,
  time,
} from './vocabulary.ts';

const FactorRange = Type.Object(
  {
    code: enumerated(ALL_FACTOR_CODES, { description: 'Code of the factor.' }),
    low: nullableNumber('First quartile of the peers’ scores, 0-100; null with fewer than five peers.'),
    median: nullableNumber('Median of the peers’ scores, 0-100; null with fewer than five peers.'),
    high: nullableNumber('Third quartile of the peers’ scores, 0-100; null with fewer than five peers.'),
    peers: count('Peers that have the factor.'),
  },
  { title: 'FactorRange', description: 'A factor over the peers.' },
);
const Peer = Type.Object(
  {
    asset_id: Type.String({ description: 'CAIP-19 id.' }),
    symbol: nullableText('Ticker, untrusted text; null when not known.'),
    name: nullableText('Name, untrusted text; null when not known.'),
    band: describedHere(Band, 'As published.'),
    score: Type.Number({ description: 'As published, 0-100.' }),
    trust_score: Type.Number({ description: 'Trust in its evidence, 0-100.' }),
    vfr: nullableNumber('Price over fair value; null when none can be computed.'),
    market_cap_usd: nullableNumber('Market capitalisation, US dollars; null when not known.'),
  },
  { title: 'ClassPeer', description: 'A rated asset of the same class.' },
);
export const PeersView = Type.Object(
  {
    asset_id: Type.String({ description: 'The asset that is compared.' }),
    class: assetClass,
    peers: count('Rated assets of the class with a score, without the asset itself; at most the 500 largest.'),
    factors: Type.Array(FactorRange, { description: 'Factors of the class, over the peers.' }),
    data: Type.Array(Peer, { description: 'The peers, the largest first.' }),
    as_of: time('When they were counted.'),
    data_mode: DataMode,
  },
  { title: 'Peers', description: 'Rated assets of the same class, and where their factors lie.' },
);

const raw = (description: string) => Type.Union([Type.Number(), Type.String()], { description });
const Change = Type.Object(
  {
    feature: Type.String({ description: 'Id of the feature.', examples: ['mq_depth2'] }),
    name: Type.String({ description: 'Name of the feature.' }),
    factor: enumerated(ALL_FACTOR_CODES, { description: 'Code of its factor.' }),
    unit: Type.String({ description: 'Unit of `now` and `needed`, such as `usd`, `fraction` or `state`.' }),
    now: Type.Union([Type.Number(), Type.String(), Type.Null()], { description: 'Its value now; null: not known.' }),
    status: oneOf('What is known of it now, as in the breakdown.', ['observed', 'absent', 'unknown', 'not_applicable']),
    needed: raw('The least value that does it; its best (or worst) one where that is not enough alone.'),
    who: oneOf('Who can bring it about.', ['project', 'key_holder', 'holders', 'market', 'users', 'observers', 'time']),
    score: Type.Number({ description: 'Score with this change alone.' }),
    points: Type.Number({ description: 'What it adds to `score_without_obstacles` (of `lowers`: to `score`).' }),
    reaches: Type.Boolean({
      description: 'True when this change alone is enough: rated anew with it, the score is reached.',
    }),
  },
  { title: 'FeatureChange', description: 'One feature, changed by as little as does it.' },
);
const Obstacle = Type.Object(
  {
    code: Type.String({ description: 'Code of the cap.' }),
    cap: Type.Number({ description: 'Score that it allows at most.' }),
    flag: nullableText('Flag that caused it; null without one.'),
    detail: Type.String({ description: 'What was found.' }),
    condition: Type.String({ description: 'The condition that has to end.' }),
    ends: Type.String({ description: 'When the cap ends once its condition has.' }),
    can_be_lifted: Type.Boolean({ description: 'False for the ceiling of a class, which cannot be lifted.' }),
  },
  { title: 'Obstacle', description: 'A cap below the wanted score: until it ends nothing else lifts the band.' },
);
export const CounterfactualView = Type.Object(
  {
    asset_id: Type.String({ description: 'The asset.' }),
    published_band: describedHere(Band, 'The present band.'),
    score: nullableNumber('Score that the changes are reckoned from; null when it is not rated.'),
    band: Type.Union([Band, Type.Null()], { description: 'The next better band; null when there is none to reckon.' }),
    needed_score: nullableNumber('Its cut-off with the margin of the bands’ hysteresis; null without a next band.'),
    needed_ratings: count('So many daily ratings have to be that high.'),
    obstacles: Type.Array(Obstacle, { description: 'Caps in the way. Changes are reckoned as if they had ended.' }),
    score_without_obstacles: nullableNumber(
      'Score once the obstacles have ended, which points of `raises` and `pairs` are counted from; null with `score`.',
    ),
    raises: Type.Array(Change, {
      description: 'Changes of one feature: those that are enough alone, the smallest first, then those that add most.',
    }),
    pairs: Type.Array(
      Type.Object({
        changes: Type.Array(Change, { description: 'The two changes.' }),
        score: Type.Number({ description: 'Score with both, rated anew.' }),
      }),
      { description: 'Two changes that are enough together, where no single one is.' },
    ),
    lower_band: Type.Union([Band, Type.Null()], { description: 'The next worse band; null when there is none.' }),
    lower_score: nullableNumber('Below it the band falls; null without a worse band.'),
    lowers: Type.Array(Change, { description: 'The smallest changes of one feature that lead there.' }),
    reason: nullableText('Why nothing is reckoned; null when it is.'),
    methodology_version: methodologyVersion,
    job_id: jobId,
    as_of: time('When the facts were true.'),
    data_mode: DataMode,
    age_seconds: ageSeconds,
  },
  { title: 'Counterfactual', description: 'What would move the rating to the next band.' },
);
export type PeersReply = Reply<typeof PeersView>;
