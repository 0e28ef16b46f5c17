import { readdirSync, readFileSync } from 'node:fs';
import { driveSource, factsOf } from '../../sandbox/drive.ts';
import { FACADES } from '../../sandbox/facades/index.ts';
import { createScene } from '../../sandbox/scene.ts';
import { createWorld } from '../../sandbox/world/world.ts';
import type { QuantityId } from '../../src/domain/quantities.ts';
import { TELLS, type Tell, tellersOf } from '../../src/domain/tells.ts';
import { loadMethodology } from '../../src/methodology/load.ts';
import { SOURCES } from '../../src/sources/index.ts';
import type { Source } from '../../src/sources/source.ts';

const FOLDER = new URL('../../src/sources/', import.meta.url);
const ALL = Object.keys(TELLS) as readonly Tell[];

/** The table that the sources' declarations make. */
export function tableOf(sources: readonly Source[]): Readonly<Record<string, readonly string[]>> {
  const of = (tell: Tell) =>
    sources
      .flatMap(({ name, tells }) => (tells[tell] === undefined ? [] : [{ name, place: tells[tell] }]))
      .sort((a, b) => a.place - b.place)
      .map(({ name }) => name);
  return Object.fromEntries(ALL.map((tell) => [tell, of(tell)]));
}

/** Everything that speaks against a list of sources, each line with the name of the source that is forgotten or wrong. */
export function complaintsOf(sources: readonly Source[]): readonly string[] {
  return [
    ...unregistered(sources),
    ...againstTable(sources),
    ...samePlaces(sources),
    ...silentGivers(sources),
    ...againstRegistries(sources),
    ...againstData(sources),
  ];
}

/** Sources by the files that declare them. */
const WRITTEN = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('fixtures'))
  .flatMap((file) => {
    const code = readFileSync(new URL(file, FOLDER), 'utf8');
    return [...code.matchAll(/= defineSource\(\{\s+name: '(\w+)'/g)].map(([, name = '']) => ({ file, name }));
  });

/** Sources whose file is there and whose line in the index is not, or that have no facade in the sandbox. */
function unregistered(sources: readonly Source[]): readonly string[] {
  const names = new Set(sources.map(({ name }) => name));
  // The sandbox answers TLS by a port of its own.
  const faced = new Set([...Object.keys(FACADES), 'tls']);
  return [
    ...WRITTEN.flatMap(({ file, name }) => (names.has(name) ? [] : [`${name}: ${file} is not in the index`])),
    ...sources.flatMap(({ name, endpoints }) =>
      // What is made of our own files needs nobody to answer it.
      faced.has(name) || endpoints.every(({ made }) => made !== undefined)
        ? []
        : [`${name}: the sandbox has no facade of it`],
    ),
  ];
}

function againstTable(sources: readonly Source[]): readonly string[] {
  const declared = tableOf(sources);
  return ALL.flatMap((tell) => {
    const [known, said] = [tellersOf(tell), declared[tell] ?? []];
    const lost = known.filter((name) => !said.includes(name));
    const added = said.filter((name) => !known.includes(name));
    const isMoved = lost.length + added.length === 0 && known.join() !== said.join();
    return [
      ...lost.map((name) => `${name}: stands in the table for ${tell} and does not tell it`),
      ...added.map((name) => `${name}: tells ${tell} and does not stand in the table`),
      ...(isMoved ? [`${said.join(', ')}: ${tell} has another order in the table`] : []),
      ...(said.length === 0 ? [`${known.join(', ')}: nobody tells ${tell}`] : []),
    ];
  });
}

function samePlaces(sources: readonly Source[]): readonly string[] {
  return ALL.flatMap((tell) => {
    const places = new Map<number, string>();
    return sources.flatMap(({ name, tells }) => {
      const place = tells[tell];
      if (place === undefined) return [];
      const other = places.get(place);
      places.set(place, name);
      return other === undefined ? [] : [`${name}: has the place of ${other} for ${tell}`];
    });
  });
}

/**
 * What a source gives, so that it must tell it. `except`: sources that give it and are not asked for it, as it was before tells
 * were declared; each with the reason, as far as there is one.
 */
const GIVING: readonly {
  readonly quantity: QuantityId;
  readonly tell: Tell;
  readonly except?: Readonly<Record<string, string>>;
}[] = [
  { quantity: 'price_usd', tell: 'market', except: { rugcheck: 'a price without its time; asked as a scanner' } },
  { quantity: 'volume_24h_usd', tell: 'market' },
  { quantity: 'volume_24h_usd', tell: 'supply' },
  { quantity: 'circulating_supply', tell: 'market' },
  { quantity: 'venue_price_usd', tell: 'market' },
  {
    quantity: 'pool_liquidity_usd',
    tell: 'pools',
    except: { coinmarketcap: 'not asked before tells were declared', rugcheck: 'asked as a scanner' },
  },
  { quantity: 'pool_price_usd', tell: 'holdings' },
  { quantity: 'top_holders', tell: 'holders' },
  {
    quantity: 'registry_name',
    tell: 'names',
    except: { coinmarketcap: 'by id only', coinpaprika: 'by id only', helius: 'off without a key' },
  },
  { quantity: 'volatility_30d', tell: 'market_figures' },
  { quantity: 'venue_spread_pct', tell: 'venues' },
  { quantity: 'peg_deviation_90d_max', tell: 'peg' },
  { quantity: 'peg_target_usd', tell: 'stablecoins' },
  { quantity: 'insider_share', tell: 'insiders' },
  { quantity: 'creator_tokens_count', tell: 'creators' },
  { quantity: 'lp_locked_share', tell: 'liquidity_locks' },
  {
    quantity: 'source_verified',
    tell: 'verified_code',
    except: { coinmarketcap: 'GoPlus’s word', honeypot_is: 'asked as a scanner' },
  },
  { quantity: 'cannot_sell_all', tell: 'scanners' },
  { quantity: 'honeypot', tell: 'scanners', except: { geckoterminal: 'a profile’s field, without a simulation' } },
  {
    quantity: 'is_proxy',
    tell: 'proxies',
    except: { sourcify: 'follows from the source', etherscan: 'off without a key' },
  },
  { quantity: 'chain_head_at', tell: 'chain' },
  { quantity: 'registry_addresses', tell: 'project_links' },
  { quantity: 'site_links', tell: 'site' },
  { quantity: 'team_state', tell: 'site' },
  { quantity: 'commits_90d', tell: 'code' },
  { quantity: 'fees_30d_usd', tell: 'protocols' },
  { quantity: 'raises', tell: 'raises' },
  { quantity: 'incidents', tell: 'losses' },
  { quantity: 'domain_registered_at', tell: 'domain_registration' },
];

const NOW = Date.UTC(2026, 5, 1, 12);
let given: ReadonlyMap<string, ReadonlySet<string>> | null = null;

/** Quantities that each source of the registry gives for the sandbox's assets, where the sandbox has a facade of it. */
function givenInSandbox(): ReadonlyMap<string, ReadonlySet<string>> {
  if (given !== null) return given;
  const world = createWorld({ seed: 1, anchor: NOW });
  const scene = createScene(world, NOW, () => 1);
  const quantitiesOf = (source: Source) =>
    (FACADES[source.name] === undefined ? [] : world.assets)
      .flatMap((asset) => driveSource(source, factsOf(asset), scene))
      .flatMap(({ observations }) => observations.map(({ quantity }) => quantity));
  given = new Map(SOURCES.map((source) => [source.name, new Set(quantitiesOf(source))]));
  return given;
}

function silentGivers(sources: readonly Source[]): readonly string[] {
  const seen = givenInSandbox();
  return sources.flatMap(({ name, tells }) =>
    GIVING.flatMap(({ quantity, tell, except }) => {
      const isSilent = seen.get(name)?.has(quantity) === true && tells[tell] === undefined;
      const isExcepted = except?.[name] !== undefined;
      if (isSilent === isExcepted) return [];
      return isSilent
        ? [`${name}: gives ${quantity} and does not tell ${tell}`]
        : [`${name}: is no exception any more, of ${quantity} and ${tell}`];
    }),
  );
}

/** A registry has token records and ways to find them, and nobody else has. */
function againstRegistries(sources: readonly Source[]): readonly string[] {
  return sources.flatMap(({ name, registry, endpoints }) => {
    const finding = endpoints.filter((row) => row.finds !== undefined);
    const reading = endpoints.filter((row) => row.records !== undefined);
    return [
      ...finding.filter((row) => !reading.includes(row)).map((row) => `${name}: ${row.name} finds and has no records`),
      ...reading
        .filter((row) => !finding.includes(row))
        .map((row) => `${name}: nothing asks ${row.name} for its records`),
      ...endpoints
        .filter((row) => row.role === 'identify' && row.finds === undefined)
        .map((row) => `${name}: ${row.name} is for identity, which does not ask it`),
      ...(reading.length > 0 && registry === undefined ? [`${name}: has records and is no registry`] : []),
      ...(reading.length === 0 && registry !== undefined ? [`${name}: is a registry without records`] : []),
      ...sources
        .filter((other) => other.registry !== undefined && other.registry.order === registry?.order)
        .flatMap((other) => (other.name === name ? [] : [`${name}: has the order of ${other.name}`])),
    ];
  });
}

/** Names that the methodology in force carries. */
function againstData(sources: readonly Source[]): readonly string[] {
  const { critical, partyControlled } = loadMethodology().publication.floor;
  const named = new Set([...critical.flatMap((row) => row.sources), ...partyControlled]);
  return [...named]
    .filter((name) => !sources.some((source) => source.name === name))
    .map((name) => `${name}: the methodology names it`);
}
