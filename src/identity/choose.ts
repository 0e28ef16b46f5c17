import { CHAINS, type Chain, findChain } from '../chains/index.ts';
import { NO_WEBSITE, type ScoreRequest } from '../domain/index.ts';
import { JUDGES } from './candidates.ts';
import { type Judged, onePerGroup } from './match.ts';
import { plainName } from './sites.ts';

export interface SetAside {
  readonly judged: Judged;
  readonly reason: string;
}

export type Choice =
  | {
      readonly kind: 'chosen';
      readonly chosen: Judged;
      readonly rivals: readonly Judged[];
      /**
       * Tokens with other names that registries list for the domain and that are tied to it more strongly than the
       * chosen one.
       */
      readonly listedInstead: readonly Judged[];
      readonly aside: readonly SetAside[];
      readonly notes: readonly string[];
    }
  | { readonly kind: 'ambiguous'; readonly tied: readonly Judged[]; readonly why: string }
  | {
      readonly kind: 'none';
      readonly aside: readonly SetAside[];
      readonly words: readonly string[];
      /** Listed assets with a similar name, where the asset was asked for by its name alone; the largest first. */
      readonly alike?: readonly Judged[];
    };

/** Minimum lead over the second candidate, in points. */
const MARGIN = 2;

/**
 * Chooses among candidates, or explains why it cannot. Only anchored candidates are chosen. The caller's symbol and
 * chain only exclude candidates. The caller's address decides between tied tokens, but is not accepted when another
 * token is tied more strongly. `isPartial`: a registry of tokens did not reply, so a token that is not among the
 * candidates may exist. Deterministic: candidates are sorted.
 */
export function choose(
  judged: readonly Judged[],
  request: ScoreRequest,
  callerPlaces: readonly string[],
  isPartial: boolean,
): Choice {
  const anchored = judged.filter((row) => row.anchored && isLocated(row));
  if (request.projectUrl === NO_WEBSITE) return chooseBare(judged, request, callerPlaces);
  if (request.tokenAddress !== null) return chooseGiven(judged, anchored, request, callerPlaces);
  const notes: string[] = [];
  const bySymbol = answeringSymbol(anchored, request.tokenSymbol);
  const isOtherSymbol = bySymbol.some((row) => row.symbolFits === false);
  const bearers = isOtherSymbol ? likelyBearers(judged) : [];
  if (isOtherSymbol && (isPartial || bearers.length > 0))
    return {
      kind: 'ambiguous',
      tied: [...bySymbol, ...bearers].sort(byPoints),
      why: `another token of the project may have the symbol ${request.tokenSymbol}`,
    };
  const bySort = withoutCopies(bySymbol);
  const fit = onWantedChain(bySort, request.blockchain, notes);
  const ranked = [...fit].sort(byPoints);
  const [best, second] = ranked;
  if (!best) return nothing(judged, anchored, request);
  const close = ranked.filter((row) => best.points - row.points < MARGIN || isTwin(row, best));
  if (second && close.length > 1)
    return { kind: 'ambiguous', tied: close, why: 'tied to the website as well as the others' };
  const rivals = ranked.slice(1).filter((row) => row.strong && row.name !== 'other');
  return { kind: 'chosen', chosen: best, rivals, listedInstead: [], aside: asideOf(judged, best, request), notes };
}

/**
 * Without a website, only the address, or the chain whose own coin is meant, identifies the token; otherwise its name
 * or ticker.
 */
function chooseBare(judged: readonly Judged[], request: ScoreRequest, callerPlaces: readonly string[]): Choice {
  const chain = request.blockchain === null ? null : findChain(request.blockchain);
  if (request.tokenAddress === null && !isCoinNamed(chain, request)) return chooseCalled(judged, request, chain);
  const meant = judged.filter(({ candidate }) =>
    request.tokenAddress !== null
      ? candidate.places.some((place) => callerPlaces.includes(place))
      : chain !== null && coinOf(candidate.nativeOf) === chain.native.coingeckoId,
  );
  const [chosen, other] = meant;
  if (chosen === undefined)
    return {
      kind: 'none',
      aside: [],
      words: ['no website is known, and no source that answered lists the given address'],
    };
  if (other !== undefined) return { kind: 'ambiguous', tied: meant, why: SEVERAL_CHAINS };
  return {
    kind: 'chosen',
    chosen,
    rivals: [],
    listedInstead: [],
    aside: asideOf(judged, chosen, request),
    notes: ['no website is confirmed: the token is identified by its address alone'],
  };
}

/**
 * True when the words mean the chain's own coin: its ticker, or only the chain that it comes from. The name of another
 * chain that uses the coin (ETH on Arbitrum) is the name of that chain's project.
 */
function isCoinNamed(chain: Chain | null, { project, tokenSymbol }: ScoreRequest): boolean {
  if (chain === null) return false;
  const home = CHAINS.find(({ native }) => native.coingeckoId === chain.native.coingeckoId) ?? chain;
  const words = [chain.native.symbol, home.title, home.name].map((word) => word.toLowerCase());
  return words.includes((tokenSymbol ?? project).toLowerCase()) || words.includes(project.toLowerCase());
}

/**
 * If the next candidate's rank by market capitalisation is this many times larger, it is certain which of two tokens
 * with one name is meant.
 */
const OUTRANKS = 20;
/** Assumed rank of an asset without one: its size is not known, so that only a large asset certainly outranks it. */
const UNRANKED = 20_000;

/** True if an asset of rank `rank` is so much larger than one of rank `other` (null: unknown) that it is the one meant. */
export function isFarLarger(rank: number, other: number | null): boolean {
  return rank * OUTRANKS <= Math.min(other ?? Number.MAX_SAFE_INTEGER, UNRANKED);
}

/**
 * Chooses by name or ticker alone among the tokens that curated registries list under it: the only one, the only one
 * listed by two lineage groups unless a larger one is listed by one, or one ranked far above the others. Otherwise
 * returns the candidates, largest first. An asset whose name is only a part of the words is not chosen where another
 * has all of them as its name. Copies are never chosen.
 */
function chooseCalled(judged: readonly Judged[], request: ScoreRequest, chain: Chain | null): Choice {
  const listed = judged
    .filter(({ candidate }) => !candidate.copy && candidate.records.some((record) => record.curated))
    .filter((row) => isLocated(row) && (chain === null || isOnChain(row, chain)));
  const called = listed.filter((row) => row.name === 'same' || row.symbolFits === true);
  const listings = ({ candidate }: Judged) => onePerGroup(candidate.records.filter((record) => record.curated)).length;
  const rankOf = ({ candidate }: Judged) => candidate.rank ?? Number.MAX_SAFE_INTEGER;
  const bySize = (rows: readonly Judged[]) => [...rows].sort((a, b) => rankOf(a) - rankOf(b));
  const known = called.filter((row) => listings(row) >= 2);
  const largest = Math.min(...known.map(rankOf));
  const tied = bySize(known.length > 0 ? called.filter((row) => known.includes(row) || rankOf(row) < largest) : called);
  const [chosen, other] = tied;
  if (chosen === undefined)
    return {
      kind: 'none',
      aside: [],
      words: ['no registry that answered lists an asset of this name or ticker'],
      alike: bySize(listed.filter((row) => row.name === 'alike')),
    };
  const longer = hasExtras(request.project) ? called.filter((row) => isNamed(row, request.project)) : [];
  if (longer.length > 0 && !longer.includes(chosen))
    return { kind: 'ambiguous', tied: bySize([...new Set([...tied, ...longer])]), why: SEVERAL_NAMED };
  const isDoubtful = known.length > 0 && !known.includes(chosen);
  if (other !== undefined && (isDoubtful || !isFarLarger(rankOf(chosen), rankOf(other))))
    return { kind: 'ambiguous', tied, why: SEVERAL_NAMED };
  return {
    kind: 'chosen',
    chosen,
    rivals: [],
    listedInstead: [],
    aside: asideOf(judged, chosen, request),
    notes: other === undefined ? [] : ['several listed assets have this name or ticker; by far the largest is taken'],
  };
}

const SEVERAL_NAMED = 'registries list several assets of this name or ticker';

/** True for words that names are compared without (`DAO Maker`), which may be a part of another asset's name. */
function hasExtras(project: string): boolean {
  return plainName(project) !== project.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** True when a registry has exactly these words as the name, in whatever case. */
function isNamed({ candidate }: Judged, project: string): boolean {
  const wanted = project.trim().toLowerCase();
  return candidate.records.some(({ name }) => name?.trim().toLowerCase() === wanted);
}

function isOnChain({ candidate }: Judged, chain: Chain): boolean {
  return candidate.nativeOf === chain.name || candidate.places.some((place) => place.startsWith(`${chain.name}:`));
}

function coinOf(chain: string | null): string | null {
  return CHAINS.find((row) => row.name === chain)?.native.coingeckoId ?? null;
}

const SEVERAL_CHAINS = 'the given address is a token on several chains; send blockchain too';

/**
 * True if the token's address is known, or if a registry that lists addresses states that it has none on a supported
 * chain.
 */
function isLocated({ candidate }: Judged): boolean {
  return (
    candidate.places.length > 0 ||
    candidate.nativeOf !== null ||
    candidate.records.some((record) => JUDGES.includes(record.source))
  );
}

/** True for equal names and no less proof: handles and profiles can be copied and must not decide between the two. */
function isTwin(row: Judged, best: Judged): boolean {
  return row.proof >= best.proof && row.name === best.name && row.candidate.symbol === best.candidate.symbol;
}

function chooseGiven(
  judged: readonly Judged[],
  anchored: readonly Judged[],
  request: ScoreRequest,
  callerPlaces: readonly string[],
): Choice {
  const given = judged.filter((row) => row.candidate.places.some((place) => callerPlaces.includes(place)));
  const others = anchored.filter((row) => row.strong && !given.includes(row));
  const tied = [...given].filter((row) => row.anchored).sort(byPoints);
  const [best, second] = tied;
  if (best && second) return { kind: 'ambiguous', tied, why: SEVERAL_CHAINS };
  if (best?.strong) {
    // Bridged and wrapped copies of the token are not rivals.
    const tokens = others.filter((row) => best.candidate.copy || !row.candidate.copy);
    const rivals = tokens.filter((row) => row.name !== 'other' && row.candidate.symbol === best.candidate.symbol);
    const listedInstead = tokens.filter((row) => !rivals.includes(row) && outranks(row, best));
    return {
      kind: 'chosen',
      chosen: best,
      rivals,
      listedInstead,
      aside: asideOf(judged, best, request),
      notes: [],
    };
  }
  const hinted = best ?? given.find((row) => row.profileOnly);
  if (others.length > 0)
    return {
      kind: 'ambiguous',
      tied: [...others, ...(hinted ? [hinted] : [])].sort(byPoints),
      why: 'the website and the registries name this token, not the given address',
    };
  if (best)
    return {
      kind: 'chosen',
      chosen: best,
      rivals: [],
      listedInstead: [],
      aside: asideOf(judged, best, request),
      notes: ['only on-chain metadata, which the token’s creator writes, ties the token to the website'],
    };
  const words =
    given.length === 0
      ? ['no source that answered lists the given address as a token']
      : given.map((row) => `nothing ties ${describe(row)} to the website${elsewhereWords(row)}`);
  return { kind: 'none', aside: given.map((row) => ({ judged: row, reason: reasonOf(row) })), words };
}

/**
 * True when `other` is a rival whatever its symbol: it is listed for the domain, while `best` is only shown by the
 * landing page; or two registries list it, while a single registry lists `best` and the landing page does not show it.
 * Tokens that two registries list, or one registry and the site, count as tokens of the same project and not as rivals.
 */
function outranks(other: Judged, best: Judged): boolean {
  if (best.listedBy === 0) return other.listedBy > 0;
  return best.listedBy === 1 && !best.shown && other.listedBy > 1;
}

function answeringSymbol(anchored: readonly Judged[], symbol: string | null): readonly Judged[] {
  if (symbol === null) return anchored;
  const same = anchored.filter((row) => row.symbolFits === true);
  // A renamed token may keep its old name in one registry, while the caller uses its old symbol.
  return same.length > 0 ? same : anchored.filter((row) => row.name === 'same');
}

/**
 * Tokens with the caller's symbol that may be the project's, while nothing that replied ties them to the website: so a
 * token of the project with another symbol is not the one that is meant.
 */
function likelyBearers(judged: readonly Judged[]): readonly Judged[] {
  return judged.filter(
    (row) =>
      row.symbolFits === true &&
      row.elsewhere.length === 0 &&
      (row.anchored ||
        row.profileOnly ||
        (row.name !== 'other' && row.candidate.records.some((record) => record.curated))),
  );
}

/** Drops bridged and wrapped copies if their original is among the candidates. */
function withoutCopies(rows: readonly Judged[]): readonly Judged[] {
  const originals = rows.filter((row) => !row.candidate.copy);
  return originals.length > 0 ? originals : rows;
}

/** Prefers tokens on the caller's chain. A project whose token is on another chain is still the same project. */
function onWantedChain(rows: readonly Judged[], blockchain: string | null, notes: string[]): readonly Judged[] {
  const chain = blockchain === null ? null : findChain(blockchain);
  if (!chain || rows.length === 0) return rows;
  const there = rows.filter(
    (row) =>
      row.candidate.nativeOf === chain.name || row.candidate.places.some((place) => place.startsWith(`${chain.name}:`)),
  );
  if (there.length > 0) return there;
  notes.push(`the token has no known address on ${chain.title}`);
  return rows;
}

function nothing(judged: readonly Judged[], anchored: readonly Judged[], request: ScoreRequest): Choice {
  if (anchored.length > 0) {
    const words = anchored
      .slice(0, 5)
      .map(
        (row) =>
          `${describe(row)} is tied to the website, but its symbol is not ${request.tokenSymbol} and its name is not that of the project`,
      );
    return {
      kind: 'none',
      aside: anchored.map((row) => ({ judged: row, reason: 'another symbol and another name' })),
      words,
    };
  }
  const profiles = judged.filter((row) => row.profileOnly && row.name !== 'other');
  const likely = judged.filter((row) => row.name === 'same' && row.elsewhere.length > 0);
  const lost = judged.filter((row) => row.anchored && !isLocated(row));
  const words = [
    ...lost
      .slice(0, 3)
      .map((row) => `${describe(row)} is tied to the website, but no registry that lists its address answered`),
    ...profiles
      .slice(0, 3)
      .map((row) => `only its own market profile ties ${describe(row)} to the website; anybody can set one`),
    ...likely.slice(0, 3).map((row) => `${describe(row)} has the same name${elsewhereWords(row)}`),
  ];
  return { kind: 'none', aside: judged.map((row) => ({ judged: row, reason: reasonOf(row) })), words };
}

function asideOf(judged: readonly Judged[], best: Judged, request: ScoreRequest): readonly SetAside[] {
  return judged
    .filter((row) => row !== best)
    .map((row) => ({ judged: row, reason: row.anchored ? anchoredReason(row, best, request) : reasonOf(row) }));
}

function anchoredReason(row: Judged, best: Judged, request: ScoreRequest): string {
  if (row.symbolFits === false && request.tokenSymbol !== null)
    return `tied to the website too, but its symbol is not ${request.tokenSymbol}`;
  if (row.candidate.copy && !best.candidate.copy)
    return `a bridged or wrapped copy of ${best.candidate.symbol ?? 'the token'}`;
  return 'tied to the website too, but less closely';
}

function reasonOf(row: Judged): string {
  if (row.anchored && !isLocated(row)) return 'tied to the website, but its address is not known';
  if (row.elsewhere.length > 0) return `listed with another website${elsewhereWords(row)}`;
  if (row.links.some((link) => link.kind === 'site_shows_token'))
    return 'the website shows it, but neither its name nor its symbol is the project’s';
  if (row.profileOnly) return 'only its self-set market profile names the website';
  return 'only its name or symbol is similar; equal symbols prove nothing';
}

function elsewhereWords(row: Judged): string {
  return row.elsewhere.length > 0 ? `: registries list it with ${row.elsewhere.slice(0, 2).join(' and ')}` : '';
}

function describe({ candidate }: Judged): string {
  return `${candidate.symbol ?? candidate.name ?? 'the token'} (${candidate.key})`;
}

function byPoints(a: Judged, b: Judged): number {
  return b.points - a.points || (a.candidate.key < b.candidate.key ? -1 : 1);
}
