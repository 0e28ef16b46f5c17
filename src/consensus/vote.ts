import type { Consensus, Json, QuantityId } from '../domain/index.ts';
import type { Methodology, QuantityClass } from '../methodology/index.ts';
import { publish, REGISTER_FAMILY } from './confidence.ts';
import { confidenceParts } from './numeric.ts';
import { onePerLineageGroup, type WeighedObservation } from './weighed-observation.ts';

/**
 * Enums and booleans: lineage groups vote with their weight. A chain read outvotes all others (it is the state itself). The
 * losing votes stay visible as `outlier`; agreement is the winner's share of the weight. On a tie, also one
 * between two readings of the chain, the adverse value is taken and the status is `disputed`.
 */
export function voteConsensus(
  quantity: QuantityId,
  scope: string,
  weighed: readonly WeighedObservation[],
  parameters: QuantityClass,
  methodology: Methodology,
): Consensus {
  const collapsed = onePerLineageGroup(
    weighed.map((entry) =>
      entry.rejected === null && !isVotable(entry.observation.value)
        ? { ...entry, rejected: 'malformed_value' as const }
        : entry,
    ),
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
  const judged = collapsed.map((entry) =>
    entry.rejected === null && entry.observation.value !== winner ? { ...entry, rejected: 'outlier' as const } : entry,
  );
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
    : eligible.length === 1 && !authoritative && eligible[0]?.observation.family !== REGISTER_FAMILY
      ? rules.singleSourceConfidenceCap
      : 1;
  const status =
    eligible.length === 0 ? 'missing' : disputed ? 'disputed' : eligible.length === 1 ? 'single_source' : 'agreed';
  return publish({
    quantity,
    scope,
    value: winner,
    low: null,
    high: null,
    parts,
    status,
    dispersion: 0,
    effective: parts.effective,
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
/** States from the worst to the best; what is not listed stands in between. */
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

/** How bad a value is: larger is worse. */
function adversity(quantity: QuantityId, value: Json): number {
  if (typeof value === 'boolean') return value === GOOD_WHEN_TRUE.has(quantity) ? 0 : 1;
  if (value === 'none' && ABSENCE_IS_BAD.has(quantity)) return 2;
  if (BEST.has(String(value))) return 0;
  const at = WORST_FIRST.indexOf(String(value));
  return at < 0 ? 1 : 10 - at;
}
