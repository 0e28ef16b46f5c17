import { percentileInterval } from '../discrimination.ts';
import type { Member } from '../mapping.ts';
import { aucOfPart, choose, meanOf, placesOf } from '../nested/folds.ts';
import { pickBelow, type Random } from '../random.ts';
import type { Measured } from './sets.ts';

/** Scores of all members under one form of the rating. */
export interface Form {
  readonly name: string;
  readonly published: readonly number[];
  readonly uncapped: readonly number[];
}

/** The gain of choosing among forms, on members that were not used for the choice. */
export interface FormsReport {
  /** Form used for each period: chosen by all other periods, and by earlier ones only (null for the first). */
  readonly chosen: readonly {
    readonly stretch: string;
    readonly byOthers: string;
    readonly byEarlier: string | null;
  }[];
  /** AUC with the chosen form minus that with the first, mean over the periods; creators resampled. */
  readonly gain: Measured;
  /** The same for periods with an earlier one, with the form chosen by earlier periods. */
  readonly forward: Measured;
  /**
   * Each form alone on all members, as if fixed in advance: its gain over the first, by published scores and by scores
   * before caps.
   */
  readonly fixed: readonly { readonly name: string; readonly published: Measured; readonly uncapped: Measured }[];
}

const STRETCHES = 5;

/**
 * Chooses among forms of a rating, nested. Members of one creator stay together, and creators are ordered by their
 * first time. Each period is rated by the form with the best mean AUC over the other periods; if several are equal, by
 * the first, which is the form in force.
 */
export function chosenForms(
  forms: readonly Form[],
  members: readonly Member[],
  draws: number,
  random: Random,
): FormsReport {
  const failed = members.map((member) => member.failed);
  const creators = [
    ...Map.groupBy(members.keys(), (at) => members[at]?.group ?? `(alone) ${members[at]?.id}`).values(),
  ];
  const firstOf = (rows: readonly number[]) =>
    rows.reduce((least, at) => Math.min(least, members[at]?.featureAt ?? 0), Number.POSITIVE_INFINITY);
  creators.sort((a, b) => firstOf(a) - firstOf(b));
  const stretches: (readonly number[])[][] = Array.from({ length: STRETCHES }, () => []);
  let placed = 0;
  for (const rows of creators) {
    stretches[Math.min(STRETCHES - 1, Math.floor((placed * STRETCHES) / members.length))]?.push(rows);
    placed += rows.length;
  }
  const places = forms.map(({ name, published, uncapped }) => ({
    name,
    published: placesOf(published),
    ranked: placesOf(uncapped),
  }));
  const rowsOf = (at: number) => stretches[at]?.flat() ?? [];
  const all = stretches.map((_, at) => at);
  const preferred = (by: readonly number[]) => (by.length === 0 ? 0 : choose(places, by.map(rowsOf), failed).at);
  const byOthers = all.map((own) => preferred(all.filter((at) => at !== own)));
  const byEarlier = all.map((own) => preferred(all.filter((at) => at < own)));
  const gainOver = (drawn: readonly (readonly number[])[], picks: readonly number[], from: number) =>
    meanOf(
      all.slice(from).map((at) => {
        const rows = drawn[at] ?? [];
        const [before, after] = [places[0], places[picks[at] ?? 0]].map((one) =>
          one === undefined ? null : aucOfPart(one.published, rows, failed),
        );
        return before == null || after == null ? null : after - before;
      }),
    ) ?? 0;
  const gainOfForm = (drawn: readonly (readonly number[])[], at: number, kind: 'published' | 'ranked') => {
    const rows = drawn.flat();
    const [before, after] = [places[0], places[at]].map((one) =>
      aucOfPart((one ?? (places[0] as never))[kind], rows, failed),
    );
    return (after ?? 0) - (before ?? 0);
  };
  const whole = all.map(rowsOf);
  const again = Array.from({ length: draws }, () =>
    stretches.map((own) => own.flatMap(() => own[pickBelow(own.length, random)] ?? [])),
  );
  const measured = (of: (drawn: readonly (readonly number[])[]) => number): Measured => ({
    auc: of(whole),
    interval: percentileInterval(again.map(of), 0.95),
  });
  return {
    chosen: all.map((at) => ({
      stretch: dayOf(firstOf(rowsOf(at))),
      byOthers: forms[byOthers[at] ?? 0]?.name ?? '',
      byEarlier: at === 0 ? null : (forms[byEarlier[at] ?? 0]?.name ?? ''),
    })),
    gain: measured((drawn) => gainOver(drawn, byOthers, 0)),
    forward: measured((drawn) => gainOver(drawn, byEarlier, 1)),
    fixed: forms.map(({ name }, at) => ({
      name,
      published: measured((drawn) => gainOfForm(drawn, at, 'published')),
      uncapped: measured((drawn) => gainOfForm(drawn, at, 'ranked')),
    })),
  };
}

function dayOf(time: number): string {
  return Number.isFinite(time) ? new Date(time).toISOString().slice(0, 10) : '-';
}
