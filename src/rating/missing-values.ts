import {
  type AdverseFeature,
  DAY_MS,
  type Feature,
  type Json,
  REPLIED,
  type ResponseRecord,
  sourceFor,
  sourcesFor,
} from '../domain/index.ts';
import { type FeatureDefinition, type Methodology, pointsOf } from '../methodology/index.ts';
import { shrinkOf } from './arithmetic/factors.ts';
import { answered, type Context, type FeatureReading, isRevised, type Known } from './context.ts';

/** Outcomes of requests that were not sent: the other party withheld nothing. */
const NOT_SENT: ReadonlySet<string> = new Set(['disabled', 'unsupported', 'budget_spent', 'cancelled']);
/** Registries that name a project's website and repositories. */
const REGISTRIES = sourcesFor('project_links');
const [SITE, CODE] = [sourceFor('site'), sourceFor('code')];
/** Endpoints of a site that fetch a page for people. */
const PAGES: ReadonlySet<string> = new Set(['home', 'page', 'facts', 'paper']);

type Place = 'site' | 'repository' | 'verifier' | 'host' | 'register';
/**
 * Where the rated party would publish a feature that it can withhold. Features not listed here are published on its
 * site.
 */
const PLACES: Readonly<Record<string, Place>> = {
  dv_devs: 'repository',
  dv_commits: 'repository',
  dv_recency: 'repository',
  pc_devs: 'repository',
  pc_commits: 'repository',
  pc_recency: 'repository',
  pc_original: 'repository',
  ct_stars: 'repository',
  ts_verified: 'verifier',
  wi_certificate: 'host',
  // Where no register row exists, none is requested; a source that looked for it and did not find it reports that.
  sd_unlock: 'register',
  sd_insider: 'register',
  ts_bounty: 'register',
  fu_claim: 'register',
  fu_attest: 'register',
  fu_assets: 'register',
  fu_segreg: 'register',
  fu_redeem: 'register',
  fu_legal: 'register',
  fu_por: 'register',
  gt_accounts: 'register',
};

/**
 * Whether a request for a withholdable feature reached the rated party, so that a missing value counts as withheld. A
 * site counts as requested when a request reached it or should have: a missing host, a timeout, an error or a refusal
 * by its own host are attributed to the party, provided that enough other sources replied. A spent budget and a
 * disabled source are attributed to Assay. If registries replied and none names a site, the project has published none.
 */
export function isPartyRequested(context: Context, featureId: string): boolean {
  const place = PLACES[featureId] ?? 'site';
  if (place === 'site') return isSiteRequested(context);
  if (place === 'repository') return isRepositoryRequested(context);
  if (place === 'verifier') return answered(context, sourcesFor('verified_code')) > 0;
  return place === 'host' && wasRequested(context, sourceFor('certificate'));
}

/** True when the project's own website was requested, whatever its reply. */
export function isSiteRequested(context: Context): boolean {
  const site = context.input.sources.find((row) => row.name === SITE);
  if (site === undefined || site.outcome === 'disabled') return false;
  return site.asked === 0 ? answered(context, REGISTRIES) > 0 : wasRequested(context, SITE);
}

/** True when pages of the site were requested and returned no content: their content is unknown. */
export function isSiteLost(context: Context): boolean {
  return isSiteRequested(context) && (context.input.lostPages ?? []).length > 0;
}

/**
 * Addresses of pages of the rated party's site that were requested and returned no content: missing, timed out,
 * refused, broken or empty.
 */
export function lostPagesOf(responses: readonly ResponseRecord[]): readonly string[] {
  const lost = responses.filter(
    ({ source, endpoint, outcome, bytes }) =>
      source === SITE && PAGES.has(endpoint) && !NOT_SENT.has(outcome) && (outcome !== 'ok' || bytes === 0),
  );
  return [...new Set(lost.map(({ params }) => urlIn(params)))].sort();
}

function urlIn(params: Json): string {
  const { url } = (typeof params === 'object' && params !== null ? params : {}) as Readonly<Record<string, Json>>;
  return typeof url === 'string' ? url : '';
}

function isRepositoryRequested(context: Context): boolean {
  if (answered(context, [CODE]) > 0) return true;
  const github = context.input.sources.find((row) => row.name === CODE);
  // There is no repository to request: neither the site nor a registry names one.
  const isNamed = context.input.identification.keys.githubRepos.length > 0 || (github?.asked ?? 0) > 0;
  return github !== undefined && github.outcome !== 'disabled' && !isNamed && isSiteRequested(context);
}

/** True when a request was sent to the rated party's own host and the host replied or failed by itself. */
function wasRequested(context: Context, source: string): boolean {
  const row = context.input.sources.find(({ name }) => name === source);
  if (row === undefined || row.asked === 0) return false;
  if (row.answered > 0 || REPLIED.has(row.outcome)) return true;
  const others = context.input.sources.filter(({ name, answered }) => name !== source && answered > 0).length;
  return (
    others >= context.methodology.featureRules.otherSources &&
    row.failures.some(({ outcome }) => !NOT_SENT.has(outcome))
  );
}

/**
 * The known value that contributes most to a feature, by its points and confidence; the first in a tie. Null without
 * any.
 */
export function bestOf<Value extends number | string>(
  context: Context,
  featureId: string,
  rows: readonly Known<Value>[],
): Known<Value> | null {
  const definition = context.methodology.features.find((row) => row.id === featureId);
  if (definition === undefined) return rows[0] ?? null;
  const { shrinkConstant, prior } = context.methodology.aggregation;
  const rest = definition.silence.points ?? prior;
  const worth = ({ value, confidence }: Known<Value>) =>
    shrinkOf(confidence, shrinkConstant) * ((pointsOf(definition, value) ?? rest) - rest);
  return rows.reduce<Known<Value> | null>(
    (best, row) => (best === null || worth(row) > worth(best) ? row : best),
    null,
  );
}

/** Points used for the unknown part of a feature, and whether the rated party withholds the value. */
export function restOf(
  context: Context,
  { id, status, atLeast, isOurs }: FeatureReading,
  { silence }: FeatureDefinition,
  prior: number,
): { readonly rest: number; readonly silent: boolean } {
  const last = silence.kind === 'N' ? undefined : context.input.lastAdverse?.[id];
  const days = last === undefined ? Number.POSITIVE_INFINITY : (context.now - Date.parse(last.at)) / DAY_MS;
  const stands = last !== undefined && days <= context.methodology.aggregation.adverseDays;
  // A value that a third party does not list gets the points that the methodology sets for that case, if any.
  const counts = silence.missingOnly !== true || status === 'unknown' || status === 'absent';
  const unlisted = silence.kind === 'T' && counts ? (silence.points ?? prior) : prior;
  const usual = stands ? Math.min(prior, last.points) : unlisted;
  const asked = silence.kind === 'P' && silence.points !== null && isOurs !== true && isPartyRequested(context, id);
  const rest = asked ? (silence.points ?? prior) : usual;
  return {
    rest: atLeast === undefined ? rest : Math.max(rest, atLeast),
    silent: asked && (status === 'unknown' || status === 'absent'),
  };
}

/**
 * True when the last adverse value changes nothing: the feature does not apply any more, or already counts as little.
 * A worse value that is hardly known can count for more than one that was well known: then the latter stays.
 */
function isAdverseAs(
  { status, score, confidence, rest }: Feature,
  last: AdverseFeature,
  methodology: Methodology,
): boolean {
  if (!isRevised({ methodology })) return score !== null && score <= last.points;
  if (status === 'not_applicable') return true;
  if (score === null || score > last.points) return false;
  const { shrinkConstant } = methodology.aggregation;
  const counted = (points: number, sure: number) => rest + shrinkOf(sure, shrinkConstant) * (points - rest);
  return counted(score, confidence) <= counted(last.points, last.confidence);
}

/** Features with the last adverse values that their sources no longer state; unchanged without `recall`. */
export function withLastAdverse(
  features: readonly Feature[],
  recall: readonly AdverseFeature[] | undefined,
  methodology: Methodology,
): readonly Feature[] {
  return features.map((feature) => {
    const last = recall?.find((one) => one.feature === feature.id);
    if (last === undefined || isAdverseAs(feature, last, methodology)) return feature;
    const detail = `last seen on ${last.seenAt.slice(0, 10)} (${last.families.join(', ')}); nobody has said otherwise`;
    return {
      ...feature,
      status: 'observed',
      score: last.points,
      confidence: Math.max(last.confidence, feature.confidence),
      method: detail,
      rationale: `${feature.name}: ${detail}`,
    };
  });
}
