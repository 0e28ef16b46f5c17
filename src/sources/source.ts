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
 * Facts that endpoints plan their requests from. They grow while replies come in: an endpoint whose `plan` returns
 * nothing yet is planned again whenever another endpoint has `learn`ed something.
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
  /** Which of the source's base URLs; default `main`. An absolute `url` always goes through the address guard (trust class `outside`). */
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
 * A list that a source gives of everything it has, shared by all jobs. Its rows are evidence like any other reply. It is fetched in
 * the background, unless all it does is stand in for an endpoint: then it is fetched when a job reads it.
 */
export interface ListTerms {
  /** Parameters of the requests that make up the list, the most wanted first; default one without parameters. */
  readonly pages?: readonly Params[];
  /** Seconds after which it is fetched again. */
  readonly refreshSeconds: number;
  /** Names under which a row is found; the first row of a name counts. */
  keysOf(row: unknown): readonly string[];
  /** Name of the row that `params` mean; null when they mean none. */
  keyOf(params: Params): string | null;
  /**
   * Endpoints of the same source whose reply holds all that the row has: the row counts only where none of them replied.
   * Absent: the row always counts.
   */
  readonly insteadOf?: readonly string[];
  /**
   * Endpoint of the same source of which each row is a reply, field by field: it is requested only where the list could not be had,
   * is older than `refreshSeconds`, or has no row that fits the endpoint's schema. The row is recorded as the endpoint's reply. `plan`
   * and `observe` of the list itself give nothing.
   */
  readonly standsInFor?: string;
  /** Rows of a reply that is not an array. */
  rowsOf?(reply: unknown): readonly unknown[];
  /** Its first fetch is waited for, about as long as for a request: a row decides what no request of a score can. Default false. */
  readonly isAwaited?: boolean;
  /** Why a reply does not replace the one in use (it has far fewer rows); null when it does. Absent: every checked reply does. */
  refuses?(reply: unknown, before: unknown): string | null;
  /**
   * With `standsInFor`: a row as the endpoint's reply, where that has another shape than the row. `null` is what a complete list does
   * not have. Default: the row itself; what the list does not have is requested.
   */
  replyOf?(row: unknown): unknown;
}

/** Finds the rows of a list by a text field, and requests by the parameter `param` (default: of the same name). */
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
 * How several calls of one endpoint become one HTTP request. Calls that wait for a turn of the source's budget are joined with
 * the others of their group; none waits in order to be joined. Each gets its own part of the reply.
 */
export interface BatchTerms {
  /** Calls in one request at most. */
  readonly most: number;
  /** Calls of one group may be joined; null: this one is made alone. */
  groupOf(params: Params): string | null;
  /** Path of the request for two calls or more; base, query, headers and method are those of the single one. */
  path(calls: readonly Params[]): string;
  /**
   * From the shared reply, which no schema has checked, the reply that the single call would get, in the form of `reply`.
   * Null if it is missing: the request is then made alone, since a source may leave out unknown items.
   */
  rowOf(reply: unknown, params: Params): unknown;
}

/** How identity finds tokens with an endpoint, and which parameters it sends. `called`: what the request is in its report. */
export type Finds =
  /**
   * A list without parameters. `all` holds every token with its addresses, so that no other request finds more; `largest` a
   * part of them; `figures` ranks and prices beside a list of all; `projects` projects with or without a token.
   */
  | { readonly by: 'list'; readonly of: 'all' | 'largest' | 'figures' | 'projects'; readonly called: string }
  /** `{query}`: a name. The details of the results are requested next. */
  | { readonly by: 'name' }
  /** `{symbol}`: ids with their addresses. */
  | { readonly by: 'symbol' }
  /** `{query}`: a symbol or a name, `orAddress`: or an address. `unlistedOnly`: used where no list has the project. */
  | { readonly by: 'text'; readonly orAddress: boolean; readonly unlistedOnly: boolean }
  /** `{id}`: the details of one token, at most `most` of them. */
  | { readonly by: 'id'; readonly most: number; readonly called: string }
  /** `{chain, address}`: the details of the token there. */
  | { readonly by: 'address' };

/**
 * One request that a source serves. All functions are pure. `observe` and `learn` see only (reply, params, meta), so that
 * an archived body with its params gives the same observations years later.
 */
export interface EndpointDefinition<Schema extends TSchema = TSchema> {
  readonly name: string;
  /** Its purpose, and where its fields were checked (document, url or recording). */
  readonly doc: string;
  /** `identify`: requested by identity only. Default: part of collecting (`observe`), or with `list` a list fetched in the background (`bulk`). */
  readonly role?: 'observe' | 'identify' | 'bulk';
  /**
   * Critical endpoints (price, liquidity, supply, holders, authorities) start first and may spend the reserved part of the
   * source's budget. A function where that depends on what is known already. Default false.
   */
  readonly critical?: boolean | ((facts: Facts) => boolean);
  /** Parameters of the requests to make, given the facts; [] (the default) when it does not apply or a fact is missing. Of a list: the rows. */
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
  /** Where the reply names the asset that it is about: `param` is the parameter that it must equal, without regard to case. A reply that names another is refused. */
  readonly about?: { readonly param: string; named(reply: Static<Schema>): unknown };
  /** Classifies a well-formed reply without data: an error inside a 200, an empty list. Default `ok`. Params come along for keyed maps. */
  classify?(
    reply: Static<Schema>,
    meta: ReplyMeta,
    params: Params,
  ): { readonly outcome: RequestOutcome; readonly detail?: string };
  /** Default: none. */
  observe?(reply: Static<Schema>, params: Params, meta: ReplyMeta): readonly ObservationDraft[];
  /** Present when identity uses it: then it has `records`. */
  readonly finds?: Finds;
  /** Records of tokens in the reply. Pure, like `observe`; the source's `registry` states what the records count for. */
  records?(reply: Static<Schema>, params: Params): readonly TokenDraft[];
  /** The reply, made of files of this version: nothing is requested, and it is archived like a reply that came. */
  made?(params: Params): unknown;
  /** Of a `bulk` endpoint: how the list is made and how a row of it is found. The reply is an array, or `list.rowsOf` finds one in it. */
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

/** The detail of a reply that names another asset than the requested one. */
export const ABOUT_ANOTHER = 'the reply is about another asset';

/** True where the reply names another asset than `params` do; false where the reply names nothing, or the endpoint does not declare where. */
export function isAboutAnother({ about }: Endpoint, reply: unknown, params: Params): boolean {
  const requested = about === undefined ? null : params[about.param];
  const named = about?.named(reply as never);
  const isNamed = typeof named === 'string' && typeof requested === 'string';
  return isNamed && named.toLowerCase() !== requested.toLowerCase();
}

export interface SourceTerms {
  /** Text and link that the terms require to show; null where they require none. */
  readonly attribution: { readonly text: string; readonly url: string } | null;
  /** False: raw values are never passed through to clients, only consensus values. */
  readonly redistribute: boolean;
  /** Days a raw body may be kept; 0 keeps none; null: no limit in the terms read. */
  readonly keepBodyDays: number | null;
  readonly note: string;
}

/** What the token records of a source count for. */
export interface Registry {
  /** True where people keep the entries; false where anybody can set or buy them. */
  readonly curated: boolean;
  readonly files: 'tokens' | 'projects';
  /** Place among the registries, from 1: whose spelling is taken, and whose statement about a copy counts first. */
  readonly order: number;
  /** Names every address of a token, and states whether it is a copy of another. */
  readonly namesAllPlaces: boolean;
  /** Where the token's id here is kept for later requests; null: it is not. */
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
  /** `main` and others; a configured url replaces `main` (others: `ASSAY_SOURCE_<NAME>_<BASE>_URL`). */
  readonly bases: Readonly<Record<string, string>>;
  /** How an optional or required key is sent, and how the base changes with it. Default null: it takes none. */
  readonly key?: {
    readonly required: boolean;
    readonly header?: string;
    readonly prefix?: string;
    readonly query?: string;
    /** Of `main`, or by base. */
    readonly baseWithKey?: string | Readonly<Record<string, string>>;
    /** Requests a minute with a free key; default: as without one. */
    readonly perMinute?: number;
    /** Requests a month with a free key, where the provider counts them; default: it does not. */
    readonly perMonth?: number;
    /** What an operator gains by it, in short. */
    readonly adds: string;
    /** Page of the provider where it is had. */
    readonly from: string;
  } | null;
  /** Why it is off unless the operator turns it on. Default null: it is on. */
  readonly disabledReason?: string | null;
  /** Without `attribution`: the terms require none. */
  readonly terms: Omit<SourceTerms, 'attribution'> & Partial<Pick<SourceTerms, 'attribution'>>;
  readonly budget: {
    readonly perMinute: number;
    readonly burst: number;
    readonly concurrency: number;
    readonly shareSeconds: number;
  };
  readonly timeoutMs: number;
  /** Our names of the chains it has; default []: it is not about a chain. */
  readonly chains?: readonly string[];
  /** What other rooms use it for, with its place among the sources that give the same; default {}: its observations are all it gives. */
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

/** Fills in the defaults of an endpoint, and forgets the type of its reply so that it fits into a list of mixed ones. */
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

/** The fact `key`, for `learn`; {} where its value is not known. */
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
 * A complete list whose reply is an array, or an object with the array under `field`: what it does not have is nothing, and not
 * requested again. An empty list would state that of everything, so it is malformed.
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
 * An endpoint, and before it the list that is shared by all jobs and stands in for it: both make the same request. `shared`: name, doc and
 * list of the latter, and its schema where it differs.
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
      /** Seconds until it could be requested, when a budget is spent and that is known. */
      readonly retryAfterSeconds?: number | null;
    };

/**
 * Requests of public sources on behalf of one job: builds the request, keeps budgets and deadlines, checks the schema, archives
 * the reply and its observations. The same request (source, endpoint, params) is made once per job; a later call gets
 * the same reply. Implemented by `evidence/`.
 */
export interface SourceRequester {
  request<Reply = unknown>(source: string, endpoint: string, params: Params): Promise<SourceReply<Reply>>;
  /**
   * Reads a `bulk` endpoint's whole list, which is fetched in the background and shared by all jobs; waits for it at most
   * `waitMs` when it has never been fetched. It has no observations: those of a row are the collector's business.
   */
  bulk<Reply = unknown>(source: string, endpoint: string, params: Params, waitMs: number): Promise<SourceReply<Reply>>;
  /** False when the operator or a missing key turned the source off. */
  enabled(source: string): boolean;
  readonly signal: AbortSignal;
  /** The job's clock, RFC 3339. */
  now(): string;
}
