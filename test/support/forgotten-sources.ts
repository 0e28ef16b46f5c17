import { readdirSync, readFileSync } from 'node:fs';
import { driveSource, factsOf } from '../../sandbox/drive.ts';
import { FACADES } from '../../sandbox/facades/index.ts';
import { createScene } from '../../sandbox/scene.ts';
import { createWorld } from '../../sandbox/world/world.ts';
import { INFORMATION_KINDS, type InformationKind, sourcesFor } from '../../src/domain/information-kinds.ts';
import type { QuantityId } from '../../src/domain/quantities.ts';
import { loadMethodology } from '../../src/methodology/load.ts';
import { SOURCES } from '../../src/sources/index.ts';
import type { Source } from '../../src/sources/source.ts';

const FOLDER = new URL('../../src/sources/', import.meta.url);
const ALL = Object.keys(INFORMATION_KINDS) as readonly InformationKind[];

/** The table that the sources' declarations make. */
export function tableOf(sources: readonly Source[]): Readonly<Record<string, readonly string[]>> {
  const of = (kind: InformationKind) =>
    sources
      .flatMap(({ name, provides }) => (provides[kind] === undefined ? [] : [{ name, place: provides[kind] }]))
      .sort((a, b) => a.place - b.place)
      .map(({ name }) => name);
  return Object.fromEntries(ALL.map((kind) => [kind, of(kind)]));
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
  return ALL.flatMap((kind) => {
    const [known, said] = [sourcesFor(kind), declared[kind] ?? []];
    const lost = known.filter((name) => !said.includes(name));
    const added = said.filter((name) => !known.includes(name));
    const isMoved = lost.length + added.length === 0 && known.join() !== said.join();
    return [
      ...lost.map((name) => `${name}: listed in the table for ${kind}, which it does not provide`),
      ...added.map((name) => `${name}: provides ${kind} and is not in the table`),
      ...(isMoved ? [`${said.join(', ')}: ${kind} has another order in the table`] : []),
      ...(said.length === 0 ? [`${known.join(', ')}: no source provides ${kind}`] : []),
    ];
  });
}

function samePlaces(sources: readonly Source[]): readonly string[] {
  return ALL.flatMap((kind) => {
    const places = new Map<number, string>();
    return sources.flatMap(({ name, provides }) => {
      const place = provides[kind];
      if (place === undefined) return [];
      const other = places.get(place);
      places.set(place, name);
      return other === undefined ? [] : [`${name}: has the rank of ${other} for ${kind}`];
    });
  });
}

/**
 * Quantities that show which kind of information a source must declare. `except`: sources that give the quantity and are not requested for
 * that kind, with the reason.
 */
const GIVING: readonly {
  readonly quantity: QuantityId;
  readonly kind: InformationKind;
  readonly except?: Readonly<Record<string, string>>;
}[] = [
  { quantity: 'price_usd', kind: 'market', except: { rugcheck: 'a price without its time; asked as a scanner' } },
  { quantity: 'volume_24h_usd', kind: 'market' },
  { quantity: 'volume_24h_usd', kind: 'supply' },
  { quantity: 'circulating_supply', kind: 'market' },
  { quantity: 'venue_price_usd', kind: 'market' },
  {
    quantity: 'pool_liquidity_usd',
    kind: 'pools',
    except: { coinmarketcap: 'was not requested before kinds were declared', rugcheck: 'asked as a scanner' },
  },
  { quantity: 'pool_price_usd', kind: 'holdings' },
  { quantity: 'top_holders', kind: 'holders' },
  {
    quantity: 'registry_name',
    kind: 'names',
    except: { coinmarketcap: 'by id only', coinpaprika: 'by id only', helius: 'off without a key' },
  },
  { quantity: 'volatility_30d', kind: 'market_figures' },
  { quantity: 'venue_spread_pct', kind: 'venues' },
  { quantity: 'peg_deviation_90d_max', kind: 'peg' },
  { quantity: 'peg_target_usd', kind: 'stablecoins' },
  { quantity: 'insider_share', kind: 'insiders' },
  { quantity: 'creator_tokens_count', kind: 'creators' },
  { quantity: 'lp_locked_share', kind: 'liquidity_locks' },
  {
    quantity: 'source_verified',
    kind: 'verified_code',
    except: { coinmarketcap: 'GoPlus’s word', honeypot_is: 'asked as a scanner' },
  },
  { quantity: 'cannot_sell_all', kind: 'scanners' },
  { quantity: 'honeypot', kind: 'scanners', except: { geckoterminal: 'a profile’s field, without a simulation' } },
  {
    quantity: 'is_proxy',
    kind: 'proxies',
    except: { sourcify: 'follows from the source', etherscan: 'off without a key' },
  },
  { quantity: 'chain_head_at', kind: 'chain' },
  { quantity: 'registry_addresses', kind: 'project_links' },
  { quantity: 'site_links', kind: 'site' },
  { quantity: 'team_state', kind: 'site' },
  { quantity: 'commits_90d', kind: 'code' },
  { quantity: 'fees_30d_usd', kind: 'protocols' },
  { quantity: 'raises', kind: 'raises' },
  { quantity: 'incidents', kind: 'losses' },
  { quantity: 'domain_registered_at', kind: 'domain_registration' },
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
  return sources.flatMap(({ name, provides }) =>
    GIVING.flatMap(({ quantity, kind, except }) => {
      const isSilent = seen.get(name)?.has(quantity) === true && provides[kind] === undefined;
      const isExcepted = except?.[name] !== undefined;
      if (isSilent === isExcepted) return [];
      return isSilent
        ? [`${name}: gives ${quantity} and does not declare ${kind}`]
        : [`${name}: no longer an exception for ${quantity} and ${kind}`];
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
