import { appendFileSync } from 'node:fs';

/** True in `npm run test:security`: everything, in full; otherwise the short form that `npm test` runs. */
export const FULL = process.env.ASSAY_SECURITY_FORM === 'full';

/** Seed of all that is random here. */
export const SEED = Number(process.env.ASSAY_SECURITY_SEED ?? 1);

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
