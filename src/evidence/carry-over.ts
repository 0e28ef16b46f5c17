import type { Carried, Observation } from '../domain/index.ts';
import {
  DAY_MS,
  type EvidenceRecord,
  QUANTITIES,
  REPLIED,
  type ResponseRecord,
  type SourceOutcome,
} from '../domain/index.ts';
import { type Assembled, sortObservations } from './assemble.ts';

/** Ages of replies, as the methodology sets them. */
interface AgeClass {
  readonly halfLifeSeconds: number;
  readonly maxAgeSeconds: number;
}

/** The part of the methodology that decides how long earlier replies count. */
interface CarryRules {
  readonly consensus: {
    readonly classes: Readonly<Record<string, AgeClass>>;
    readonly classOf: Readonly<Record<Observation['quantity'], string>>;
  };
  readonly publication: {
    readonly floor: { readonly partyControlled: readonly string[] };
    readonly replacement: {
      readonly memoryDays: number;
      readonly partyPageDays: number;
      readonly partyPageHalfLifeDays: number;
    };
  };
}

/** The part of the newest published collection of the same asset that earlier replies are taken from. */
export type PublishedEvidence = Pick<
  EvidenceRecord,
  'jobId' | 'asOf' | 'identification' | 'observations' | 'responses' | 'attributions' | 'notRedistributable' | 'purpose'
>;

/**
 * Adds replies of the previous published collection for requests that failed or could not be sent in this one. They
 * keep their original times, and count within the maximum age of their quantity. A request that got a reply takes
 * nothing from the previous collection, even if the reply states that there is no data. Pages of the rated party are
 * kept for `partyPageDays`, and their confidence falls faster. Pure; `asOf` is RFC 3339.
 */
export function carryOver(
  previous: PublishedEvidence | null,
  now: Assembled,
  asOf: string,
  identification: EvidenceRecord['identification'],
  methodology: CarryRules,
): Assembled {
  if (previous === null || previous.purpose === 'partial') return now;
  if (previous.identification.asset.id !== identification.asset.id) return now;
  const open = openQuestions(previous, now, identification, methodology);
  const byResponse = Map.groupBy(previous.observations, (observation) => observation.responseId);
  const carried: { readonly record: ResponseRecord; readonly observations: readonly Observation[] }[] = [];
  const credits = new Map<string, { failed: number; unasked: number; credit: number }>();
  for (const record of previous.responses) {
    const state = open(record);
    if (state === null) continue;
    const kept = (byResponse.get(record.id) ?? []).filter((row) => isFresh(row, asOf, methodology));
    if (kept.length === 0) continue;
    const from = record.carriedFrom ?? previous.jobId;
    // A failure in this collection already has the request's id.
    const id = record.carriedFrom === undefined ? `${record.id}@${from}` : record.id;
    carried.push({
      record: { ...record, id, carriedFrom: from, fromCache: true },
      observations: kept.map((row) => ({ ...row, responseId: id, carried: markOf(row.source, from, methodology) })),
    });
    const sum = credits.get(record.source) ?? { failed: 0, unasked: 0, credit: 0 };
    const credit = kept.reduce((total, row) => total + freshnessOf(row, asOf, methodology), 0) / kept.length;
    credits.set(record.source, { ...sum, [state]: sum[state] + 1, credit: sum.credit + credit });
  }
  if (carried.length === 0) return now;
  const names = new Set(carried.map(({ record }) => record.source));
  return {
    ...now,
    observations: sortObservations([...now.observations, ...carried.flatMap((row) => row.observations)]),
    responses: [...now.responses, ...carried.map((row) => row.record)],
    sources: now.sources.map((source): SourceOutcome => {
      const found = credits.get(source.name);
      return found ? { ...source, carried: found } : source;
    }),
    attributions: [
      ...now.attributions,
      ...previous.attributions.filter(
        ({ source }) => names.has(source) && !now.attributions.some((row) => row.source === source),
      ),
    ].sort((a, b) => (a.source < b.source ? -1 : 1)),
    notRedistributable: [
      ...new Set([...now.notRedistributable, ...previous.notRedistributable.filter((name) => names.has(name))]),
    ].sort(),
  };
}

/**
 * Whether this collection lacks a reply to the request of an earlier reply: `failed`, `unasked` (not sent), or null if
 * nothing is missing.
 */
function openQuestions(
  previous: PublishedEvidence,
  now: Assembled,
  identification: EvidenceRecord['identification'],
  methodology: CarryRules,
): (record: ResponseRecord) => 'failed' | 'unasked' | null {
  const { partyControlled } = methodology.publication.floor;
  const foreign = new Set(identification.foreignResponses);
  const asked = new Map(now.responses.map((record) => [record.id, record]));
  const answered = now.responses.filter(isAnswered);
  const answeredEndpoints = new Set(answered.map((record) => `${record.source}/${record.endpoint}`));
  const answeredSources = new Set(answered.map((record) => record.source));
  const failing = new Set(now.responses.filter((record) => !isAnswered(record)).map((record) => record.source));
  for (const source of now.sources) if (source.outcome === 'disabled') failing.add(source.name);
  const cutShort = now.responses.some((record) => record.outcome === 'deadline' || record.outcome === 'cancelled');
  const isGone = now.observations.some((row) => row.quantity === 'domain_resolves' && row.value === false);
  const sameSite = previous.identification.registrableDomain === identification.registrableDomain;
  return (record) => {
    const id = questionOf(record);
    const party = partyControlled.includes(record.source);
    if (!REPLIED.has(record.outcome) || foreign.has(id) || (party && (isGone || !sameSite))) return null;
    const again = asked.get(id);
    if (again) return isAnswered(again) ? null : 'failed';
    // A page that a working site no longer links to was removed by the site, so its earlier reply is not used.
    const gone = party
      ? answeredSources.has(record.source)
      : answeredEndpoints.has(`${record.source}/${record.endpoint}`);
    return !gone && (cutShort || failing.has(record.source)) ? 'unasked' : null;
  };
}

/**
 * True if the source itself replied: with data, that the subject is gone (410), or that it does not support the
 * request.
 */
function isAnswered({ outcome, status }: ResponseRecord): boolean {
  return REPLIED.has(outcome) || outcome === 'unsupported' || status === 410;
}

/** Id of the request of a reply, without the suffix of a carried one. */
function questionOf({ id, carriedFrom }: ResponseRecord): string {
  return carriedFrom === undefined ? id : id.slice(0, id.lastIndexOf('@'));
}

function classOf({ quantity }: Observation, methodology: CarryRules): AgeClass | undefined {
  return methodology.consensus.classes[methodology.consensus.classOf[quantity]];
}

function isFresh(row: Observation, asOf: string, methodology: CarryRules): boolean {
  const { memoryDays, partyPageDays } = methodology.publication.replacement;
  const isParty = methodology.publication.floor.partyControlled.includes(row.source);
  const observedFor = Date.parse(asOf) - Date.parse(row.observedAt);
  const readFor = Date.parse(asOf) - Date.parse(row.fetchedAt);
  const longest = (isParty ? partyPageDays : memoryDays) * DAY_MS;
  return observedFor <= (classOf(row, methodology)?.maxAgeSeconds ?? 0) * 1000 && readFor <= longest;
}

/** Weight of an earlier reply relative to a current one, 0-1. Dates keep their full weight. */
function freshnessOf(row: Observation, asOf: string, methodology: CarryRules): number {
  const halfLife = classOf(row, methodology)?.halfLifeSeconds ?? 1;
  if (QUANTITIES[row.quantity].kind === 'date') return 1;
  return 2 ** (-Math.max(0, Date.parse(asOf) - Date.parse(row.observedAt)) / 1000 / halfLife);
}

function markOf(source: string, jobId: string, methodology: CarryRules): Carried {
  const { partyPageHalfLifeDays } = methodology.publication.replacement;
  return methodology.publication.floor.partyControlled.includes(source)
    ? { jobId, confidenceHalfLifeSeconds: (partyPageHalfLifeDays * DAY_MS) / 1000 }
    : { jobId };
}
