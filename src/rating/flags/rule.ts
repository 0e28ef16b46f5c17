import { type Consensus, type Json, type QuantityId, whole } from '../../domain/index.ts';
import { type FlagCode, type FlagThresholds, flagThresholds } from '../../methodology/index.ts';
import { booleanOf, type Context, type Known, keyOf } from '../context.ts';

/** Result of a rule whose condition holds. */
export interface Raised {
  /** Absent: the confidence of the weakest support. */
  readonly confidence?: number;
  readonly support?: readonly Known<unknown>[];
  readonly detail: string;
  readonly evidence: readonly string[];
  readonly value: Json;
  /**
   * Only one lineage group states it and others could know: the flag is not raised, and ACCUSATION_UNCONFIRMED lists
   * it.
   */
  readonly unconfirmed?: boolean;
  /** Overrides the catalogue's severity (for example, a token of two days is riskier than one of twenty). */
  readonly severity?: 'info' | 'low' | 'medium' | 'high' | 'critical';
}

/** One flag of the catalogue, with its condition over the agreed values. */
export interface FlagRule {
  readonly code: FlagCode;
  readonly raise: (context: Context) => (Raised & { readonly confidence: number }) | null;
}

/** Defines the rule of a flag; `t` holds only the flag's own thresholds from the methodology. */
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

/**
 * Builds a finding that rests on known values. Its confidence is that of the weakest value unless `change` sets one.
 */
export function raised(
  support: readonly Known<unknown>[],
  detail: string,
  value: Json,
  change: Partial<Raised> = {},
): Raised {
  return { support, detail, evidence: support.map((row) => keyOf(row.consensus)), value, ...change };
}

/**
 * Confidence of a finding, without the reduction that outvoted observations caused. When at least `majority` lineage
 * groups agree, a dissenter cannot change the value and must not be able to suppress the finding either.
 */
function conviction({ confidence, consensus }: Known<unknown>, majority: number): number {
  const { agreement } = consensus.parts;
  return consensus.status === 'agreed' && consensus.families >= majority && agreement > 0
    ? Math.min(1, confidence / agreement)
    : confidence;
}

/** A rule that requires one boolean quantity to be true. */
export function whenTrue(code: FlagCode, quantity: QuantityId, detail: string): FlagRule {
  return rule(code, (context) => {
    const found = booleanOf(context, quantity);
    return found?.value ? raised([found], `${detail} (${sourcesOf(found.consensus, true)})`, true) : null;
  });
}

/**
 * True when two lineage groups or the chain itself support an accusation. Required wherever a second group or the chain
 * could know: a single source may be wrong, hacked or mean another token.
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

/** Names the sources of the accepted observations; marks a single lineage group with "alone". */
export function reportersOf({ voices }: Consensus): string {
  const accusers = voices.filter((voice) => voice.accepted);
  const names = [...new Set(accusers.map((voice) => voice.source))].join(', ');
  return new Set(accusers.map((voice) => voice.family)).size === 1 ? `${names} alone` : names || 'derived';
}

/** Names the sources that state the value. */
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

/** Formats a share for people. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 2 : 1)} %`;
}

/** Formats an amount of money for people. */
export function usd(value: number): string {
  return `${value >= 1000 ? whole(value) : Number(value.toPrecision(3))} USD`;
}
