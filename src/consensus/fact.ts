import type { Consensus } from '../domain/consensus.ts';
import { TIER_ORDER } from '../domain/observation.ts';
import { QUANTITIES, type QuantityId } from '../domain/quantities.ts';
import { DAY_MS } from '../domain/time.ts';
import type { Methodology } from '../methodology/types.ts';
import { confidenceParts } from './numeric.ts';
import { publish } from './publish.ts';
import { collapseFamilies, stable, type Voice } from './voice.ts';

/** Texts and lists: the voice nearest to the thing, then the freshest, is the value; all voices stay listed. */
export function factConsensus(
  quantity: QuantityId,
  scope: string,
  voices: readonly Voice[],
  methodology: Methodology,
): Consensus {
  const collapsed = collapseFamilies(voices);
  const speaking = collapsed.filter((voice) => voice.rejected === null);
  const [first] = [...speaking].sort(nearest);
  const agreement = QUANTITIES[quantity].kind === 'text' ? sameShare(speaking, first) : 1;
  const parts = confidenceParts(speaking, agreement, methodology);
  const disputed = agreement < 2 / 3;
  const status =
    speaking.length === 0 ? 'missing' : disputed ? 'disputed' : speaking.length === 1 ? 'single_source' : 'agreed';
  const confidenceCap =
    speaking.length === 1 && first?.observation.tier !== 'chain' ? methodology.consensus.singleSourceConfidenceCap : 1;
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
    voices: collapsed,
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
 * Agreement falls with the distance of the other families, measured against the noise floor in days, gently: registries
 * list late, which is no contradiction.
 */
export function dateConsensus(
  quantity: QuantityId,
  scope: string,
  voices: readonly Voice[],
  noiseDays: number,
  methodology: Methodology,
): Consensus {
  const dated = voices.map((voice) =>
    voice.rejected === null && !isDate(quantity, voice) ? { ...voice, rejected: 'malformed_value' as const } : voice,
  );
  const collapsed = collapseFamilies(dated);
  const speaking = collapsed.filter((voice) => voice.rejected === null);
  const times = speaking.map((voice) => Date.parse(String(voice.observation.value))).sort((a, b) => a - b);
  const chosen = LATEST_WINS.has(quantity) ? times.at(-1) : times[0];
  const range = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / DAY_MS;
  const agreement = 1 / (1 + (range / (365 * noiseDays)) ** 2);
  // A date once true stays true: how long ago it was written down does not make it staler.
  const parts = { ...confidenceParts(speaking, agreement, methodology), freshness: speaking.length > 0 ? 1 : 0 };
  const status = speaking.length === 0 ? 'missing' : speaking.length === 1 ? 'single_source' : 'agreed';
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
    voices: collapsed,
    confidenceCap: 1,
  });
}

/** These may lie ahead; everything else has happened. */
const MAY_LIE_AHEAD: ReadonlySet<QuantityId> = new Set(['domain_expires_at', 'lp_unlock_at']);

function isDate(quantity: QuantityId, voice: Voice): boolean {
  const { value, fetchedAt } = voice.observation;
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  // Nothing in this field is older than its first domains.
  if (Number.isNaN(at) || at <= Date.parse('1985-01-01T00:00:00Z')) return false;
  return MAY_LIE_AHEAD.has(quantity) || at <= Date.parse(fetchedAt) + DAY_MS;
}

function nearest(a: Voice, b: Voice): number {
  const tier = TIER_ORDER.indexOf(a.observation.tier) - TIER_ORDER.indexOf(b.observation.tier);
  if (tier !== 0) return tier;
  if (a.freshness !== b.freshness) return b.freshness - a.freshness;
  return stable(a.observation, b.observation);
}

/** Share of the weight that says the same text, whatever its case; a contradiction is no support. */
function sameShare(speaking: readonly Voice[], first: Voice | undefined): number {
  const text = (voice: Voice | undefined) => String(voice?.observation.value).toLowerCase();
  const total = speaking.reduce((sum, voice) => sum + voice.weight, 0);
  const same = speaking.filter((voice) => text(voice) === text(first)).reduce((sum, voice) => sum + voice.weight, 0);
  return total === 0 ? 0 : same / total;
}
