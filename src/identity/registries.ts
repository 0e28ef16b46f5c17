import { CHAINS, type Chain } from '../chains/index.ts';
import type { AssetKeys, TokenRecord } from '../domain/index.ts';
import { type Endpoint, type Finds, type Registry, SOURCES, type Source } from '../sources/index.ts';

/** An endpoint that finds tokens in a certain way. */
export interface Finder<By extends Finds['by'] = Finds['by']> {
  readonly source: string;
  readonly endpoint: string;
  readonly finds: Extract<Finds, { readonly by: By }>;
}

/** Endpoints that find tokens in a certain way, in the order of the registries. */
export function findersOf<By extends Finds['by']>(by: By, sources: readonly Source[] = SOURCES): readonly Finder<By>[] {
  return registriesOf(sources).flatMap((source) =>
    source.endpoints.flatMap((endpoint) => {
      const { finds } = endpoint;
      return isBy(finds, by) ? [{ source: source.name, endpoint: endpoint.name, finds }] : [];
    }),
  );
}

function isBy<By extends Finds['by']>(finds: Endpoint['finds'], by: By): finds is Extract<Finds, { readonly by: By }> {
  return finds?.by === by;
}

type RegistrySource = Source & { readonly registry: Registry };

function registriesOf(sources: readonly Source[]): readonly RegistrySource[] {
  return sources
    .filter((source): source is RegistrySource => source.registry !== undefined)
    .sort((a, b) => a.registry.order - b.registry.order);
}

const REGISTRIES = registriesOf(SOURCES);
const PLACES = new Map(REGISTRIES.map((source, index) => [source.name, index]));

/** Negative when the source of `a` comes before that of `b` in the order of the registries. */
export function byRegistry(a: TokenRecord, b: TokenRecord): number {
  return (PLACES.get(a.source) ?? PLACES.size) - (PLACES.get(b.source) ?? PLACES.size);
}

const namesOf = (fits: (registry: Registry) => boolean) =>
  REGISTRIES.filter(({ registry }) => fits(registry)).map(({ name }) => name);

/** Registries in which the absence of a token means something. */
export const TOKEN_REGISTRIES = namesOf(({ curated, files }) => curated && files === 'tokens');
/** Registries of projects, with or without a token. */
export const PROJECT_REGISTRIES = namesOf(({ curated, files }) => curated && files === 'projects');
/** Registries that name every address of a token and say whether it is a copy, in their order. */
export const JUDGES = namesOf(({ namesAllPlaces }) => namesAllPlaces);

type RegistryKey = NonNullable<Registry['key']>;

/** Under which key a registry's id of a token is kept for later requests. */
export function keysFrom(idAt: (source: string) => string | null): Partial<Pick<AssetKeys, RegistryKey>> {
  return Object.fromEntries(
    REGISTRIES.flatMap(({ name, registry }) =>
      registry.key === null || registry.files !== 'tokens' ? [] : [[registry.key, idAt(name)]],
    ),
  );
}

/** Stable text of a record: the order in which records are looked at. */
export function recordKey(record: TokenRecord): string {
  return [record.source, record.id ?? '', record.addresses.join(' '), record.symbol ?? '', record.name ?? ''].join(
    '\u0000',
  );
}

/** The two halves of `chain:address`. */
export function split(place: string): { readonly chain: Chain | null; readonly address: string } {
  const at = place.indexOf(':');
  return { chain: CHAINS.find((row) => row.name === place.slice(0, at)) ?? null, address: place.slice(at + 1) };
}
