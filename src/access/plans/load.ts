import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readPlans } from './plan-file.ts';
import type { PlanBook } from './types.ts';

const BUILT_IN = fileURLToPath(new URL('./plans.json', import.meta.url));

/** The plans of a file, or the built-in ones for null. Throws at a file that is not right: the service must not start on it. */
export function loadPlans(path: string | null): PlanBook {
  const file = path ?? BUILT_IN;
  const read = readPlans(readFileSync(file, 'utf8'));
  if (read.ok) return read.value;
  throw new Error(`the plans file ${file} is not right:\n${read.errors.map((error) => `  ${error}`).join('\n')}`);
}
