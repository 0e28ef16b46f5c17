import {
  ALL_FACTOR_CODES,
  type Band,
  type CanonicalRecord,
  type Category,
  type ConsensusSet,
  type Driver,
  describesReply,
  type Factor,
  type PendingWebsite,
  type PublicationState,
  type PublishedRating,
  type Rating,
  type RecordChange,
  type Sourced,
  sourceFor,
  sourcesFor,
} from '../domain/index.ts';
import { type PublicationRules, toScore } from '../methodology/index.ts';
import { daysBetween, isRevised } from './facts.ts';

/**
 * Changes of the score, in points that add up exactly: factors (points relative to the prior), then caps, then default;
 * `STAGE` when the prior itself changed.
 */
export function driversOf(
  last: PublicationState['last'],
  now: {
    readonly score: number | null;
    readonly uncapped: number | null;
    readonly capped: number | null;
    readonly factors: readonly Factor[];
  },
  rules: PublicationRules,
): readonly Driver[] {
  const { score, uncapped, capped } = now;
  if (score === null || last.score === null) return [];
  if (uncapped === null || capped === null || last.uncappedScore === null || last.capped === null)
    return defaulted(toScore(score - last.score));
  const drivers: Driver[] = [];
  let explained = 0;
  for (const code of ALL_FACTOR_CODES) {
    const factor = now.factors.find((one) => one.code === code);
    const [before, after] = [last.points[code] ?? 0, factor?.points ?? 0];
    const points = toScore(after - before);
    explained = toScore(explained + points);
    if (points !== 0)
      drivers.push({
        code,
        name: factor?.name ?? code,
        points,
        detail: movedFrom(last.factors[code], factor, points, rules),
      });
  }
  const rest = toScore(uncapped - last.uncappedScore - explained);
  if (rest !== 0) drivers.push({ code: 'STAGE', name: 'model', points: rest, detail: 'another model or prior' });
  const caps = toScore(capped - uncapped - (last.capped - last.uncappedScore));
  if (caps !== 0)
    drivers.push({
      code: 'CAP',
      name: 'caps',
      points: caps,
      detail: caps < 0 ? 'a cap binds more' : 'a cap binds less',
    });
  const others = toScore(score - capped - (last.score - last.capped));
  if (others !== 0)
    drivers.push({
      code: 'DEFAULT',
      name:
        rules.floor.limits !== undefined
          ? 'default, caps that fade and limits of the evidence'
          : 'default and caps that fade',
      points: others,
      detail: others < 0 ? 'held down' : 'released',
    });
  return drivers;
}

/** Used when one of the two ratings was in default without a score of its own. */
function defaulted(points: number): readonly Driver[] {
  if (points === 0) return [];
  return [{ code: 'DEFAULT', name: 'default', points, detail: points < 0 ? 'it defaulted' : 'it is rated again' }];
}

/**
 * What became of a factor that moved the score by `points`. Scores that round to the same number are written more
 * exactly, where their difference explains the points.
 */
function movedFrom(
  before: number | undefined,
  factor: Factor | undefined,
  points: number,
  rules: PublicationRules,
): string {
  const [from, to] = [shown(before), shown(factor?.score)];
  if (!isRevised(rules, 4) || from !== to || before === undefined || factor === undefined)
    return `${from} to ${to} of 100`;
  const [exactly, now] = [before.toFixed(2), factor.score.toFixed(2)];
  return exactly !== now && toScore(factor.weight * (factor.score - before)) === points
    ? `${exactly} to ${now} of 100`
    : `${to} of 100 as before; its weight or the starting point is another`;
}

function shown(score: number | undefined): string {
  return score === undefined ? 'not known' : String(toScore(score));
}

const MOST_CONFLICTS = 20;

/** Quantities on which sources contradict each other, with the names of these sources. */
export function conflictsOf(consensus: ConsensusSet, rules: PublicationRules): PublishedRating['conflicts'] {
  return Object.values(consensus)
    .filter(({ quantity }) => !isRevised(rules, 3) || !describesReply(quantity))
    .filter((row) => row.scope === 'asset' && (row.status === 'disputed' || row.voices.some(isOutvoted)))
    .map((row) => ({
      quantity: row.quantity,
      detail:
        row.status === 'disputed'
          ? `no agreement among ${names(row.voices)}`
          : `outvoted: ${names(row.voices.filter(isOutvoted))}`,
    }))
    .sort((a, b) => (a.quantity < b.quantity ? -1 : 1))
    .slice(0, MOST_CONFLICTS);
}

function isOutvoted(voice: ConsensusSet[string]['voices'][number]): boolean {
  return voice.reason === 'outlier' || voice.reason === 'unit_mismatch';
}

function names(voices: ConsensusSet[string]['voices']): string {
  return [...new Set(voices.map((voice) => voice.source))].sort().join(', ');
}

/** The rating with an issuer's powers treated like those of any other holder. */
export interface TechnicalView {
  readonly score: number | null;
  readonly band: Band;
}

const KINDS: Partial<Record<Category, NonNullable<PublishedRating['issuerControl']>['kind']>> = {
  stablecoin: 'stablecoin',
  lst_wrapped: 'wrapped',
  rwa: 'tokenised_asset',
};

/** Marks assets whose issuer may mint, freeze or take back by design, and adds the technical view; null for others. */
export function issuerControlOf(rating: Rating, technical: TechnicalView | null): PublishedRating['issuerControl'] {
  const kind = KINDS[rating.category];
  if (kind === undefined || technical === null) return null;
  return { kind, technicalScore: technical.score, technicalBand: technical.band };
}

export interface EvolvedRecord {
  readonly record: CanonicalRecord;
  readonly changes: readonly RecordChange[];
  /** A website that is named but not yet confirmed; null: none. */
  readonly pendingWebsite: PendingWebsite | null;
}

/**
 * The canonical record after one more collection. A field that no source states this time keeps its value, and an
 * unchanged field keeps the time since which it has that value. Another website takes effect when enough sources name
 * it, or when it is named again after the time in `publication.record`; until then the previous one remains. Pure.
 */
export function evolveRecord(
  previous: CanonicalRecord,
  pending: PendingWebsite | null,
  found: CanonicalRecord,
  asOf: string,
  rules: PublicationRules,
): EvolvedRecord {
  const name = nextWord(previous.name, found.name, asOf, rules);
  const symbol = nextWord(previous.symbol, found.symbol, asOf, rules);
  const { website, pendingWebsite } = nextWebsite(previous.website, pending, found.website, asOf, rules);
  const categories = nextList(previous.categories, found.categories, asOf);
  const changes = (
    [
      ['name', previous.name.value, name],
      ['symbol', previous.symbol.value, symbol],
      ['website', previous.website.value, website],
    ] as const
  ).flatMap(([field, from, now]): readonly RecordChange[] =>
    from === now.value ? [] : [{ field, from, to: now.value, sources: now.sources }],
  );
  const links = nextList(previous.links, found.links, asOf);
  return { record: { ...found, name, symbol, website, categories, links }, changes, pendingWebsite };
}

/** Changes listed as reasons in "what moved it". Their effects are part of the factors' points. */
export function recordDrivers(changes: readonly RecordChange[]): readonly Driver[] {
  return changes.map(({ field, from, to, sources }) => ({
    code: 'RECORD',
    name: field,
    points: 0,
    detail: `${field} from ${from ?? 'none'} to ${to ?? 'none'}${sources.length === 0 ? '' : ` (${sources.join(', ')})`}`,
  }));
}

function next<Value extends string | null>(before: Sourced<Value>, now: Sourced<Value>, asOf: string): Sourced<Value> {
  if (now.value === null || now.sources.length === 0) return before;
  return { ...now, since: now.value === before.value ? before.since : asOf };
}

/**
 * A name or a symbol. From revision 3 on, another one takes effect if as many registries state it as a changed website
 * needs, or if all that stated the earlier one do: otherwise one registry that is wrong would rename an asset while the
 * others are silent.
 */
function nextWord<Value extends string | null>(
  before: Sourced<Value>,
  now: Sourced<Value>,
  asOf: string,
  rules: PublicationRules,
): Sourced<Value> {
  const isOther = before.value !== null && now.value !== before.value;
  const isStated =
    now.sources.filter(isWitness).length >= rules.record.websiteSources ||
    before.sources.filter(isWitness).every((name) => now.sources.includes(name));
  return isOther && !isStated && isRevised(rules, 3) ? before : next(before, now, asOf);
}

/** A list from fewer of the same sources counts as an incompletely read version of the old list, which is kept. */
function nextList(
  before: Sourced<readonly string[]>,
  now: Sourced<readonly string[]>,
  asOf: string,
): Sourced<readonly string[]> {
  const isPart =
    now.sources.length < before.sources.length && now.sources.every((name) => before.sources.includes(name));
  if (now.value.length === 0 || isPart) return before;
  const same = now.value.length === before.value.length && now.value.every((one, index) => one === before.value[index]);
  return { ...now, since: same ? before.since : asOf };
}

const WITNESSES: ReadonlySet<string> = new Set([...sourcesFor('project_links'), 'chain']);

/** True for all sources besides the site. */
function isOther(source: string): boolean {
  return source !== sourceFor('site');
}

/**
 * True for registries and on-chain metadata. The site itself cannot prove that it belongs to the project, and anybody
 * can buy a profile at a market index.
 */
function isWitness(source: string): boolean {
  return WITNESSES.has(source);
}

function nextWebsite(
  before: Sourced<string | null>,
  pending: PendingWebsite | null,
  now: Sourced<string | null>,
  asOf: string,
  rules: PublicationRules,
): { readonly website: Sourced<string | null>; readonly pendingWebsite: PendingWebsite | null } {
  if (now.value === null) return { website: before, pendingWebsite: pending };
  if (now.value === before.value || before.value === null)
    return { website: next(before, now, asOf), pendingWebsite: null };
  const counts = isRevised(rules) ? isWitness : isOther;
  const [witnesses, earlier] = [now.sources.filter(counts), before.sources.filter(counts)];
  const since = pending?.value === now.value ? pending.since : asOf;
  // What no registry names does not replace what one named.
  const isAsGood = !isRevised(rules) || witnesses.length > 0 || earlier.length === 0;
  const { websiteSources, websiteDays } = rules.record;
  const isConfirmed = witnesses.length >= websiteSources || (isAsGood && daysBetween(since, asOf) >= websiteDays);
  return isConfirmed
    ? { website: { ...now, since: asOf }, pendingWebsite: null }
    : { website: before, pendingWebsite: { value: now.value, since, sources: now.sources } };
}
