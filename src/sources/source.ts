import Type, { type Static, type TSchema } from 'typebox';
import type { Chain } from '../chains/index.ts';
import type {
  AssetKeys,
  Json,
  Observation,
  ObservationDraft,
  ProvidedKinds,
  RequestOutcome,
  Stage,
  Tier,
  TokenDraft,
} from '../domain/index.ts';

/**
 * Facts from which endpoints plan their requests. They grow as replies arrive: an endpoint whose `plan` returned
 * nothing is planned again whenever another endpoint has `learn`ed something.
 */
export interface Facts {
  readonly project: string;
  readonly symbol: string | null;
  readonly chain: Chain | null;
  /** Canonical address on `chain`, or `native`. */
  readonly address: string | null;
  readonly websiteUrl: string | null;
  readonly registrableDomain: string | null;
  readonly keys: AssetKeys;
  /** Absent: a token. */
  readonly stage?: Stage;
  /** What endpoints learned, by `<source>.<name>` (for example `solana_rpc.largestAccounts`). JSON only. */
  readonly learned: Readonly<Record<string, Json>>;
}

export type Params = Readonly<Record<string, Json>>;

export interface HttpRequestSpec {
  /** Name of the source's base URL; default `main`. An absolute `url` always goes through the address guard (trust class `outside`). */
  readonly base?: string;
  readonly url?: string;
  readonly path?: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json;
}

export interface ReplyMeta {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** RFC 3339. */
  readonly fetchedAt: string;
  readonly url: string;
}

/**
 * A list of everything that a source has, shared by all jobs. Its rows are evidence like any other reply. It is fetched in the
 * background; a list that only stands in for an endpoint is fetched when a job reads it.
 */
export interface ListTerms {
  /** Parameters of the requests that make up the list, in order of priority; default: one request without parameters. */
  readonly pages?: readonly Params[];
  /** Seconds after which it is fetched again. */
  readonly refreshSeconds: number;
  /** Names under which a row is found; the first row of a name counts. */
  keysOf(row: unknown): readonly string[];
  /** Name of the row that `params` select; null when they select none. */
  keyOf(params: Params): string | null;
  /**
   * Endpoints of the same source whose reply contains everything in the row: the row counts only if none of them replied.
   * Absent: the row always counts.
   */
  readonly insteadOf?: readonly string[];
  /**
   * Endpoint of the same source whose reply has the same fields as a row. It is requested only if the list is not available, is older
   * than `refreshSeconds`, or has no row that matches the endpoint's schema. The row is recorded as the endpoint's reply. `plan` and
   * `observe` of the list itself are not used.
   */
  readonly standsInFor?: string;
  /** Rows of a reply that is not an array. */
  rowsOf?(reply: unknown): readonly unknown[];
  /** True: a job waits for the first fetch, about as long as for a request, because no other request gives what a row decides. Default false. */
  readonly isAwaited?: boolean;
  /** Why a reply does not replace the one in use (it has far fewer rows); null when it does. Absent: every valid reply does. */
  refuses?(reply: unknown, before: unknown): string | null;
  /**
   * With `standsInFor`: converts a row to the endpoint's reply if the two differ in form. `null` stands for a row that a complete list
   * does not have. Default: the row itself; a missing row is requested.
   */
  replyOf?(row: unknown): unknown;
}

/** Finds the rows of a list by a text field, and requests by the parameter `param` (default: the name of the field). */
export function rowsBy(field: string, param = field): Pick<ListTerms, 'keysOf' | 'keyOf'> {
  const textOr = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    keysOf: (row) => {
      const key = textOr((row as Readonly<Record<string, unknown>> | null)?.[field]);
      return key === null ? [] : [key];
    },
    keyOf: (params) => textOr(params[param]),
  };
}

/**
 * How several calls of one endpoint become one HTTP request. Calls that wait for the source's budget are joined with other calls of
 * their group; no call waits only to be joined. Each call gets its own part of the reply.
 */
export interface BatchTerms {
  /** Maximum number of calls in one request. */
  readonly most: number;
  /** Calls of the same group may be joined; null: the call is made alone. */
  groupOf(params: Params): string | null;
  /** Path of the request for two or more calls; base, query, headers and method are those of a single call. */
  path(calls: readonly Params[]): string;
  /**
   * Extracts from the shared reply, which is not validated, the reply that a single call would get, in the form of `reply`.
   * Null if it is missing: the call is then made alone, because a source may omit unknown items.
   */
  rowOf(reply: unknown, params: Params): unknown;
}

/** How identity finds tokens with an endpoint, and which parameters it sends. `called`: name of the request in identity's report. */
export type Finds =
  /**
   * A list without parameters. `all`: every token with its addresses, so that no other request finds more; `largest`: a part
   * of them; `figures`: ranks and prices in addition to a list of all; `projects`: projects with or without a token.
   */
  | { readonly by: 'list'; readonly of: 'all' | 'largest' | 'figures' | 'projects'; readonly called: string }
  /** `{query}`: a name. The details of the results are requested next. */
  | { readonly by: 'name' }
  /** `{symbol}`: ids with their addresses. */
  | { readonly by: 'symbol' }
  /** `{query}`: a symbol or a name; with `orAddress` also an address. `unlistedOnly`: used only if no list has the project. */
  | { readonly by: 'text'; readonly orAddress: boolean; readonly unlistedOnly: boolean }
  /** `{id}`: the details of one token, for at most `most` tokens. */
  | { readonly by: 'id'; readonly most: number; readonly called: string }
  /** `{chain, address}`: the details of the token at this address. */
  | { readonly by: 'address' };

/**
 * One kind of request to a source. All functions are pure. `observe` and `learn` see only (reply, params, meta), so that
 * an archived body with its params gives the same observations years later.
 */
export interface EndpointDefinition<Schema extends TSchema = TSchema> {
  readonly name: string;
  /** Purpose of the endpoint, and where its fields were checked (document, url or recording). */
  readonly doc: string;
  /** `identify`: requested by identity only. Default: requested by the collector (`observe`), or with `list` a list fetched in the background (`bulk`). */
  readonly role?: 'observe' | 'identify' | 'bulk';
  /**
   * Critical endpoints (price, liquidity, supply, holders, authorities) start first and may spend the reserved part of the
   * source's budget. A function if this depends on known facts. Default false.
   */
  readonly critical?: boolean | ((facts: Facts) => boolean);
  /** Parameters of the requests to make, given the facts; [] (the default) if it does not apply or a fact is missing. For a list: the rows to read. */
  plan?(facts: Facts): readonly Params[];
  request(params: Params): HttpRequestSpec;
  /** How the body is read before `reply` is checked: JSON, or the text itself; `tls` opens a TLS connection to the url's host and replies `TlsFacts`; `pdf` replies the file's text (`evidence/pdf`). Default `json`. */
  readonly format?: 'json' | 'html' | 'text' | 'xml' | 'tls' | 'pdf';
  readonly reply: Schema;
  /** Default 4 MiB. */
  readonly maxBytes?: number;
  /** Default: the source's. */
  readonly timeoutMs?: number;
  /** Statuses besides 2xx that are replies; 404 usually means `not_found`. Default [404]. */
  readonly okStatuses?: readonly number[];
  /** Where the reply names its asset: `named` must equal the parameter `param`, ignoring case. A reply about another asset is rejected. */
  readonly about?: { readonly param: string; named(reply: Static<Schema>): unknown };
  /** Classifies a well-formed reply without data: an error inside a 200, an empty list. Default `ok`. `params` is passed for keyed maps. */
  classify?(
    reply: Static<Schema>,
    meta: ReplyMeta,
    params: Params,
  ): { readonly outcome: RequestOutcome; readonly detail?: string };
  /** Default: none. */
  observe?(reply: Static<Schema>, params: Params, meta: ReplyMeta): readonly ObservationDraft[];
  /** Present if identity uses the endpoint, which then has `records`. */
  readonly finds?: Finds;
  /** Token records in the reply. Pure, like `observe`; the source's `registry` states what the records are used for. */
  records?(reply: Static<Schema>, params: Params): readonly TokenDraft[];
  /** Builds the reply from files of this version. Nothing is requested; the reply is archived like a received one. */
  made?(params: Params): unknown;
  /** For a `bulk` endpoint: how the list is fetched and how its rows are found. The reply is an array, or `list.rowsOf` extracts one. */
  readonly list?: ListTerms;
  /** Absent: each call is a request. */
  readonly batch?: BatchTerms;
  /** Facts learned from a 404 (a site without robots.txt forbids nothing); none by default. */
  readonly learnedWhenMissing?: Readonly<Record<string, Json>>;
  /** New facts for `Facts.learned` (keys prefixed `<source>.`). */
  learn?(reply: Static<Schema>, params: Params, meta: ReplyMeta): Readonly<Record<string, Json>>;
}

/** A definition with its defaults filled in. */
export interface Endpoint<Schema extends TSchema = TSchema> extends EndpointDefinition<Schema> {
  readonly role: 'observe' | 'identify' | 'bulk';
  readonly critical: boolean | ((facts: Facts) => boolean);
  plan(facts: Facts): readonly Params[];
  observe(reply: Static<Schema>, params: Params, meta: ReplyMeta): readonly ObservationDraft[];
}

/** Detail text for a reply that names another asset than the requested one. */
export const ABOUT_ANOTHER = 'the reply is about another asset';

/** True if the reply names another asset than `params`; false if it names none, or if the endpoint has no `about`. */
export function isAboutAnother({ about }: Endpoint, reply: unknown, params: Params): boolean {
  const requested = about === undefined ? null : params[about.param];
  const named = about?.named(reply as never);
  const isNamed = typeof named === 'string' && typeof requested === 'string';
  return isNamed && named.toLowerCase() !== requested.toLowerCase();
}

export interface SourceTerms {
  /** Text and link that the terms require us to show; null if they require none. */
  readonly attribution: { readonly text: string; readonly url: string } | null;
  /** False: raw values are never passed on to clients, only consensus values. */
  readonly redistribute: boolean;
  /** Days a raw body may be kept; 0 keeps none; null: no limit in the terms read. */
  readonly keepBodyDays: number | null;
  readonly note: string;
}

/** How identity uses the token records of a source. */
export interface Registry {
  /** True if people maintain the entries; false if anyone can set or buy them. */
  readonly curated: boolean;
  readonly files: 'tokens' | 'projects';
  /** Rank among the registries, from 1. The spelling and the statement about a copy are taken from the registry with the best rank. */
  readonly order: number;
  /** Names every address of a token, and states whether it is a copy of another. */
  readonly namesAllPlaces: boolean;
  /** The key under which the token's id at this source is kept for later requests; null: it is not kept. */
  readonly key: 'coingeckoId' | 'cmcId' | 'coinpaprikaId' | 'defillamaSlug' | null;
}

/** What a source file declares. */
export interface SourceDefinition {
  /** snake_case; configuration is `ASSAY_SOURCE_<NAME>_URL` and `ASSAY_SOURCE_<NAME>_KEY`. */
  readonly name: string;
  readonly title: string;
  readonly doc: string;
  /** Lineage group: who originates the numbers. */
  readonly family: string;
  readonly tier: Tier;
  /** Default reliability of its observations, 0-1. */
  readonly reliability: number;
  /** `outside`: another party chooses the addresses. Default `operator`. */
  readonly trust?: 'operator' | 'outside';
  /** Base URLs by name. A configured url replaces `main`; `ASSAY_SOURCE_<NAME>_<BASE>_URL` replaces another. */
  readonly bases: Readonly<Record<string, string>>;
  /** How an optional or required key is sent, and how the base changes with it. Default null: no key. */
  readonly key?: {
    readonly required: boolean;
    readonly header?: string;
    readonly prefix?: string;
    readonly query?: string;
    /** Base URL with a key: that of `main`, or URLs by base name. */
    readonly baseWithKey?: string | Readonly<Record<string, string>>;
    /** Requests a minute with a free key; default: the same as without a key. */
    readonly perMinute?: number;
    /** Requests a month with a free key, if the provider limits them. */
    readonly perMonth?: number;
    /** Short text on what the key adds. */
    readonly adds: string;
    /** Page of the provider where a key can be obtained. */
    readonly from: string;
  } | null;
  /** Why it is off unless the operator turns it on. Default null: it is on. */
  readonly disabledReason?: string | null;
  /** Omit `attribution` if the terms require none. */
  readonly terms: Omit<SourceTerms, 'attribution'> & Partial<Pick<SourceTerms, 'attribution'>>;
  readonly budget: {
    readonly perMinute: number;
    readonly burst: number;
    readonly concurrency: number;
    readonly shareSeconds: number;
  };
  readonly timeoutMs: number;
  /** Our names of the chains that it covers; default []: it does not depend on a chain. */
  readonly chains?: readonly string[];
  /** What other modules use it for, with its rank among sources of the same kind; default {}: it gives observations only. */
  readonly provides?: ProvidedKinds;
  /** Absent: no endpoint gives token records. */
  readonly registry?: Registry;
  readonly endpoints: readonly Endpoint[];
}

/** A definition with its defaults filled in. */
export interface Source extends SourceDefinition {
  readonly trust: 'operator' | 'outside';
  readonly key: NonNullable<SourceDefinition['key']> | null;
  readonly enabledByDefault: boolean;
  readonly disabledReason: string | null;
  readonly chains: readonly string[];
  readonly provides: ProvidedKinds;
  readonly terms: SourceTerms;
}

/** Fills in the defaults of a source. */
export function defineSource(definition: SourceDefinition): Source {
  const disabledReason = definition.disabledReason ?? null;
  return {
    trust: 'operator',
    key: null,
    chains: [],
    provides: {},
    ...definition,
    terms: { attribution: null, ...definition.terms },
    disabledReason,
    enabledByDefault: disabledReason === null,
  };
}

/** Fills in the defaults of an endpoint, and erases its reply type so that endpoints can share a list. */
export function endpoint<Schema extends TSchema>(definition: EndpointDefinition<Schema>): Endpoint {
  const role = definition.list === undefined ? 'observe' : 'bulk';
  return {
    role,
    critical: false,
    plan: () => [],
    observe: () => [],
    ...definition,
  } as unknown as Endpoint;
}

/** The fact `key`, for `learn`; {} if its value is unknown. */
export function fact(key: string, value: Json | null | undefined): Readonly<Record<string, Json>> {
  return value === null || value === undefined ? {} : { [key]: value };
}

/** A list with the whole reply as its only row. */
export const ONE_ROW: Pick<ListTerms, 'rowsOf' | 'keysOf' | 'keyOf'> = {
  rowsOf: (reply) => [reply],
  keysOf: () => ['all'],
  keyOf: () => 'all',
};

/**
 * A complete list whose reply is an array, or an object with the array under `field`: an item that it does not have does not exist and
 * is not requested. An empty list would mean that nothing exists, so it is malformed.
 */
export function completeList(
  field: string | null,
  list: Omit<ListTerms, 'standsInFor' | 'replyOf'>,
): { readonly reply: TSchema; readonly list: Omit<ListTerms, 'standsInFor'> } {
  const rows = Type.Array(Type.Unknown(), { minItems: 1 });
  const one = (row: unknown) => (row === null ? [] : [row]);
  if (field === null) return { reply: rows, list: { ...list, replyOf: one } };
  return {
    reply: Type.Object({ [field]: rows }),
    list: {
      rowsOf: (reply) => (reply as Readonly<Record<string, readonly unknown[]>>)[field] ?? [],
      ...list,
      replyOf: (row) => ({ [field]: one(row) }),
    },
  };
}

/**
 * An endpoint, preceded by the list that all jobs share and that stands in for it. Both make the same request. `shared`: name, doc and
 * terms of the list, and its schema if it differs.
 */
export function sharedList<Schema extends TSchema>(
  shared: {
    readonly name: string;
    readonly doc: string;
    readonly reply?: TSchema;
    readonly list: Omit<ListTerms, 'standsInFor'>;
  },
  own: EndpointDefinition<Schema>,
): readonly Endpoint[] {
  const { name, doc, reply = own.reply, list } = shared;
  const { request, maxBytes } = own;
  return [
    endpoint({
      name,
      doc,
      request,
      reply,
      ...(maxBytes === undefined ? {} : { maxBytes }),
      list: { ...list, standsInFor: own.name },
    }),
    endpoint(own),
  ];
}

export type SourceReply<Reply = unknown> =
  | {
      readonly ok: true;
      /** Checked against the endpoint's schema. */
      readonly reply: Reply;
      readonly outcome: 'ok' | 'empty' | 'not_found';
      readonly responseId: string;
      readonly observations: readonly Observation[];
    }
  | {
      readonly ok: false;
      readonly outcome: RequestOutcome;
      readonly detail: string;
      /** Seconds until the request is possible, if a budget is spent and the time is known. */
      readonly retryAfterSeconds?: number | null;
    };

/**
 * Makes requests to public sources for one job: builds the request, enforces budgets and deadlines, checks the schema, archives
 * the reply and its observations. The same request (source, endpoint, params) is made once per job; a later call gets
 * the same reply. Implemented by `evidence/`.
 */
export interface SourceRequester {
  request<Reply = unknown>(source: string, endpoint: string, params: Params): Promise<SourceReply<Reply>>;
  /**
   * Reads a `bulk` endpoint's whole list, which is fetched in the background and shared by all jobs; waits at most `waitMs`
   * if it has never been fetched. The reply has no observations, because the collector makes those of a row.
   */
  bulk<Reply = unknown>(source: string, endpoint: string, params: Params, waitMs: number): Promise<SourceReply<Reply>>;
  /** False when the operator or a missing key turned the source off. */
  enabled(source: string): boolean;
  readonly signal: AbortSignal;
  /** The job's clock, RFC 3339. */
  now(): string;
}
