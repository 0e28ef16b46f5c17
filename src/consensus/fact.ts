import { type Consensus, DAY_MS, type Json, QUANTITIES, type QuantityId, TIER_ORDER } from '../domain/index.ts';
import type { Methodology, QuantityClass } from '../methodology/index.ts';
import {
  confidenceParts,
  onePerLineageGroup,
  publish,
  REGISTER_GROUP,
  rejecting,
  stable,
  statusOf,
  type WeighedObservation,
} from './weighed-observation.ts';

/**
 * Texts and lists: the value of the observation with the highest tier, among these the freshest. All observations stay
 * in the result.
 */
export function factConsensus(
  quantity: QuantityId,
  scope: string,
  weighed: readonly WeighedObservation[],
  methodology: Methodology,
): Consensus {
  const collapsed = onePerLineageGroup(weighed);
  const accepted = collapsed.filter((entry) => entry.rejected === null);
  let first = accepted[0];
  for (const entry of accepted) if (first && nearest(entry, first) < 0) first = entry;
  const agreement = QUANTITIES[quantity].kind === 'text' ? sameShare(accepted, first) : 1;
  const parts = confidenceParts(accepted, agreement, methodology);
  const disputed = agreement < methodology.consensus.disputeMajority;
  const confidenceCap =
    accepted.length === 1 && first?.observation.tier !== 'chain' && first?.observation.family !== REGISTER_GROUP
      ? methodology.consensus.singleSourceConfidenceCap
      : 1;
  return publish({
    quantity,
    scope,
    value: first?.observation.value ?? null,
    parts,
    status: statusOf(accepted.length, disputed),
    weighed: collapsed,
    confidenceCap,
  });
}

const LATEST_WINS: ReadonlySet<QuantityId> = new Set([
  'last_commit_at',
  'attestation_at',
  'audit_latest_at',
  'tls_not_before',
  'domain_expires_at',
  'chain_head_at',
]);

/**
 * Dates: the earliest credible one, since nothing is younger than its first trace, or the latest for "newest" dates.
 * Agreement falls slowly with the distance of the other lineage groups in units of the noise floor (days): registries
 * list an asset late, so a distance is not a contradiction.
 */
export function dateConsensus(
  quantity: QuantityId,
  scope: string,
  weighed: readonly WeighedObservation[],
  noiseDays: number,
  methodology: Methodology,
): Consensus {
  const collapsed = onePerLineageGroup(rejecting(weighed, 'malformed_value', (entry) => !isDate(quantity, entry)));
  const accepted = collapsed.filter((entry) => entry.rejected === null);
  const times = accepted.map((entry) => Date.parse(String(entry.observation.value))).sort((a, b) => a - b);
  const chosen = LATEST_WINS.has(quantity) ? times.at(-1) : times[0];
  const range = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / DAY_MS;
  const agreement = 1 / (1 + (range / (methodology.consensus.dateNoiseMultiple * noiseDays)) ** 2);
  // A date does not become outdated with the time since it was recorded.
  const parts = { ...confidenceParts(accepted, agreement, methodology), freshness: accepted.length > 0 ? 1 : 0 };
  return publish({
    quantity,
    scope,
    value: chosen === undefined ? null : new Date(chosen).toISOString(),
    parts,
    status: statusOf(accepted.length, false),
    dispersion: range,
    weighed: collapsed,
    confidenceCap: 1,
  });
}

/** Dates that may lie in the future. */
const MAY_LIE_AHEAD: ReadonlySet<QuantityId> = new Set(['domain_expires_at', 'lp_unlock_at']);

/** The first internet domains date from 1985; earlier dates are errors. */
const FIRST_DOMAINS = Date.parse('1985-01-01T00:00:00Z');

function isDate(quantity: QuantityId, entry: WeighedObservation): boolean {
  const { value, fetchedAt } = entry.observation;
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at) || at <= FIRST_DOMAINS) return false;
  return MAY_LIE_AHEAD.has(quantity) || at <= Date.parse(fetchedAt) + DAY_MS;
}

function nearest(a: WeighedObservation, b: WeighedObservation): number {
  const tier = TIER_ORDER.indexOf(a.observation.tier) - TIER_ORDER.indexOf(b.observation.tier);
  if (tier !== 0) return tier;
  if (a.freshness !== b.freshness) return b.freshness - a.freshness;
  return stable(a.observation, b.observation);
}

/** Share of the weight with the same text, ignoring case; observations that contradict it do not add to its support. */
function sameShare(accepted: readonly WeighedObservation[], first: WeighedObservation | undefined): number {
  const textOf = (entry: WeighedObservation | undefined) => String(entry?.observation.value).toLowerCase();
  const chosen = textOf(first);
  let [total, same] = [0, 0];
  for (const entry of accepted) {
    total += entry.weight;
    if (entry === first || textOf(entry) === chosen) same += entry.weight;
  }
  return total === 0 ? 0 : same / total;
}

/**
 * Enums and booleans: lineage groups vote with their weight. A chain read outvotes all other sources, because it reads
 * the state itself. Losing votes are kept as `outlier`; agreement is the winner's share of the weight. On a tie, also
 * between two chain reads, the adverse value is used and the status is `disputed`.
 */
export function voteConsensus(
  quantity: QuantityId,
  scope: string,
  weighed: readonly WeighedObservation[],
  parameters: QuantityClass,
  methodology: Methodology,
): Consensus {
  const collapsed = onePerLineageGroup(
    rejecting(weighed, 'malformed_value', (entry) => !isVotable(entry.observation.value)),
  );
  const eligible = collapsed.filter((entry) => entry.rejected === null);
  const authoritative =
    parameters.authoritativeTier === 'chain' && eligible.some((entry) => entry.observation.tier === 'chain');
  const electorate = authoritative ? eligible.filter((entry) => entry.observation.tier === 'chain') : eligible;
  const weightOf = new Map<Json, number>();
  for (const entry of electorate)
    weightOf.set(entry.observation.value, (weightOf.get(entry.observation.value) ?? 0) + entry.weight);
  const ranked = [...weightOf].sort(([a, x], [b, y]) =>
    Math.abs(x - y) > 1e-9
      ? y - x
      : adversity(quantity, b) - adversity(quantity, a) || (String(a) < String(b) ? -1 : 1),
  );
  const winner = ranked[0]?.[0] ?? null;
  const judged = rejecting(collapsed, 'outlier', (entry) => entry.observation.value !== winner);
  const accepted = judged.filter((entry) => entry.rejected === null);
  const rules = methodology.consensus;
  const total = eligible.reduce((sum, entry) => sum + entry.weight, 0);
  const won = accepted.reduce((sum, entry) => sum + entry.weight, 0);
  // Scanners cannot outvote a chain read; disagreement lowers the agreement a little.
  const share = total === 0 ? 0 : won / total;
  const agreement = authoritative ? rules.chainAgreement + (1 - rules.chainAgreement) * share : share;
  const parts = confidenceParts(accepted, agreement, methodology, authoritative);
  const electors = electorate.reduce((sum, entry) => sum + entry.weight, 0);
  const split = electors > 0 && (ranked[0]?.[1] ?? 0) / electors < rules.disputeMajority;
  const disputed = split || (!authoritative && accepted.length < eligible.length && share < rules.disputeMajority);
  const confidenceCap = disputed
    ? rules.disputedConfidenceCap
    : eligible.length === 1 && !authoritative && eligible[0]?.observation.family !== REGISTER_GROUP
      ? rules.singleSourceConfidenceCap
      : 1;
  return publish({
    quantity,
    scope,
    value: winner,
    parts,
    status: statusOf(eligible.length, disputed),
    weighed: judged,
    confidenceCap,
  });
}

function isVotable(value: Json): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && value.length > 0 && value.length <= 64);
}

/** Booleans for which `true` is favourable; for all others it is adverse. */
const GOOD_WHEN_TRUE: ReadonlySet<QuantityId> = new Set([
  'source_verified',
  'tls_valid',
  'site_up',
  'lp_locker_known',
  'dnssec',
  'mx_present',
  'domain_resolves',
  'security_txt',
  'max_supply_unlimited',
]);
/** States from the worst to the best; states that are not listed are in between. */
const WORST_FIRST: readonly string[] = ['eoa', 'anonymous', 'contract', 'multisig'];
const BEST: ReadonlySet<string> = new Set([
  'none',
  'immutable',
  'named_verifiable',
  'monthly_by_firm',
  'open',
  'reject',
]);
const ABSENCE_IS_BAD: ReadonlySet<QuantityId> = new Set([
  'reserve_attestation_state',
  'redemption_route_state',
  'dmarc_policy',
]);

/** Adversity of a value: larger is worse. */
function adversity(quantity: QuantityId, value: Json): number {
  if (typeof value === 'boolean') return value === GOOD_WHEN_TRUE.has(quantity) ? 0 : 1;
  if (value === 'none' && ABSENCE_IS_BAD.has(quantity)) return 2;
  if (BEST.has(String(value))) return 0;
  const at = WORST_FIRST.indexOf(String(value));
  return at < 0 ? 1 : 10 - at;
}
