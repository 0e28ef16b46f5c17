import { type Context, consensusOf } from '../context.ts';
import type { SiteRecord, Statement } from './site-record.ts';

export interface ListedRound {
  readonly amountUsd: number;
  readonly leadInvestors: readonly string[];
  readonly isClaimed: boolean;
}

export interface ClaimedRound {
  readonly amountUsd: number;
  readonly isListed: boolean;
  readonly statement: Statement;
}

/** Rounds of the public list and rounds the site states, each with whether the other side has it too. */
export function roundsOf(
  context: Context,
  site: SiteRecord,
): { readonly listed: readonly ListedRound[]; readonly claimed: readonly ClaimedRound[] } {
  const { roundTolerance } = context.methodology.preTge.thresholds;
  const isSame = (a: number, b: number) => Math.abs(a - b) <= roundTolerance * Math.max(a, b);
  const listed = listedRounds(context);
  const statements = distinct(site.of('raise'), isSame);
  const total = listed.reduce((sum, row) => sum + row.amountUsd, 0);
  const amountOf = (row: Statement) => Number(row.fact.value ?? 0);
  return {
    listed: listed.map((row) => ({
      ...row,
      isClaimed: statements.some((other) => isSame(amountOf(other), row.amountUsd)),
    })),
    claimed: statements.map((statement) => ({
      statement,
      amountUsd: amountOf(statement),
      // A site may add its rounds up.
      isListed:
        listed.some((row) => isSame(row.amountUsd, amountOf(statement))) ||
        (listed.length > 1 && isSame(total, amountOf(statement))),
    })),
  };
}

function listedRounds(context: Context): readonly Omit<ListedRound, 'isClaimed'>[] {
  const list = consensusOf(context, 'raises');
  if (list === null || !Array.isArray(list.value)) return [];
  return (list.value as readonly unknown[]).flatMap((row) => {
    const { amountUsd, leadInvestors } = (typeof row === 'object' && row !== null ? row : {}) as Readonly<
      Record<string, unknown>
    >;
    if (typeof amountUsd !== 'number' || !(amountUsd > 0)) return [];
    const leads = (Array.isArray(leadInvestors) ? leadInvestors : []).filter(
      (name): name is string => typeof name === 'string',
    );
    return [{ amountUsd, leadInvestors: leads }];
  });
}

function distinct(rows: readonly Statement[], isSame: (a: number, b: number) => boolean): readonly Statement[] {
  const kept: Statement[] = [];
  for (const row of [...rows].sort((a, b) => Number(b.fact.link !== null) - Number(a.fact.link !== null)))
    if (!kept.some((other) => isSame(Number(other.fact.value), Number(row.fact.value)))) kept.push(row);
  return kept;
}
