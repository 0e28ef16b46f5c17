import type { Consensus } from '../domain/consensus.ts';
import type { Json } from '../domain/json.ts';
import type { QuantityId } from '../domain/quantities.ts';
import type { Methodology, QuantityClass } from '../methodology/types.ts';
import { confidenceParts } from './numeric.ts';
import { publish } from './publish.ts';
import { collapseFamilies, type Voice } from './voice.ts';

/**
 * Enums and booleans: families vote with their weight. A chain read outvotes everybody (it is the thing itself). The
 * losing votes stay visible as `outlier`; agreement is the winner's share of the weight. On an exact tie the value that
 * sorts last wins for booleans (true: the adverse one in this catalogue) and the dispute is said.
 */
export function voteConsensus(
  quantity: QuantityId,
  scope: string,
  voices: readonly Voice[],
  parameters: QuantityClass,
  methodology: Methodology,
): Consensus {
  const collapsed = collapseFamilies(
    voices.map((voice) =>
      voice.rejected === null && !isVotable(voice.observation.value)
        ? { ...voice, rejected: 'malformed_value' as const }
        : voice,
    ),
  );
  const speaking = collapsed.filter((voice) => voice.rejected === null);
  const authoritative =
    parameters.authoritativeTier === 'chain' && speaking.some((voice) => voice.observation.tier === 'chain');
  const electorate = authoritative ? speaking.filter((voice) => voice.observation.tier === 'chain') : speaking;
  const weightOf = new Map<Json, number>();
  for (const voice of electorate)
    weightOf.set(voice.observation.value, (weightOf.get(voice.observation.value) ?? 0) + voice.weight);
  const ranked = [...weightOf].sort(([a, x], [b, y]) =>
    Math.abs(x - y) > 1e-9 ? y - x : String(a) < String(b) ? 1 : -1,
  );
  const winner = ranked[0]?.[0] ?? null;
  const judged = collapsed.map((voice) =>
    voice.rejected === null && voice.observation.value !== winner ? { ...voice, rejected: 'outlier' as const } : voice,
  );
  const accepted = judged.filter((voice) => voice.rejected === null);
  const total = speaking.reduce((sum, voice) => sum + voice.weight, 0);
  const won = accepted.reduce((sum, voice) => sum + voice.weight, 0);
  // A chain read stands whatever scanners say; their dissent costs a little agreement, not the value.
  const share = total === 0 ? 0 : won / total;
  const agreement = authoritative ? 0.75 + 0.25 * share : share;
  const parts = confidenceParts(accepted, agreement, methodology, authoritative);
  const disputed = !authoritative && accepted.length < speaking.length && share < 2 / 3;
  const rules = methodology.consensus;
  const confidenceCap = disputed
    ? rules.disputedConfidenceCap
    : speaking.length === 1 && !authoritative
      ? rules.singleSourceConfidenceCap
      : 1;
  const status =
    speaking.length === 0 ? 'missing' : disputed ? 'disputed' : speaking.length === 1 ? 'single_source' : 'agreed';
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
    voices: judged,
    confidenceCap,
  });
}

function isVotable(value: Json): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && value.length > 0 && value.length <= 64);
}
