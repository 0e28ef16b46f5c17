import type { Consensus } from '../domain/index.ts';
import { DAY_MS, QUANTITIES, type QuantityId, TIER_ORDER } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { publish, REGISTER_FAMILY } from './confidence.ts';
import { confidenceParts } from './numeric.ts';
import { onePerLineageGroup, stable, type WeighedObservation } from './weighed-observation.ts';

/** Texts and lists: the value is that of the observation with the highest tier, then the freshest; all observations stay listed. */
export function factConsensus(
  quantity: QuantityId,
  scope: string,
  weighed: readonly WeighedObservation[],
  methodology: Methodology,
): Consensus {
  const collapsed = onePerLineageGroup(weighed);
  const accepted = collapsed.filter((entry) => entry.rejected === null);
  const [first] = [...accepted].sort(nearest);
  const agreement = QUANTITIES[quantity].kind === 'text' ? sameShare(accepted, first) : 1;
  const parts = confidenceParts(accepted, agreement, methodology);
  const disputed = agreement < methodology.consensus.disputeMajority;
  const status =
    accepted.length === 0 ? 'missing' : disputed ? 'disputed' : accepted.length === 1 ? 'single_source' : 'agreed';
  const confidenceCap =
    accepted.length === 1 && first?.observation.tier !== 'chain' && first?.observation.family !== REGISTER_FAMILY
      ? methodology.consensus.singleSourceConfidenceCap
      : 1;
  return publish({
    quantity,
    scope,
    value: first?.observation.value ?? null,
    low: null,
    high: null,
    parts,
    status,
    dispersion: 0,
    effective: parts.effective,
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
 * Dates: the earliest credible one (a thing cannot be younger than its first trace), or the latest for "newest" dates.
 * Agreement falls with the distance of the other lineage groups, measured against the noise floor in days, gently: registries
 * list late, so that is no contradiction.
 */
export function dateConsensus(
  quantity: QuantityId,
  scope: string,
  weighed: readonly WeighedObservation[],
  noiseDays: number,
  methodology: Methodology,
): Consensus {
  const dated = weighed.map((entry) =>
    entry.rejected === null && !isDate(quantity, entry) ? { ...entry, rejected: 'malformed_value' as const } : entry,
  );
  const collapsed = onePerLineageGroup(dated);
  const accepted = collapsed.filter((entry) => entry.rejected === null);
  const times = accepted.map((entry) => Date.parse(String(entry.observation.value))).sort((a, b) => a - b);
  const chosen = LATEST_WINS.has(quantity) ? times.at(-1) : times[0];
  const range = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / DAY_MS;
  const agreement = 1 / (1 + (range / (methodology.consensus.dateNoiseMultiple * noiseDays)) ** 2);
  // A date once true stays true: how long ago it was written down does not make it staler.
  const parts = { ...confidenceParts(accepted, agreement, methodology), freshness: accepted.length > 0 ? 1 : 0 };
  const status = accepted.length === 0 ? 'missing' : accepted.length === 1 ? 'single_source' : 'agreed';
  return publish({
    quantity,
    scope,
    value: chosen === undefined ? null : new Date(chosen).toISOString(),
    low: null,
    high: null,
    parts,
    status,
    dispersion: range,
    effective: parts.effective,
    weighed: collapsed,
    confidenceCap: 1,
  });
}

/** Dates that may lie in the future. */
const MAY_LIE_AHEAD: ReadonlySet<QuantityId> = new Set(['domain_expires_at', 'lp_unlock_at']);

function isDate(quantity: QuantityId, entry: WeighedObservation): boolean {
  const { value, fetchedAt } = entry.observation;
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  // Nothing in this field is older than its first domains.
  if (Number.isNaN(at) || at <= Date.parse('1985-01-01T00:00:00Z')) return false;
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
  const text = (entry: WeighedObservation | undefined) => String(entry?.observation.value).toLowerCase();
  const total = accepted.reduce((sum, entry) => sum + entry.weight, 0);
  const same = accepted.filter((entry) => text(entry) === text(first)).reduce((sum, entry) => sum + entry.weight, 0);
  return total === 0 ? 0 : same / total;
}
