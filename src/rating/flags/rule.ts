import { type Consensus, type Json, type QuantityId, whole } from '../../domain/index.ts';
import { type FlagCode, type FlagThresholds, flagThresholds } from '../../methodology/index.ts';
import { booleanOf, type Context, type Known, keyOf } from '../context.ts';

/** What a rule saw when its condition holds. */
export interface Raised {
  /** Not given: that of the weakest support. */
  readonly confidence?: number;
  readonly support?: readonly Known<unknown>[];
  readonly detail: string;
  readonly evidence: readonly string[];
  readonly value: Json;
  /** One lineage group says so and others could know: the flag is not raised, ACCUSATION_UNCONFIRMED names it. */
  readonly unconfirmed?: boolean;
  /** Overrides the catalogue's severity (a token of two days is worse than one of twenty). */
  readonly severity?: 'info' | 'low' | 'medium' | 'high' | 'critical';
}

/** One flag of the catalogue: its condition over the agreed values. */
export interface FlagRule {
  readonly code: FlagCode;
  readonly raise: (context: Context) => (Raised & { readonly confidence: number }) | null;
}

/** A rule of that flag; `t` are its thresholds in the methodology, and no others compile. */
export function rule<Code extends FlagCode>(
  code: Code,
  raise: (context: Context, t: FlagThresholds[Code]) => Raised | null,
): FlagRule {
  return {
    code,
    raise: (context) => {
      const found = raise(context, flagThresholds(context.methodology)[code]);
      if (found === null) return null;
      const { majority } = context.methodology.flagConfidence;
      const weakest = () => Math.min(1, ...(found.support ?? []).map((row) => conviction(row, majority)));
      return { ...found, confidence: found.confidence ?? weakest() };
    },
  };
}

/** A finding that rests on known values; its confidence is that of the weakest unless `change` gives one. */
export function raised(
  support: readonly Known<unknown>[],
  detail: string,
  value: Json,
  change: Partial<Raised> = {},
): Raised {
  return { support, detail, evidence: support.map((row) => keyOf(row.consensus)), value, ...change };
}

/**
 * How sure a finding is: the confidence, without what outvoted observations took from it. From `majority` lineage groups that agree
 * on, a dissenter cannot move the value; it must not be able to suppress the finding either.
 */
function conviction({ confidence, consensus }: Known<unknown>, majority: number): number {
  const { agreement } = consensus.parts;
  return consensus.status === 'agreed' && consensus.families >= majority && agreement > 0
    ? Math.min(1, confidence / agreement)
    : confidence;
}

/** A rule on one boolean quantity that must be true. */
export function whenTrue(code: FlagCode, quantity: QuantityId, detail: string): FlagRule {
  return rule(code, (context) => {
    const found = booleanOf(context, quantity);
    return found?.value ? raised([found], `${detail} (${sourcesOf(found.consensus, true)})`, true) : null;
  });
}

/**
 * Two lineage groups or the chain itself say what accuses. Needed wherever a second group or the chain could know: a single source may be
 * wrong, hacked or mean another token.
 */
export function isCorroborated(
  { methodology }: Context,
  { voices }: Consensus,
  accuses: (value: Json) => boolean,
): boolean {
  const accusers = voices.filter((voice) => voice.accepted && accuses(voice.value));
  return (
    new Set(accusers.map((voice) => voice.family)).size >= methodology.flagConfidence.witnesses ||
    accusers.some((voice) => voice.tier === 'chain')
  );
}

/** Sources of the accusing observations; a single lineage group is marked as the only one. */
export function reportersOf({ voices }: Consensus): string {
  const accusers = voices.filter((voice) => voice.accepted);
  const names = [...new Set(accusers.map((voice) => voice.source))].join(', ');
  return new Set(accusers.map((voice) => voice.family)).size === 1 ? `${names} alone` : names || 'derived';
}

/** Who said so. */
export function sourcesOf(consensus: Consensus, value: Json): string {
  const names = [
    ...new Set(
      consensus.voices
        .filter((voice) => voice.value === value && voice.reason !== 'too_old')
        .map((voice) => voice.source),
    ),
  ];
  return names.length === 0 ? 'derived' : names.join(', ');
}

/** A share as a person reads it. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 2 : 1)} %`;
}

/** Money as a person reads it. */
export function usd(value: number): string {
  return `${value >= 1000 ? whole(value) : Number(value.toPrecision(3))} USD`;
}
