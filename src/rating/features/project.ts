import { DAY_MS, DISCLOSURE_ITEMS, sourcesFor } from '../../domain/index.ts';
import { flagThresholds } from '../../methodology/index.ts';
import { ageOf } from '../age.ts';
import {
  absent,
  answered,
  booleanOf,
  type Context,
  consensusOf,
  daysSince,
  type FeatureReading,
  fieldsOf,
  isGuarded,
  isHardened,
  isTightened,
  notApplicable,
  numberOf,
  observed,
  readOr,
  textOf,
  unknown,
} from '../context.ts';
import { isDepositBacked } from '../flags/classes.ts';
import { basisOf, codeTie, confirmedFeature, confirmedTies, openTies, unconfirmedCode } from '../ties.ts';

/**
 * DV: developers, commits and recency of a repository that names the project. A project without any repository is known
 * to have none; a link to another party's repository counts as none. For a fork, only commits that the upstream does
 * not have count.
 */
export function developmentFeatures(context: Context): readonly FeatureReading[] {
  const tie = codeTie(context);
  const { developmentDays, searchedConfidence, searchedSources } = context.methodology.featureRules;
  if (tie === 'linked') {
    const why = unconfirmedCode(context);
    const basis = basisOf(openTies(context, 'repository'));
    return DEVELOPMENT.map((id) => absent(id, 0, searchedConfidence, why, basis));
  }
  const authors = numberOf(context, 'contributors_90d');
  const commits = numberOf(context, 'commits_90d');
  const recent = daysSince(context, 'last_commit_at');
  const created = daysSince(context, 'repo_created_at');
  // History can be pushed in a day under anybody's name; the creation date of the repository comes from GitHub.
  if (tie === 'confirmed' && created && created.value < developmentDays) {
    const why = `the repository is ${Math.round(created.value)} days old: work of ${developmentDays} days is claimed, not seen`;
    return DEVELOPMENT.map((id) => absent(id, 0, searchedConfidence, why));
  }
  if (booleanOf(context, 'repo_is_fork')?.value === true) return forkFeatures(context, commits, recent);
  // A chain is developed in public and cannot withhold its code; a register row names its repositories.
  const closed =
    tie === 'none' &&
    !context.native &&
    !authors &&
    !commits &&
    !recent &&
    context.input.identification.keys.githubRepos.length === 0 &&
    answered(context, sourcesFor('repository_links')) >= searchedSources;
  const missing = (id: string) =>
    closed
      ? absent(id, 0, searchedConfidence, 'no repository on the website or in the registries')
      : unknown(context, id, sourcesFor('code'));
  return workFeatures(context, 'dv', missing);
}

/**
 * Authors, commits and recency of the repository, with the feature names of either model. `missing` builds the reading
 * of a feature whose value is unknown.
 */
export function workFeatures(
  context: Context,
  model: 'dv' | 'pc',
  missing: (id: string) => FeatureReading,
): readonly FeatureReading[] {
  const rows = [
    [`${model}_commits`, numberOf(context, 'commits_90d'), 'commits in 90 days'],
    [`${model}_recency`, daysSince(context, 'last_commit_at'), 'since the newest commit'],
  ] as const;
  return [
    authorsOf(context, `${model}_devs`) ?? missing(`${model}_devs`),
    ...rows.map(([id, found, method]) => (found ? observed(id, found.value, [found], method) : missing(id))),
  ];
}

/**
 * Distinct authors, limited in proportion to the authors of signed commits; all of them if no reply states which
 * commits are signed.
 */
function authorsOf(context: Context, id: string): FeatureReading | null {
  const authors = numberOf(context, 'contributors_90d');
  const signed = numberOf(context, 'signed_authors_90d');
  if (!authors) return null;
  const { always, perSigned } = context.methodology.featureRules.unsignedAuthors;
  const most = signed ? always + perSigned * signed.value : authors.value;
  if (!signed || authors.value <= most) return observed(id, authors.value, [authors], 'distinct authors in 90 days');
  const method = `distinct authors in 90 days: ${most} of ${authors.value}, for ${signed.value} made commits that GitHub signed or verified at the time`;
  return observed(id, most, [authors, signed], method);
}

const DEVELOPMENT = ['dv_devs', 'dv_commits', 'dv_recency'];

/**
 * A fork contains the history of its upstream: which authors are its own is unknown, and its own commits are those
 * ahead.
 */
function forkFeatures(
  context: Context,
  commits: ReturnType<typeof numberOf>,
  recent: ReturnType<typeof daysSince>,
): readonly FeatureReading[] {
  const ahead = numberOf(context, 'repo_ahead_commits');
  const own = commits && ahead ? Math.min(commits.value, ahead.value) : 0;
  const { searchedConfidence } = context.methodology.featureRules;
  const isOwn = own >= context.methodology.preTge.thresholds.forkAheadCommits;
  const why = 'a fork: its history is another project’s';
  return [
    absent('dv_devs', 0, searchedConfidence, why),
    commits && ahead && own > 0
      ? observed('dv_commits', own, [commits, ahead], 'commits in 90 days that the upstream does not have')
      : absent('dv_commits', 0, searchedConfidence, why),
    recent && isOwn
      ? observed('dv_recency', recent.value, [recent], 'since the newest commit')
      : absent('dv_recency', 0, searchedConfidence, why),
  ];
}

/**
 * GT: team, disclosure, governance and domain age; supervision and accounts of an issuer; how a chain changes its
 * rules.
 */
export function governanceFeatures(context: Context): readonly FeatureReading[] {
  const governance = numberOf(context, 'governance_score');
  const domain = daysSince(context, 'domain_registered_at');
  const siteRead = answered(context, sourcesFor('site')) > 0;
  const linked = openTies(context, 'governance');
  const { siteSilentConfidence } = context.methodology.featureRules;
  return [
    isFixedCode(context) ? notApplicable('gt_team', FIXED) : team(context),
    disclosure(context),
    readOr(context, 'gt_licence', textOf(context, 'licence_state'), 'who supervises the issuer', []),
    readOr(context, 'gt_accounts', textOf(context, 'issuer_accounts_state'), 'accounts of the issuer', []),
    readOr(context, 'gt_process', textOf(context, 'rule_change_state'), 'how rules are changed', []),
    isFixedCode(context)
      ? notApplicable('gt_gov', FIXED)
      : governance
        ? observed('gt_gov', governance.value, [governance], governance.consensus.voices[0]?.meaning ?? '')
        : linked.length > 0
          ? absent('gt_gov', null, siteSilentConfidence, 'governance is linked, and nothing there is tied to the asset')
          : siteRead
            ? absent('gt_gov', null, siteSilentConfidence, 'no governance found on the website')
            : unknown(context, 'gt_gov', sourcesFor('site')),
    isDepositBacked(context)
      ? notApplicable('gt_domain', FIXED)
      : readOr(context, 'gt_domain', domain, 'since the registration of the domain', sourcesFor('domain_registration')),
    // No source that is free to use counts public results; a labelled file could.
    notApplicable('gt_footprint', 'no source counts public results yet'),
  ];
}

const FIXED = 'nobody can change the code';

/** True where immutable code alone keeps the promise of a backed token: its authors and voters have no influence. */
export function isFixedCode(context: Context): boolean {
  const isBacked = context.methodology.classes[context.class].weights === 'collateral';
  return isBacked && textOf(context, 'protocol_control_state')?.value === 'immutable';
}

/**
 * Counts people whose own profile names the project. A link to a profile, or a name alone, costs nothing and proves
 * nothing.
 */
function team(context: Context): FeatureReading {
  const people = confirmedTies(context, 'person');
  const named = openTies(context, 'person');
  if (people.length > 0)
    return confirmedFeature(
      context,
      'gt_team',
      people.length > 1 ? 'named_verifiable' : 'partly',
      people,
      `${people.length} of ${people.length + named.length} people of the team page are public members of the project’s organisation`,
    );
  if (named.length > 0)
    return absent(
      'gt_team',
      'anonymous',
      context.methodology.featureRules.searchedConfidence,
      'people are named or linked by the project, and none is confirmed',
      basisOf(named),
    );
  const found = textOf(context, 'team_state');
  return readOr(context, 'gt_team', found, 'people named on the project’s own pages', sourcesFor('site'));
}

/** Share of the disclosure checklist that the page meets, plus one item for each kind of confirmed tie. */
function disclosure(context: Context): FeatureReading {
  const docs = numberOf(context, 'disclosure_share');
  if (!docs) return unknown(context, 'gt_docs', sourcesFor('site'));
  const kinds = (['repository', 'audit', 'governance', 'person'] as const).filter(
    (kind) => confirmedTies(context, kind).length > 0,
  );
  const share = Math.min(1, docs.value + kinds.length / DISCLOSURE_ITEMS);
  const words = kinds.length > 0 ? `; confirmed: ${kinds.join(', ')}` : '';
  return observed('gt_docs', share, [docs], `share of the disclosure checklist found${words}`);
}

/**
 * SI: losses relative to the size of the project, with a half-life. A project without known incidents earns credit only
 * with age.
 */
export function incidentFeatures(context: Context): readonly FeatureReading[] {
  const age = ageOf(context);
  const exposure = Math.min(1, (age?.value ?? 0) / context.methodology.aggregation.exposureDays);
  const rules = context.methodology.featureRules;
  const list = consensusOf(context, 'incidents');
  const losses = allIncidentsOf(context)
    .map((row) => ({ ...row, lossUsd: weighedLoss(context, row) }))
    .filter(({ lossUsd }) => lossUsd > 0);
  if (list && losses.length > 0) {
    const size = Math.max(
      1,
      numberOf(context, 'market_cap_usd')?.value ?? 0,
      numberOf(context, 'tvl_peak_usd')?.value ?? numberOf(context, 'tvl_usd')?.value ?? 0,
    );
    const total = losses.reduce(
      (sum, row) => sum + (row.lossUsd / size) * 2 ** (-row.ageDays / rules.lossHalfLifeDays),
      0,
    );
    return [
      observed(
        'si_loss',
        Math.max(rules.smallestLoss, total),
        [{ value: null, confidence: list.confidence, consensus: list }],
        `${losses.length} known incidents against the largest of capitalisation and value locked`,
        Math.max(rules.lossConfidence, list.confidence),
      ),
    ];
  }
  const lists = answered(context, sourcesFor('losses'));
  if (lists === 0) return [unknown(context, 'si_loss', sourcesFor('losses'))];
  const { listed, unlisted } = rules.noLossConfidence;
  // True for a project on the list or an asset in a register.
  const isListed =
    context.input.identification.keys.defillamaSlug !== null || list !== null || numberOf(context, 'tvl_usd') !== null;
  const base = isListed ? listed : unlisted;
  return [
    absent('si_loss', 0, base * exposure, `no incident in the list; counts by age (${(exposure * 100).toFixed(0)} %)`),
  ];
}

/** Since methodology 1.9.0 a repayment that one list alone states counts a year after the loss, as it ends the cap. */
function weighedLoss(context: Context, row: Incident): number {
  const isRecent = row.ageDays < flagThresholds(context.methodology).EXPLOIT_UNRESOLVED.days;
  return isGuarded(context) && isRecent ? countedLoss(context, row) : row.lossUsd;
}

/** An incident of a list of losses. */
export interface Incident {
  readonly name: string;
  /** YYYY-MM-DD, or what the list gives instead. */
  readonly day: string;
  readonly grossUsd: number;
  /** What was not returned. */
  readonly lossUsd: number;
  readonly ageDays: number;
  readonly resolved: boolean;
  /** Share of the loss that was returned, 0-1. */
  readonly repaid: number;
  /** Highest value locked up to the incident; null: not known. */
  readonly lockedBeforeUsd: number | null;
  /** Value locked in the days after the incident; null: not known. */
  readonly lockedAfterUsd: number | null;
}

/** Incidents with a loss that was not returned in full, newest first. */
export function incidentsOf(context: Context): readonly Incident[] {
  return allIncidentsOf(context).filter((row) => row.lossUsd > 0);
}

/** Incidents with a loss, returned or not, newest first. */
export function allIncidentsOf(context: Context): readonly Incident[] {
  const list = consensusOf(context, 'incidents');
  if (!list || !Array.isArray(list.value)) return [];
  return (list.value as readonly unknown[])
    .map((row): Incident => {
      const { name, date, lossUsd, returnedUsd, resolved, lockedBeforeUsd, lockedAfterUsd } = fieldsOf(row);
      const at = Date.parse(String(date));
      const returned = Number(returnedUsd ?? 0);
      return {
        name: String(name ?? ''),
        day: dayOf(date),
        grossUsd: Number(lossUsd ?? 0),
        lossUsd: Number(lossUsd ?? 0) - returned,
        ageDays: (context.now - at) / DAY_MS,
        resolved: resolved === true || (!isHardened(context) && returned > 0),
        repaid: returned / Number(lossUsd ?? 0),
        lockedBeforeUsd: typeof lockedBeforeUsd === 'number' ? lockedBeforeUsd : null,
        lockedAfterUsd: typeof lockedAfterUsd === 'number' ? lockedAfterUsd : null,
      };
    })
    .filter((row) => Number.isFinite(row.lossUsd) && Number.isFinite(row.ageDays) && row.ageDays >= 0)
    .sort((a, b) => a.ageDays - b.ageDays);
}

/** True when enough lineage groups state that something of the loss came back: one list can be mistaken or persuaded. */
export function isRepaymentBorneOut(context: Context, { day }: Incident): boolean {
  const voices = consensusOf(context, 'incidents')?.voices ?? [];
  const states = (row: unknown) => {
    const { date, returnedUsd, resolved } = fieldsOf(row);
    return dayOf(date) === day && (resolved === true || Number(returnedUsd ?? 0) > 0);
  };
  const groups = voices.filter(({ accepted, value }) => accepted && Array.isArray(value) && value.some(states));
  return new Set(groups.map(({ family }) => family)).size >= context.methodology.flagConfidence.witnesses;
}

/** The loss without what was returned; since methodology 1.8.0 the whole loss where one list alone says that something was. */
export function countedLoss(context: Context, row: Incident): number {
  return isTightened(context) && !isRepaymentBorneOut(context, row) ? Math.max(row.grossUsd, row.lossUsd) : row.lossUsd;
}

function dayOf(date: unknown): string {
  return String(date).slice(0, 10);
}
