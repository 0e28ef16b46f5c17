import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { parseAssetId } from '../chains/index.ts';
import { type Json, NO_KEYS, QUANTITIES } from '../domain/index.ts';
import { type Facts, type Params, registrableDomain } from '../sources/index.ts';

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Known = Type.Object(
  {
    quantity: Name,
    /** Default `asset`. */
    scope: Type.Optional(Name),
    value: Type.Optional(Type.Unknown()),
    /** No observation may be made. */
    absent: Type.Optional(Type.Boolean()),
    min: Type.Optional(Type.Union([Type.Number(), Name])),
    max: Type.Optional(Type.Union([Type.Number(), Name])),
    /** Sources that state it about this subject; default: all. */
    sources: Type.Optional(Type.Array(Name)),
    /** Endpoint (`source.endpoint`) that must state it. */
    endpoint: Type.Optional(Name),
    /** Reference for the fact. */
    why: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
const Asked = Type.Object(
  {
    source: Name,
    endpoint: Name,
    params: Type.Record(Type.String(), Type.Unknown()),
    /** RFC 3339: time of recording; the reply is judged as of then. Default: now. */
    at: Type.Optional(Name),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { additionalProperties: false },
);
const Asset = Type.Object(
  {
    /** CAIP-19, or `project:<domain>`. */
    id: Name,
    name: Name,
    symbol: Type.Optional(Name),
    website: Type.Optional(Name),
    /** Ids at registries, repositories and markets, as identity would find them. */
    keys: Type.Optional(
      Type.Object(
        {
          coingeckoId: Type.Optional(Name),
          cmcId: Type.Optional(Name),
          coinpaprikaId: Type.Optional(Name),
          defillamaSlug: Type.Optional(Name),
          githubRepos: Type.Optional(Type.Array(Name)),
          deployments: Type.Optional(Type.Array(Type.Object({ chain: Name, address: Name }))),
          cexPairs: Type.Optional(Type.Array(Type.Object({ venue: Name, symbol: Name }))),
        },
        { additionalProperties: false },
      ),
    ),
    /** Read every hour in production. */
    canary: Type.Optional(Type.Boolean()),
    /** Exactly these requests; default: those that the sources plan for the asset. */
    requests: Type.Optional(Type.Array(Asked)),
    known: Type.Array(Known),
    /** Quantities that an endpoint (`source.endpoint`) has stated of the asset in every proven run. */
    states: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  },
  { additionalProperties: false },
);
const PanelSchema = Type.Object(
  { about: Type.String(), assets: Type.Array(Asset, { minItems: 1, maxItems: 2_000 }) },
  { additionalProperties: false },
);

/** A fixed list of assets with known facts, which sources are checked with. */
export type Panel = Static<typeof PanelSchema>;
export type PanelAsset = Panel['assets'][number];
export type KnownFact = PanelAsset['known'][number];

const validator = Compile(PanelSchema);

/** Reads a panel from JSON text. Throws a description of its errors. */
export function readPanel(text: string): Panel {
  const value: unknown = JSON.parse(text);
  if (validator.Check(value)) {
    const unknown = value.assets.flatMap((asset) => asset.known).find((fact) => !(fact.quantity in QUANTITIES));
    if (unknown === undefined) return value;
    throw new Error(`the panel is not readable: there is no quantity ${unknown.quantity}`);
  }
  const first = validator.Errors(value)[0];
  throw new Error(`the panel is not readable: ${first?.instancePath || '/'} ${first?.message ?? ''}`);
}

/** Reads a panel from a file. Throws its errors. */
export function readPanelFile(path: string): Panel {
  return readPanel(readFileSync(path, 'utf8'));
}

/** The panel of real assets that is shipped. */
export function builtInPanel(): Panel {
  return readPanel(readFileSync(new URL('./panel.json', import.meta.url), 'utf8'));
}

/** Input for the requests of sources: the asset as identity would describe it. */
export function factsOfPanel(asset: PanelAsset): Facts {
  const parsed = parseAssetId(asset.id);
  const domain = /^project:(.+)$/.exec(asset.id)?.[1] ?? registrableDomain(asset.website ?? '');
  const own = parsed ? [{ chain: parsed.chain.name, address: parsed.address }] : [];
  return {
    project: asset.name,
    symbol: asset.symbol ?? null,
    chain: parsed?.chain ?? null,
    address: parsed?.address ?? null,
    websiteUrl: asset.website ?? null,
    registrableDomain: domain,
    keys: { ...NO_KEYS, deployments: own, ...asset.keys },
    learned: {},
  };
}

/** Parameters of an explicit request, as JSON. */
export function paramsOf(asked: { readonly params: Readonly<Record<string, unknown>> }): Params {
  return asked.params as Readonly<Record<string, Json>>;
}
