import type { Rating } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import { consensusOf } from '../../src/rating/fixtures/asset.ts';
import { assetOf } from '../../src/rating/fixtures/class-assets.ts';
import { rate } from '../../src/rating/index.ts';
import { type Panel, readFacts, readPanel } from '../panel/assets.ts';
import { rateAll } from '../panel/run.ts';
import { rateExamples } from './examples.ts';
import { type Judged, type Rated, rank, STATEMENTS, type Statement } from './statements.ts';

/** One of the forty statements of the design about well-known assets, with what it computed and what the program does. */
export interface Assertion {
  readonly number: number;
  readonly says: string;
  /** What the design's model gives; `-` where it computed nothing. */
  readonly design: string;
  /** `<asset> <score> <band>` of each asset the statement is about, with where its values are from. */
  readonly found: readonly string[];
  /** What does not hold, in words; none where all of it does. */
  readonly broken: readonly string[];
}

/** The panel, with the assets that statements speak of and the panel does not have: those are in no pair and in no expected range. */
export async function readAssets(): Promise<Panel> {
  const panel = await readPanel(`${import.meta.dirname}/../panel`);
  return { ...panel, assets: [...panel.assets, ...(await readFacts(`${import.meta.dirname}/facts`))] };
}

function madeCases(methodology: Methodology): ReadonlyMap<string, Rating> {
  const euro = assetOf('stable_fiat', [], {
    set: [
      consensusOf('price_usd', 1.16),
      consensusOf('peg_target_usd', 0),
      consensusOf('peg_currency', 'EUR'),
      consensusOf('categories', ['EUR Stablecoin']),
    ],
  });
  return new Map([['a euro coin at 1.16 dollars', rate(euro, methodology)]]);
}

/** The forty statements held against the program. Pure but for the files of the panel and the examples. */
export function holdAssertions(panel: Panel, methodology: Methodology): readonly Assertion[] {
  const places: Readonly<Record<string, ReadonlyMap<string, Rating>>> = {
    panel: rateAll(panel.assets, methodology),
    design: rateExamples(methodology),
    case: madeCases(methodology),
  };
  const of = (subject: string): Rating => {
    const [place = '', name = ''] = subject.split(/:(.*)/s);
    const found = places[place]?.get(name);
    if (found === undefined) throw new Error(`nothing is rated as ${subject}`);
    return found;
  };
  return STATEMENTS.map((statement, index) =>
    held(statement, index + 1, { has: () => true, of, score: (subject) => of(subject).score ?? 0 }),
  );
}

/** Assets of the panel that each statement is about, by its number: those whose bands it names. */
export const SUBJECTS: ReadonlyMap<number, readonly string[]> = new Map(
  STATEMENTS.map(({ bands = [] }, index) => [
    index + 1,
    bands.flatMap(([subject]) => (subject.startsWith('panel:') ? [subject.slice('panel:'.length)] : [])),
  ]),
);

/**
 * The statements held against ratings of another way to the same assets, by their names in the panel. Examples and made cases have no such way, and an
 * asset that is not among them is left out: a statement of which nothing is left has no `found`.
 */
export function holdPublished(published: ReadonlyMap<string, Judged>): readonly Assertion[] {
  const nameOf = (subject: string) => (subject.startsWith('panel:') ? subject.slice('panel:'.length) : '');
  const of = (subject: string): Judged => {
    const found = published.get(nameOf(subject));
    if (found === undefined) throw new Error(`${subject} was not published`);
    return found;
  };
  const rated: Rated = {
    has: (subject) => published.has(nameOf(subject)),
    of,
    score: (subject) => of(subject).score ?? 0,
  };
  return STATEMENTS.map((statement, index) => held(statement, index + 1, rated));
}

function held({ says, design, bands = [], more }: Statement, number: number, rated: Rated): Assertion {
  const known = bands.filter(([subject]) => rated.has(subject));
  const outside = known.flatMap(([subject, worst, best]) => {
    const { band } = rated.of(subject);
    const isInside = band !== 'NR' && rank(band) <= rank(worst) && rank(band) >= rank(best);
    return isInside ? [] : [`${subject} is ${band}, not ${worst} to ${best}`];
  });
  return {
    number,
    says,
    design,
    found: known.map(([subject]) => `${subject} ${rated.of(subject).score} ${rated.of(subject).band}`),
    broken: [...outside, ...(more?.(rated) ?? []).filter((row) => row !== false)],
  };
}
