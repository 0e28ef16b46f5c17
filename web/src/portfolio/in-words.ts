import { chainName, count, dollars, many, percent, words } from '../format.ts';
import type { ReplyOf } from '../types.ts';

export type Portfolio = ReplyOf<'POST /v1/policy/portfolio'>;
export type Position = Portfolio['positions'][number];
type Rules = Portfolio['rules'];
type Answer = 'block' | 'caution';
type Limits = { readonly [answer in Answer]?: string | number | null };

const LIMITED: readonly (readonly [
  of: (rules: Rules) => Limits | undefined,
  say: (limit: string | number) => string,
])[] = [
  [({ band }) => band, (limit) => `the band is worse than ${limit}`],
  [({ trust }) => trust, (limit) => `trust in the evidence is below ${limit} of 100`],
  [({ rating_age_hours: age }) => age, (limit) => `the rating is older than ${limit} hours`],
  [({ evidence_age_hours: age }) => age, (limit) => `half of its evidence is older than ${limit} hours`],
  [({ exit }) => exit?.size_usd, (limit) => `less than ${dollars(Number(limit))} can be sold at that cost`],
  [({ pool_share_pct: share }) => share, (limit) => `one pool takes more than ${limit} % of the exit`],
  [
    ({ provider_share_pct: share }) => share,
    (limit) => `the creator and linked wallets hold more than ${limit} % of the liquidity`,
  ],
];

/** The rules as sentences, what blocks first. */
export function rulesInWords(rules: Rules): readonly string[] {
  const { flags, exit, chains, classes, assets, unknown } = rules;
  const lists = [chains, classes, assets].flatMap((list) => [
    ...(list?.allow ? [`it is not one of ${list.allow.join(', ') || 'none'}`] : []),
    ...(list?.deny?.length ? [`it is one of ${list.deny.join(', ')}`] : []),
  ]);
  const of = (answer: Answer) => [
    ...LIMITED.flatMap(([limits, say]) => {
      const limit = limits(rules)?.[answer];
      return limit === null || limit === undefined ? [] : [say(limit)];
    }),
    ...[...(flags?.[answer]?.severities ?? []), ...(flags?.[answer]?.codes ?? [])].map((flag) => `a ${flag} flag`),
    ...(exit?.amount === answer ? ['the position is above the largest exposure'] : []),
    ...(exit?.estimated === answer ? ['the exit is an estimate'] : []),
    ...(answer === 'block' ? lists : []),
    ...(unknown === answer ? ['something that a rule needs is not known'] : []),
  ];
  const sentences = (['block', 'caution'] as const).flatMap((answer) => {
    const all = of(answer);
    return all.length === 0 ? [] : [`${words(answer)} where ${all.join('; where ')}.`];
  });
  return [
    ...sentences,
    `An exit may cost ${exit?.max_cost_pct ?? 2} %, fees included.`,
    ...(flags?.ignore?.length ? [`Flags that count nothing: ${flags.ignore.join(', ')}.`] : []),
  ];
}

const KINDS: Readonly<Record<Portfolio['breaks_together'][number]['kind'], string>> = {
  asset: 'the asset',
  issuer: 'the issuer',
  protocol: 'the protocol',
  bridge: 'the bridge',
  underlying: 'what backs it,',
  collateral: 'the collateral',
  oracle: 'the oracle',
  chain: 'the chain',
};

/** The name of a position: its ticker, else the requested text. */
export function nameOf({ symbol, requested }: Position): string {
  return symbol ?? requested;
}

/** A node of the graph as readable text: `the chain solana`; assets by their tickers. */
export function thingOf(kind: Portfolio['breaks_together'][number]['kind'], name: string, names: Names): string {
  return kind === 'asset' ? (names.get(name) ?? name) : `${KINDS[kind]} ${name}`;
}

/** A node by its id in the simulation: `chain:solana`, or an asset. */
function nodeOf(node: string, names: Names): string {
  const [kind = '', ...name] = node.split(':');
  const isThing = Object.hasOwn(KINDS, kind) && kind !== 'asset';
  return isThing ? thingOf(kind as keyof typeof KINDS, name.join(':'), names) : (names.get(node) ?? node);
}

export type Names = ReadonlyMap<string, string>;
export function namesOf(positions: readonly Position[]): Names {
  return new Map(positions.flatMap((one) => (one.asset_id === null ? [] : [[one.asset_id, nameOf(one)] as const])));
}

const GAPS: Readonly<Record<NonNullable<Portfolio['holdings']>[number]['gaps'][number], string>> = {
  known_assets_only: 'only tokens that are rated or indexed here were looked at',
  explorer_list: 'tokens that are known here, and those that the explorer lists, were looked at',
  explorer_silent: 'the explorer gave no usable list, so only tokens that are known here were looked at',
  cut: 'the address holds more tokens than are looked at',
  unread: 'some tokens gave no balance',
};

/** All missing facts that affect the verdict, as sentences. Empty: none. */
export function unknownsOf(portfolio: Portfolio): readonly string[] {
  const { positions, holdings, uncovered, dependencies, simulation } = portfolio;
  const all: string[] = [];
  for (const { chain, complete, gaps, tokens_looked_at: looked } of holdings ?? [])
    if (!complete)
      all.push(
        `${chainName(chain)}: the list may not be whole; ${gaps.map((gap) => GAPS[gap]).join('; ')} (${many(looked, 'token')}).`,
      );
  if (holdings !== null)
    all.push('Assets in pools, stakes, lending, escrows and other contracts, and NFTs, are not read on any chain.');
  const unpriced = positions.filter(({ value_usd: value }) => value === null);
  if (unpriced.length > 0)
    all.push(`No value is known of ${namesIn(unpriced)}: nothing is counted for it in the whole.`);
  for (const one of positions)
    for (const { decided, detail } of one.fired) if (!decided) all.push(`${nameOf(one)}: ${detail}`);
  if (uncovered > 0) all.push(`${percent(uncovered * 100, 1)} of the value has no band.`);
  const bare = positions.filter(
    ({ asset_id: id }) => !dependencies.some((edge) => edge.asset_id === id && edge.kind !== 'chain'),
  );
  if (bare.length > 0)
    all.push(
      `No register row states what these depend on, apart from their chains: ${namesIn(bare)}. This does not mean that they are safe.`,
    );
  const unproved = dependencies.filter(({ confirmed }) => !confirmed);
  if (unproved.length > 0)
    all.push(
      `${many(unproved.length, 'dependency').replace('dependencys', 'dependencies')} rest on register rows that no read source proves.`,
    );
  if (simulation.assumed.length > 0)
    all.push(
      `The simulated year takes ${many(simulation.assumed.length, 'chance')} to fail from assumptions: ${simulation.assumed.map((node) => nodeOf(node, namesOf(positions))).join(', ')}.`,
    );
  return all;
}

const MOST_NAMED = 8;
function namesIn(positions: readonly Position[]): string {
  const names = [...new Set(positions.map(nameOf))];
  const rest = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${count(rest)} more` : '');
}
