import type { Asset } from '../domain/asset.ts';
import type { Identification, ScoreRequest } from '../domain/identification.ts';
import type { Methodology } from '../methodology/types.ts';
import type { Asker } from '../sources/asker.ts';
import { assetOf, keysOf } from './asset-of.ts';
import { foldRecords } from './candidates.ts';
import { type Choice, choose, type SetAside } from './choose.ts';
import { contradictionsOf } from './contradictions.ts';
import { type Gathered, gather } from './gather.ts';
import { type Judged, judge, matchOf } from './match.ts';
import { identifyProject } from './project.ts';
import type { NotAsked } from './questions.ts';
import { recordKey } from './record.ts';
import { repositoryTie } from './repository-tie.ts';

export type IdentityResult =
  | { readonly ok: true; readonly identification: Identification }
  | {
      readonly ok: false;
      readonly kind: 'ambiguous';
      readonly candidates: readonly { readonly asset: Asset; readonly match: number; readonly why: string }[];
    }
  | { readonly ok: false; readonly kind: 'not_identified'; readonly tried: readonly string[] }
  | { readonly ok: false; readonly kind: 'unreachable'; readonly tried: readonly string[] }
  /** Registries were not asked because a request budget is spent: whose the project is cannot be said now. */
  | {
      readonly ok: false;
      readonly kind: 'busy';
      readonly sources: readonly string[];
      /** Seconds until the first of them can be asked again; null when nobody knows. */
      readonly retryAfterSeconds: number | null;
      readonly tried: readonly string[];
    };

const MOST_CANDIDATES = 10;
const MOST_REJECTED = 20;

/**
 * Finds the token of a project from its name and website (and symbol, chain, address when the caller knows them), with the
 * proof that ties them: M of methodology 2.1. A token is the project's only when the website, a curated listing or on-chain
 * metadata tie it to the url's registrable domain; otherwise the answer is that it is not known. Survives any source
 * failing; the same replies give the same answer in whatever order they come.
 */
export async function identify(request: ScoreRequest, asker: Asker, methodology: Methodology): Promise<IdentityResult> {
  for (let round = 1; ; round += 1) {
    const gathered = await gather(request, asker);
    const { questions } = gathered;
    const result = await decide(request, asker, methodology, gathered);
    const isKnown = result.ok && (result.identification.stage === 'post_tge' || isPreTge(request));
    const notAsked = questions.notAsked();
    if (isKnown) return result;
    // A question that waits for its turn at a busy source, or is slow, is waited for before the answer is that nothing is known.
    if (round < MOST_ROUNDS && !asker.signal.aborted && (await questions.late())) continue;
    return notAsked.length === 0 ? result : busy(notAsked, questions.tried());
  }
}

/** Rounds of asking: each asks the same questions, of which those that were answered in time cost nothing. */
const MOST_ROUNDS = 3;

function busy(notAsked: readonly NotAsked[], tried: readonly string[]): IdentityResult {
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

async function decide(
  request: ScoreRequest,
  asker: Asker,
  methodology: Methodology,
  gathered: Gathered,
): Promise<IdentityResult> {
  const { questions } = gathered;
  if (!questions.anyWitness()) return { ok: false, kind: 'unreachable', tried: questions.tried() };
  const now = asker.now();
  const judged = foldRecords(gathered.records).map((candidate) => judge(candidate, request, gathered, methodology));
  const choice = choose(judged, request, gathered.callerPlaces);
  const preTge = isPreTge(request);
  if (choice.kind === 'chosen' && !preTge)
    return { ok: true, identification: withToken(choice, request, gathered, methodology, now) };
  if (choice.kind === 'ambiguous' && !preTge)
    return ambiguous(choice.tied, choice.why, request, gathered, methodology, now);
  const tie = preTge || gathered.protocols.some((row) => row.token === null) ? await repositoryTie(gathered) : null;
  const project = identifyProject(request, gathered, methodology, now, rejectedOf(choice, request, gathered), tie);
  // Whoever asks for the model without a token does not make the token go away.
  if (project.ok && choice.kind === 'chosen')
    return {
      ok: true,
      identification: { ...project.identification, ownToken: assetOf(choice.chosen.candidate, request, gathered) },
    };
  if (project.ok) return project;
  const words = choice.kind === 'none' ? choice.words : [];
  return { ok: false, kind: 'not_identified', tried: [...project.words, ...words, ...questions.tried()] };
}

function withToken(
  choice: Extract<Choice, { kind: 'chosen' }>,
  request: ScoreRequest,
  gathered: Gathered,
  methodology: Methodology,
  now: string,
): Identification {
  const { chosen, rivals } = choice;
  const contradictions = contradictionsOf(chosen, rivals, gathered, methodology, now);
  const asset = assetOf(chosen.candidate, request, gathered);
  return {
    asset,
    stage: 'post_tge',
    registrableDomain: gathered.site.domain,
    keys: keysOf(chosen.candidate, gathered),
    match: matchOf(chosen.links, contradictions),
    links: chosen.links,
    contradictions,
    rejected: rejectedOf(choice, request, gathered),
    notes: [...choice.notes, ...notesOf(chosen, asset)],
    foreignResponses: foreignTo(chosen, gathered),
  };
}

function ambiguous(
  tied: readonly Judged[],
  why: string,
  request: ScoreRequest,
  gathered: Gathered,
  methodology: Methodology,
  now: string,
): IdentityResult {
  const candidates = tied.slice(0, MOST_CANDIDATES).map((row) => {
    const rivals = tied.filter((other) => other !== row && other.strong);
    const match = matchOf(row.links, contradictionsOf(row, rivals, gathered, methodology, now));
    const proof = row.links.map((link) => link.detail).join('; ');
    return {
      asset: assetOf(row.candidate, request, gathered),
      match,
      why: proof === '' ? why : `${why}: ${proof}`.slice(0, 400),
    };
  });
  return { ok: false, kind: 'ambiguous', candidates };
}

function rejectedOf(choice: Choice, request: ScoreRequest, gathered: Gathered): Identification['rejected'] {
  const aside: readonly SetAside[] =
    choice.kind === 'ambiguous' ? choice.tied.map((judged) => ({ judged, reason: choice.why })) : choice.aside;
  return aside.slice(0, MOST_REJECTED).map(({ judged, reason }) => ({
    asset: { ...assetOf(judged.candidate, request, gathered), website: null },
    reason,
  }));
}

function notesOf({ candidate, name }: Judged, asset: Asset): readonly string[] {
  return [
    ...(asset.chain === null
      ? ['the token lives on no chain covered here; registries and markets by id are the only sources']
      : []),
    ...(name === 'other'
      ? [
          `the registries call it ${candidate.name ?? candidate.symbol ?? 'otherwise'}; the website ties it to the project`,
        ]
      : []),
    ...(candidate.places.length > 1 ? [`deployed on ${candidate.places.length} chains covered here; one asset`] : []),
  ];
}

/** Replies about other tokens, read on the way: nothing they say may count for this one. */
function foreignTo({ candidate }: Judged, gathered: Gathered): readonly string[] {
  const own = new Set(candidate.records.map(recordKey));
  const records = gathered.records.filter((record) => record.responseId !== null && !own.has(recordKey(record)));
  const metadata = [...gathered.metadata].filter(([place]) => !candidate.places.includes(place));
  const ids = [...records.map((record) => record.responseId), ...metadata.map(([, row]) => row.responseId)];
  return [...new Set(ids.filter((id) => id !== null))].sort();
}
