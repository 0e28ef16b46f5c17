import type { Asset, Identification, ScoreRequest, TokenRecord } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import type { SourceRequester } from '../sources/index.ts';
import { sorted } from '../sources/index.ts';
import { assetOf, candidateAsset, claimedWebsite, homeOf, repositoryTie, websiteOf } from './asset-of.ts';
import { foldRecords, recordKey, TOKEN_REGISTRIES } from './candidates.ts';
import { canonicalRequest, type Identified, sameRequest, tokenRecord } from './canonical.ts';
import { type Choice, choose, type SetAside } from './choose.ts';
import { type Gathered, gather } from './gather.ts';
import { contradictionsOf, type Judged, judge, matchOf } from './match.ts';
import { identifyProject } from './project.ts';
import { createIdentityRequests, type IdentityRequests, type UnsentRequest } from './requests.ts';
import { createSites, type Sites } from './sites.ts';

/** An asset that may be meant; `match` is M of methodology 2.1. */
interface AssetCandidate {
  readonly asset: Asset;
  readonly match: number;
  readonly why: string;
}

export type IdentityResult =
  | { readonly ok: true; readonly identification: Identification }
  | {
      readonly ok: false;
      readonly kind: 'ambiguous';
      readonly candidates: readonly AssetCandidate[];
    }
  | {
      readonly ok: false;
      readonly kind: 'not_identified';
      readonly tried: readonly string[];
      /** Listed assets with a similar name, of which one may be meant. None of them is chosen. */
      readonly alike: readonly AssetCandidate[];
    }
  /** No source that can know a project replied (`isPartly` false), or too few for a missing result to mean anything. */
  | {
      readonly ok: false;
      readonly kind: 'unreachable';
      readonly isPartly: boolean;
      /** The requested sources, if all of them are disabled here. */
      readonly off: readonly string[];
      readonly tried: readonly string[];
    }
  /** Registries were not requested because a request budget is spent, so the project cannot be identified now. */
  | {
      readonly ok: false;
      readonly kind: 'busy';
      readonly sources: readonly string[];
      /** Seconds until the first of them can be requested again; null if unknown. */
      readonly retryAfterSeconds: number | null;
      readonly tried: readonly string[];
    };

/** The asset to which the replies so far point. */
export interface Likely extends Pick<Identification, 'asset' | 'registrableDomain' | 'keys' | 'stage'> {
  /**
   * True: based on the searches alone. False: the caller's words were confirmed to mean it, but its canonical record is
   * not confirmed yet.
   */
  readonly isGuess: boolean;
}

const MOST_CANDIDATES = 10;
const MOST_ALIKE = 5;
const MOST_REJECTED = 20;
/**
 * Maximum number of rounds, after which the record is used as it is. It normally settles in the second round, or in the
 * third if a website is found on the way.
 */
const MOST_ROUNDS = 4;
/** Each attempt makes the same requests; those that already have a reply are not sent again. */
const MOST_ATTEMPTS = 3;

/**
 * Finds the token of a project from its name and website (and symbol, chain and address, if the caller knows them),
 * with the proof that ties them: M of methodology 2.1. A token belongs to the project only if the website, a curated
 * listing or on-chain metadata ties it to the registrable domain of the URL; otherwise it is not identified.
 *
 * The caller's words only serve to find the asset. It is then identified again by its canonical record until that
 * record no longer changes, so asset, match, links and record do not depend on the words. Any source may fail, and the
 * same replies give the same result in any order. `onLikely` is called with the asset to which the replies so far
 * point; the final result may differ.
 */
export async function identify(
  request: ScoreRequest,
  requester: SourceRequester,
  methodology: Methodology,
  onLikely: ((likely: Likely) => void) | null = null,
): Promise<IdentityResult> {
  for (let attempt = 1; ; attempt += 1) {
    const requests = createIdentityRequests(requester);
    const sites = createSites(requests);
    const tools = { requests, sites, methodology, now: requester.now(), seen: createReadRecords(), onLikely };
    const result = await settle(request, tools);
    const isKnown = result.ok && (result.identification.stage === 'post_tge' || isPreTge(request));
    const notAsked = requests.unsent();
    if (isKnown) return result;
    // Before identification fails, it waits for slow requests and for those that wait for a source's request budget.
    if (attempt < MOST_ATTEMPTS && !requester.signal.aborted && (await requests.late())) continue;
    if (notAsked.length > 0) return busy(notAsked, requests.tried());
    if (!result.ok && result.kind === 'not_identified' && requests.mostlyUnanswered())
      return { ok: false, kind: 'unreachable', isPartly: true, off: [], tried: requests.tried() };
    return result;
  }
}

function busy(notAsked: readonly UnsentRequest[], tried: readonly string[]): IdentityResult {
  const seconds = notAsked.flatMap((row) => row.retryAfterSeconds ?? []);
  return {
    ok: false,
    kind: 'busy',
    sources: [...new Set(notAsked.map((row) => row.source))].sort(),
    retryAfterSeconds: seconds.length === 0 ? null : Math.min(...seconds),
    tried,
  };
}

function isPreTge(request: ScoreRequest): boolean {
  return request.type.toLowerCase() === 'pretge';
}

/** Identifies by the words of the request, then by the resulting record, until the record no longer changes. */
async function settle(request: ScoreRequest, tools: Tools): Promise<IdentityResult> {
  let asked = request;
  let result = await identifyBy(asked, tools, []);
  for (let round = 1; result.ok && round < MOST_ROUNDS; round += 1) {
    const { canonical, stage } = result.found.identification;
    const next = canonicalRequest(canonical, stage);
    if (sameRequest(next, asked)) break;
    tools.onLikely?.({ ...result.found.identification, isGuess: false });
    const again = await identifyBy(next, tools, result.found.records);
    // If the sources tie the words to another asset, a result found by the caller's words alone does not count.
    if (!again.ok && again.failure.kind === 'ambiguous') result = again;
    if (!again.ok) break;
    result = again;
    asked = next;
  }
  if (!result.ok) return result.failure;
  const { identification, records } = result.found;
  return {
    ok: true,
    identification: { ...identification, foreignResponses: foreignTo(identification, records, tools) },
  };
}

/** Tools and intermediate results of one identification, shared by its rounds. */
interface Tools {
  readonly requests: IdentityRequests;
  readonly sites: Sites;
  readonly methodology: Methodology;
  readonly now: string;
  readonly seen: ReadRecords;
  /** Null: not used, and no guess is made. */
  readonly onLikely: ((likely: Likely) => void) | null;
}

/** All records that were read, of any token. */
interface ReadRecords {
  add(gathered: Gathered): void;
  /** Archived replies, each about one token. */
  responses(): ReadonlyMap<string, { readonly record: string } | { readonly place: string }>;
}

function createReadRecords(): ReadRecords {
  const responses = new Map<string, { readonly record: string } | { readonly place: string }>();
  return {
    add({ records, metadata }) {
      for (const record of records)
        if (record.responseId !== null) responses.set(record.responseId, { record: recordKey(record) });
      for (const [place, row] of metadata) responses.set(row.responseId, { place });
    },
    responses: () => responses,
  };
}

type Attempt =
  | {
      readonly ok: true;
      readonly found: { readonly identification: Identified; readonly records: readonly TokenRecord[] };
    }
  | { readonly ok: false; readonly failure: Extract<IdentityResult, { ok: false }> };

/** Identifies once, by the words of one request. `known`: records of the token that an earlier round read. */
async function identifyBy(request: ScoreRequest, tools: Tools, known: readonly TokenRecord[]): Promise<Attempt> {
  const { requests, methodology, now } = tools;
  const guess = (early: Gathered) => {
    if (tools.onLikely === null || known.length > 0) return;
    const likely = likelyOf(early, request, tools);
    if (likely !== null) tools.onLikely(likely);
  };
  const gathered = await gather(request, requests, tools.sites, known, guess);
  tools.seen.add(gathered);
  if (!requests.anyWitness())
    return failed({
      ok: false,
      kind: 'unreachable',
      isPartly: false,
      off: requests.allOff(),
      tried: requests.tried(),
    });
  const judged = foldRecords(gathered.records).map((candidate) => judge(candidate, request, gathered, methodology));
  const choice = choose(judged, request, gathered.callerPlaces, requests.isAnySilent(TOKEN_REGISTRIES));
  const preTge = isPreTge(request);
  if (choice.kind === 'chosen' && !preTge) {
    const identification = await withToken(choice, request, gathered, tools);
    return { ok: true, found: { identification, records: choice.chosen.candidate.records } };
  }
  if (choice.kind === 'ambiguous' && !preTge)
    return failed({
      ok: false,
      kind: 'ambiguous',
      candidates: candidatesOf(choice.tied, choice.why, request, gathered, methodology, now),
    });
  const tie = preTge || gathered.protocols.some((row) => !row.hasToken) ? await repositoryTie(gathered) : null;
  const project = identifyProject(request, gathered, methodology, now, rejectedOf(choice, request, gathered), tie);
  if (project.ok) {
    // A request for the model without a token does not hide an existing token.
    const ownToken = choice.kind === 'chosen' ? (await withToken(choice, request, gathered, tools)).asset : null;
    const identification = ownToken === null ? project.identification : { ...project.identification, ownToken };
    return { ok: true, found: { identification, records: [] } };
  }
  const { words, alike = [] } = choice.kind === 'none' ? choice : { words: [] };
  return failed({
    ok: false,
    kind: 'not_identified',
    tried: [...project.words, ...words, ...requests.tried()],
    alike: candidatesOf(alike.slice(0, MOST_ALIKE), 'the name is similar', request, gathered, methodology, now),
  });
}

/** The token that the search results alone would choose; null if they do not decide. Makes no requests. */
function likelyOf(early: Gathered, request: ScoreRequest, { methodology, now }: Tools): Likely | null {
  if (isPreTge(request)) return null;
  const judged = foldRecords(early.records).map((candidate) => judge(candidate, request, early, methodology));
  const choice = choose(judged, request, early.callerPlaces, true);
  if (choice.kind !== 'chosen') return null;
  const { candidate } = choice.chosen;
  const home = homeOf(candidate, request, early);
  if (home === null) return null;
  const website = claimedWebsite(candidate, early);
  const { keys, ...record } = tokenRecord(candidate, home, website, early, now);
  const asset = assetOf({ ...record, keys });
  return { asset, registrableDomain: website?.domain ?? null, keys, stage: 'post_tge', isGuess: true };
}

function failed(failure: Extract<IdentityResult, { ok: false }>): Attempt {
  return { ok: false, failure };
}

async function withToken(
  choice: Extract<Choice, { kind: 'chosen' }>,
  request: ScoreRequest,
  gathered: Gathered,
  { methodology, now }: Tools,
): Promise<Identified> {
  const { chosen, rivals, listedInstead } = choice;
  const contradictions = contradictionsOf(chosen, rivals, gathered, methodology, now, listedInstead);
  const website = await websiteOf(chosen.candidate, gathered);
  const home = homeOf(chosen.candidate, request, gathered);
  const canonical = tokenRecord(chosen.candidate, home, website, gathered, now);
  const asset = assetOf(canonical);
  return {
    asset,
    stage: 'post_tge',
    registrableDomain: website?.domain ?? null,
    keys: canonical.keys,
    match: matchOf(chosen.links, contradictions),
    links: chosen.links,
    contradictions,
    rejected: rejectedOf(choice, request, gathered),
    notes: [...choice.notes, ...notesOf(chosen, asset, gathered)],
    canonical,
  };
}

function candidatesOf(
  tied: readonly Judged[],
  why: string,
  request: ScoreRequest,
  gathered: Gathered,
  methodology: Methodology,
  now: string,
): readonly AssetCandidate[] {
  return tied.slice(0, MOST_CANDIDATES).map((row) => {
    const rivals = tied.filter((other) => other !== row && other.strong);
    const match = matchOf(row.links, contradictionsOf(row, rivals, gathered, methodology, now));
    const proof = row.links.map((link) => link.detail).join('; ');
    return {
      asset: candidateAsset(row.candidate, request, gathered, row.anchored ? gathered.site.url : null),
      match,
      why: proof === '' ? why : `${why}: ${proof}`.slice(0, 400),
    };
  });
}

function rejectedOf(choice: Choice, request: ScoreRequest, gathered: Gathered): Identification['rejected'] {
  const aside: readonly SetAside[] =
    choice.kind === 'ambiguous' ? choice.tied.map((judged) => ({ judged, reason: choice.why })) : choice.aside;
  return aside.slice(0, MOST_REJECTED).map(({ judged, reason }) => ({
    asset: candidateAsset(judged.candidate, request, gathered, null),
    reason,
  }));
}

function notesOf({ candidate, name }: Judged, asset: Asset, { site, page }: Gathered): readonly string[] {
  return [
    ...(page.leadsElsewhere
      ? [`${site.host} leads to another domain or a shared platform; its content is not evidence about the project`]
      : []),
    ...(asset.chain === null
      ? ['the token is on no chain covered here; registries and markets by id are the only sources']
      : []),
    ...(name === 'other'
      ? [
          `the registries call it ${candidate.name ?? candidate.symbol ?? 'otherwise'}; the website ties it to the project`,
        ]
      : []),
    ...(candidate.places.length > 1 ? [`deployed on ${candidate.places.length} chains covered here; one asset`] : []),
  ];
}

/**
 * Ids of replies that were read but do not concern the asset: those about other tokens, and landing pages of other
 * sites. Their data must not count for the asset.
 */
function foreignTo(
  identification: Identification,
  records: readonly TokenRecord[],
  { seen, sites }: Tools,
): readonly string[] {
  const own = new Set(records.map(recordKey));
  const places = new Set(records.flatMap((record) => record.addresses));
  const others = [...seen.responses()].filter(([, about]) =>
    'record' in about ? !own.has(about.record) : !places.has(about.place),
  );
  const pages = [...sites.responses()].filter(([url]) => url !== identification.asset.website);
  return sorted([...others.map(([id]) => id), ...pages.map(([, id]) => id)]);
}
