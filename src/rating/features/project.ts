import type { FeatureInput } from '../../domain/rating.ts';
import {
  absent,
  answered,
  type Context,
  consensusOf,
  daysSince,
  notApplicable,
  numberOf,
  observed,
  textOf,
  unknown,
} from '../context.ts';
import { ageOf } from './market.ts';

const DAY_MS = 86_400_000;
/** The value function's first anchor: smaller losses earn nothing more. */
const SMALLEST_LOSS = 1e-4;

/** DV: developers, commits, recency. A project that shows no repository anywhere is known to show none. */
export function developmentFeatures(context: Context): readonly FeatureInput[] {
  const authors = numberOf(context, 'contributors_90d');
  const commits = numberOf(context, 'commits_90d');
  const recent = daysSince(context, 'last_commit_at');
  const closed =
    !authors &&
    !commits &&
    !recent &&
    context.input.identification.keys.githubRepos.length === 0 &&
    answered(context, ['website', 'coingecko', 'coinmarketcap']) >= 2;
  const missing = (id: string, unit: string) =>
    closed
      ? absent(id, 0, unit, 0.5, 'no repository on the website or in the registries')
      : unknown(context, id, unit, ['github']);
  return [
    authors
      ? observed('dv_devs', authors.value, 'count', [authors], 'distinct authors in 90 days')
      : missing('dv_devs', 'count'),
    commits
      ? observed('dv_commits', commits.value, 'count', [commits], 'commits in 90 days')
      : missing('dv_commits', 'count'),
    recent
      ? observed('dv_recency', recent.value, 'days', [recent], 'since the newest commit')
      : missing('dv_recency', 'days'),
  ];
}

/** GT: team, disclosure, governance, domain age. */
export function governanceFeatures(context: Context): readonly FeatureInput[] {
  const team = textOf(context, 'team_state');
  const docs = numberOf(context, 'disclosure_share');
  const governance = numberOf(context, 'governance_score');
  const domain = daysSince(context, 'domain_registered_at');
  const siteRead = answered(context, ['website']) > 0;
  return [
    team
      ? observed('gt_team', team.value, 'state', [team], 'people named on the project’s own pages')
      : unknown(context, 'gt_team', 'state', ['website']),
    docs
      ? observed('gt_docs', docs.value, 'fraction', [docs], 'share of the disclosure checklist found')
      : unknown(context, 'gt_docs', 'fraction', ['website']),
    governance
      ? observed('gt_gov', governance.value, 'points', [governance], 'governance, timelock and signers found')
      : siteRead
        ? absent('gt_gov', null, 'points', 0.4, 'no governance found on the website')
        : unknown(context, 'gt_gov', 'points', ['website']),
    domain
      ? observed('gt_domain', domain.value, 'days', [domain], 'since the registration of the domain')
      : unknown(context, 'gt_domain', 'days', ['rdap']),
    // No source that may be asked without a contract counts it; a labelled file can.
    notApplicable('gt_footprint', 'count', 'no source counts public results yet'),
  ];
}

/** SI: losses, each against the size of the project, halved every year. No known incident earns credit only with age. */
export function incidentFeatures(context: Context): readonly FeatureInput[] {
  const age = ageOf(context);
  const exposure = Math.min(1, (age?.value ?? 0) / context.methodology.aggregation.exposureDays);
  const list = consensusOf(context, 'incidents');
  const losses = incidentsOf(context);
  if (list && losses.length > 0) {
    const size = Math.max(
      1,
      numberOf(context, 'market_cap_usd')?.value ?? 0,
      numberOf(context, 'tvl_peak_usd')?.value ?? numberOf(context, 'tvl_usd')?.value ?? 0,
    );
    const total = losses.reduce((sum, row) => sum + (row.lossUsd / size) * 2 ** (-row.ageDays / 365), 0);
    return [
      observed(
        'si_loss',
        Math.max(SMALLEST_LOSS, total),
        'fraction',
        [{ value: null, confidence: list.confidence, consensus: list }],
        `${losses.length} known incidents against the largest of capitalisation and value locked`,
        Math.max(0.5, list.confidence),
      ),
    ];
  }
  const lists = answered(context, ['defillama']);
  if (lists === 0) return [unknown(context, 'si_loss', 'fraction', ['defillama'])];
  const base = context.input.identification.keys.defillamaSlug !== null ? 0.8 : 0.3;
  return [
    {
      ...absent(
        'si_loss',
        0,
        'fraction',
        base * exposure,
        `no incident in the list; counts by age (${(exposure * 100).toFixed(0)} %)`,
      ),
    },
  ];
}

/** Incidents with a loss that stayed lost, newest first. */
export function incidentsOf(context: Context): readonly {
  readonly name: string;
  readonly lossUsd: number;
  readonly ageDays: number;
  readonly resolved: boolean;
}[] {
  const list = consensusOf(context, 'incidents');
  if (!list || !Array.isArray(list.value)) return [];
  return (list.value as readonly unknown[])
    .map((row) => {
      const { name, date, lossUsd, returnedUsd, resolved } = (
        typeof row === 'object' && row !== null ? row : {}
      ) as Readonly<Record<string, unknown>>;
      const at = Date.parse(String(date));
      const lost = Number(lossUsd ?? 0) - Number(returnedUsd ?? 0);
      return {
        name: String(name ?? ''),
        lossUsd: lost,
        ageDays: (context.now - at) / DAY_MS,
        resolved: resolved === true || Number(returnedUsd ?? 0) > 0,
      };
    })
    .filter(
      (row) => row.lossUsd > 0 && Number.isFinite(row.lossUsd) && Number.isFinite(row.ageDays) && row.ageDays >= 0,
    )
    .sort((a, b) => a.ageDays - b.ageDays);
}
