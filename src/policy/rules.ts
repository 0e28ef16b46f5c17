import type { PRESETS, Rules } from '../contract/index.ts';
import presetFile from './presets.json' with { type: 'json' };

export type PresetName = (typeof PRESETS)[number];
export type Outcome = 'allow' | 'caution' | 'block';

/** The built-in presets, each with its purpose. */
export const PRESET_RULES = presetFile as Readonly<
  Record<PresetName, { readonly title: string; readonly rules: Rules }>
>;

const STRICTNESS: readonly Outcome[] = ['allow', 'caution', 'block'];
/** Default cost of an exit where neither preset nor caller sets one. */
const USUAL_COST_PCT = 2;

/** Rules in which every outcome is set. */
export type EffectiveRules = Rules & {
  readonly unknown: 'block' | 'caution';
  readonly exit: NonNullable<Rules['exit']> & { readonly max_cost_pct: number };
};

/** The preset's rules, each replaced as a whole if the caller sets it. A case that neither covers is blocked. */
export function effectiveRules(preset: PresetName = 'wallet', own: Rules = {}): EffectiveRules {
  const merged = { ...PRESET_RULES[preset].rules, ...own };
  return {
    ...merged,
    unknown: merged.unknown ?? 'block',
    exit: { ...merged.exit, max_cost_pct: merged.exit?.max_cost_pct ?? USUAL_COST_PCT },
  };
}

/** The stricter of two outcomes. */
export function stricter(first: Outcome, second: Outcome): Outcome {
  return STRICTNESS.indexOf(second) > STRICTNESS.indexOf(first) ? second : first;
}

/** A limit for each outcome, as a caller sets it. */
type Limits<Limit> = { readonly block?: Limit | null; readonly caution?: Limit | null } | undefined;

/** The strictest outcome whose limit is exceeded, with that limit; null if none is. */
export function passedLimit<Limit>(
  limits: Limits<Limit>,
  isPassed: (limit: Limit) => boolean,
): { readonly outcome: 'block' | 'caution'; readonly limit: Limit } | null {
  for (const outcome of ['block', 'caution'] as const) {
    const limit = limits?.[outcome] ?? null;
    if (limit !== null && isPassed(limit)) return { outcome, limit };
  }
  return null;
}

/** True if a rule has a limit; only then is its figure needed. */
export function isLimited(limits: Limits<unknown>): boolean {
  return (limits?.block ?? null) !== null || (limits?.caution ?? null) !== null;
}
