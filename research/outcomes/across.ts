import type { Methodology } from '../../src/methodology/index.ts';
import type { Member } from '../mapping.ts';
import {
  aucOfPart,
  foldKindOf,
  foldsOf,
  meanOf,
  type Places,
  placesOf,
  type Variant,
  variantsOf,
} from '../nested/folds.ts';
import { type Random, sampleOf } from '../random.ts';
import { scoreMember } from '../score-member.ts';
import type { OutcomeSet } from './sets.ts';

/** Result of one set with a variant that was chosen without the set, or without the measured part. */
export interface Gain {
  readonly set: string;
  readonly inForce: number;
  readonly chosen: number;
}
export interface AcrossSets {
  readonly variants: number;
  /**
   * Each outer fold of every set is rated by the variant chosen on the rest of all sets: gains by set as the mean over
   * folds, and their spread.
   */
  readonly folds: readonly (Gain & { readonly spread: number })[];
  readonly chosenByFold: readonly string[];
  /** Each set is rated by the variant chosen on all other sets. */
  readonly withoutSet: readonly (Gain & { readonly name: string })[];
  /** The variant chosen on all sets together, and its smallest gain, measured on the data that it was chosen on. */
  readonly whole: { readonly name: string; readonly worstGain: number };
}

/** Most members of a set that every variant rates; larger sets are sampled. */
const MOST_MEMBERS = 3_000;
const FOLDS = 5;

/** The methodology without a feature that no live rating has; its weight is divided among the others of its table. */
export function withoutFeature(methodology: Methodology, id: string): Methodology {
  return {
    ...methodology,
    features: methodology.features.filter((row) => row.id !== id),
    featureTables: Object.fromEntries(
      Object.entries(methodology.featureTables).map(([name, table]) => {
        const left = 1 - (table[id] ?? 0);
        const kept = Object.entries(table).filter(([own]) => own !== id);
        return [name, Object.fromEntries(kept.map(([own, weight]) => [own, weight / left]))];
      }),
    ),
  };
}

/**
 * Chooses one variant for all sets at once, nested. Folds keep creators and times together. The variant with the
 * largest minimum gain over all sets, relative to the methodology in force, is chosen. The methodology in force has
 * gain 0 and stays unless another one gains in every set.
 */
export function acrossSets(sets: readonly OutcomeSet[], methodology: Methodology, random: Random): AcrossSets {
  const variants = variantsOf(methodology);
  const laid = sets.map((set) => {
    const members = sampleOf(set.members, MOST_MEMBERS, random);
    const kind = foldKindOf(members);
    return {
      name: set.name,
      failed: members.map((member) => member.failed),
      // A set with too few times is divided by member.
      fold: foldsOf(members, kind === 'time' && momentsOf(members) < FOLDS ? 'member' : kind, FOLDS, random),
      places: variants.map((variant) => placesUnder(variant, members, set)),
    };
  });
  const aucs = laid.map(({ failed, fold, places }) => {
    const rowsOf = (wanted: (own: number) => boolean) => failed.flatMap((_, at) => (wanted(fold[at] ?? 0) ? [at] : []));
    const within = (rows: readonly number[]) => places.map((own) => aucOfPart(own, rows, failed));
    return {
      all: within(rowsOf(() => true)),
      rest: Array.from({ length: FOLDS }, (_, out) => within(rowsOf((own) => own !== out))),
      held: Array.from({ length: FOLDS }, (_, out) => within(rowsOf((own) => own === out))),
    };
  });
  const chosen = Array.from({ length: FOLDS }, (_, out) => preferred(aucs.map((row) => row.rest[out] ?? [])));
  const whole = preferred(aucs.map((row) => row.all));
  return {
    variants: variants.length,
    folds: laid.map(({ name }, at) => {
      const gains = chosen.flatMap(({ place }, out) => {
        const held = aucs[at]?.held[out] ?? [];
        const [before, after] = [held[0] ?? null, held[place] ?? null];
        return before === null || after === null ? [] : [{ before, after }];
      });
      const differences = gains.map(({ before, after }) => after - before);
      return {
        set: name,
        inForce: meanOf(gains.map((row) => row.before)) ?? 0.5,
        chosen: meanOf(gains.map((row) => row.after)) ?? 0.5,
        spread: deviationOf(differences),
      };
    }),
    chosenByFold: chosen.map(({ place }) => variants[place]?.name ?? ''),
    withoutSet: laid.map(({ name }, at) => {
      const { place } = preferred(aucs.filter((_, other) => other !== at).map((row) => row.all));
      const own = aucs[at]?.all ?? [];
      return { set: name, name: variants[place]?.name ?? '', inForce: own[0] ?? 0.5, chosen: own[place] ?? 0.5 };
    }),
    whole: { name: variants[whole.place]?.name ?? '', worstGain: whole.gain },
  };
}

/** The variant with the largest minimum gain over the first; the first if several are equal. */
function preferred(bySet: readonly (readonly (number | null)[])[]): { readonly place: number; readonly gain: number } {
  const count = bySet[0]?.length ?? 0;
  let best = { place: 0, gain: 0 };
  for (let place = 1; place < count; place += 1) {
    const gains = bySet.flatMap((aucs) => {
      const [before, after] = [aucs[0] ?? null, aucs[place] ?? null];
      return before === null || after === null ? [] : [after - before];
    });
    const gain = Math.min(...gains);
    if (gain > best.gain + 1e-9) best = { place, gain };
  }
  return best;
}

function placesUnder({ methodology }: Variant, members: readonly Member[], { mapping }: OutcomeSet): Places {
  const known = new Map<string, number>();
  return placesOf(
    members.map((member) => {
      const key = JSON.stringify([member.class, member.features, member.quantities, member.featureAt]);
      const score = known.get(key) ?? scoreMember(member, mapping, methodology).score;
      known.set(key, score);
      return score;
    }),
  );
}

function momentsOf(members: readonly Member[]): number {
  return new Set(members.map((member) => member.featureAt)).size;
}

function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values) ?? 0;
  return values.length < 2
    ? 0
    : Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
