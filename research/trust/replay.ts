import type { EvidenceRecord, QuantityId, TrustScore } from '../../src/domain/index.ts';
import { consensusKey } from '../../src/domain/index.ts';
import { buildReport } from '../../src/jobs/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import type { Random } from '../random.ts';
import { injectErrors } from './inject.ts';
import type { Claim, Injection, Truths } from './reliability.ts';
import { isLiquid, isRight, truthsOf } from './reliability.ts';

/** One asset's archived evidence, and what is known of the asset from elsewhere. */
export interface Witnessed {
  readonly asset: string;
  readonly evidence: EvidenceRecord;
  readonly known: Truths;
}

/** One consensus value of one replay beside the truth. */
export interface ValueClaim extends Claim, Injection {
  readonly quantity: QuantityId;
  /** Class of the quantity in the methodology. */
  readonly className: string;
  readonly status: string;
  readonly isPart: boolean;
}

/** One rating of one replay beside the rating by the evidence as it was. */
export interface ScoreReplay extends Injection {
  readonly asset: string;
  readonly trust: number;
  readonly tier: TrustScore['tier'];
  /** False: not rated for want of evidence, so that trust vouches for nothing. */
  readonly isRated: boolean;
  /** Whether every critical value that was published is the true one. */
  readonly right: boolean;
  /** Null: not rated, now or before. Points. */
  readonly error: number | null;
  /** Whether the score by the untouched evidence lies in the interval that was published; null when not rated. */
  readonly covered: boolean | null;
  readonly uncappedError: number | null;
}

/** Values whose error is an error of the rating (methodology 2.1: price, liquidity, supply, holders, authorities). */
const CRITICAL: readonly QuantityId[] = [
  'price_usd',
  'liquidity_dex_usd',
  'total_supply',
  'circulating_supply',
  'holder_count',
  'mint_authority_state',
  'freeze_authority_state',
];

/** Rates one asset again with each of the injections in its evidence. Pure but for the draws. */
export function replayWithErrors(
  witnessed: Witnessed,
  injections: readonly Injection[],
  methodology: Methodology,
  random: Random,
): { readonly values: readonly ValueClaim[]; readonly scores: readonly ScoreReplay[] } {
  const { asset, evidence, known } = witnessed;
  const clean = buildReport(evidence, methodology);
  const truths = truthsOf(clean.consensus, known);
  const liquid = isLiquid(truths, methodology);
  const values: ValueClaim[] = [];
  const scores: ScoreReplay[] = [];
  for (const injection of injections) {
    const { consensus, rating } = buildReport(injectErrors(evidence, injection, methodology, random), methodology);
    const rightOf = new Map<string, boolean>();
    for (const [key, truth] of Object.entries(truths)) {
      const found = consensus[key];
      if (!found || found.value === null) continue;
      const right = isRight(found, truth, liquid, methodology);
      rightOf.set(key, right);
      values.push({
        ...injection,
        asset,
        stated: found.confidence,
        right,
        quantity: found.quantity,
        className: methodology.consensus.classOf[found.quantity],
        status: found.status,
        isPart: found.scope !== 'asset',
      });
    }
    const { score, interval, uncappedScore } = rating;
    const before = clean.rating;
    scores.push({
      ...injection,
      asset,
      trust: rating.trust.score,
      tier: rating.trust.tier,
      isRated: score !== null,
      right: CRITICAL.every((quantity) => rightOf.get(consensusKey(quantity)) !== false),
      error: score === null || before.score === null ? null : Math.abs(score - before.score),
      uncappedError:
        uncappedScore === null || before.uncappedScore === null ? null : Math.abs(uncappedScore - before.uncappedScore),
      covered:
        interval === null || before.score === null ? null : interval[0] <= before.score && before.score <= interval[1],
    });
  }
  return { values, scores };
}
