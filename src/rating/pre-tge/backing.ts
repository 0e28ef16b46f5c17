import { sourcesFor } from '../../domain/index.ts';
import { answered, type Context, consensusOf, fieldsOf, numberOf, observed } from '../context.ts';
import { byName, type PreTgeInput, type SiteRecord, type Statement, stated, unstated } from './site-record.ts';

/** BK: money raised, confirmation by a second party, lead investors. */
export function backingFeatures(context: Context, site: SiteRecord): readonly PreTgeInput[] {
  return [raised(context, site), confirmed(context, site), leads(context, site)];
}

function raised(context: Context, site: SiteRecord): PreTgeInput {
  const rounds = roundsOf(context, site);
  const listed = numberOf(context, 'raise_total_usd');
  if (listed !== null) {
    const isBoth = rounds.listed.some((row) => row.isClaimed);
    const least = isBoth ? context.methodology.preTge.evidence.confirmed.confidence : 0;
    const method = isBoth ? 'rounds of the public list, stated by the site too' : 'rounds of the public list';
    return observed('bk_raise', listed.value, [listed], method, Math.max(least, listed.confidence));
  }
  const total = rounds.claimed.reduce((sum, row) => sum + row.amountUsd, 0);
  const statements = rounds.claimed.map((row) => row.statement);
  if (total === 0) return unstated(site, 'bk_raise', null, 'no round on the site or in the list');
  return stated(
    site,
    'bk_raise',
    total,
    'claimed',
    statements,
    `${statements.length} rounds as the site states them; no list has them`,
  );
}

function confirmed(context: Context, site: SiteRecord): PreTgeInput {
  const { listed, claimed } = roundsOf(context, site);
  const statements = claimed.map((row) => row.statement);
  const all = listed.length + claimed.filter((row) => !row.isListed).length;
  if (all === 0) return unstated(site, 'bk_confirmed', 0, 'no round is known');
  const both = listed.filter((row) => row.isClaimed).length;
  const level = listed.length > 0 || answered(context, sourcesFor('raises')) > 0 ? 'linked' : 'claimed';
  const method = `${both} of ${all} rounds both on the site and in the list`;
  return stated(site, 'bk_confirmed', both / all, level, statements, method);
}

function leads(context: Context, site: SiteRecord): PreTgeInput {
  const list = consensusOf(context, 'raises');
  const listed = new Set(
    roundsOf(context, site).listed.flatMap((row) => row.leadInvestors.map((name) => name.toLowerCase())),
  );
  if (list !== null && listed.size > 0)
    return observed(
      'bk_leads',
      listed.size,
      [{ value: null, confidence: list.confidence, consensus: list }],
      'lead investors of the public list',
    );
  const named = byName(site.of('investor').filter(({ fact }) => fact.detail === 'lead'));
  if (named.length === 0) return unstated(site, 'bk_leads', 0, 'no lead investor is named');
  const { bareClaimShare } = context.methodology.preTge.thresholds;
  // When no list has the round, a link to a report of it confirms nothing: anybody can publish one.
  const count = named.length * bareClaimShare;
  const words = named
    .map(({ fact }) => fact.name)
    .slice(0, 4)
    .join(', ');
  return stated(site, 'bk_leads', count, 'claimed', named, `named by the site: ${words}`);
}

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

/** Rounds of the public list and rounds that the site states, each marked if the other side has it too. */
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
      // A site may state the sum of its rounds.
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
    const { amountUsd, leadInvestors } = fieldsOf(row);
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
