import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** True in `npm run test:security`: everything, in full; otherwise the short form that `npm test` runs. */
export const FULL = process.env.ASSAY_SECURITY_FORM === 'full';

/** Seed of all that is random here: `ASSAY_SECURITY_SEED`, or 1, so that a commit is tested alike anywhere; `random` draws one. */
export const SEED = seedOf(process.env.ASSAY_SECURITY_SEED ?? '1');

function seedOf(text: string): number {
  const seed = text === 'random' ? randomInt(1, 2 ** 31) : Number(text);
  if (!Number.isInteger(seed) || seed < 0) throw new Error('ASSAY_SECURITY_SEED: expected a whole number, or random');
  console.log(`security seed ${seed}: ASSAY_SECURITY_SEED=${seed} gives the same values`);
  return seed;
}

/** One line of the campaign's report: what was tried, how often, and what became of it. */
export interface Tally {
  readonly part: string;
  readonly claim: string;
  readonly tried: number;
  /** What was counted besides, in words. */
  readonly counts?: Readonly<Record<string, number | string>>;
}

/** Writes a line of the report when the campaign collects them. */
export function tally(line: Tally): void {
  const out = process.env.ASSAY_SECURITY_TALLY;
  if (out) appendFileSync(out, `${JSON.stringify(line)}\n`);
}
