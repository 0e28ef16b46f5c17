import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { gridPoint } from '../../access/index.ts';
import { type JudgedReply, round, type ScoreRecord } from '../../contract/index.ts';
import type { StoredRating } from '../../monitoring/index.ts';
import {
  type Amount,
  type EvidenceFacts,
  type effectiveRules,
  evidenceFacts,
  type FiredRule,
  judge,
  type Verdict,
} from '../../policy/index.ts';
import { isSignedBy } from '../../signing/index.ts';
import { keyOf, planOf } from '../requests/account-request.ts';
import { howToRate, type RmsRouting } from '../rms/choose-rating.ts';
import type { RatedOutcome } from '../rms/rated-lookup.ts';

/** Number of evidence facts cached; each holds the curves of an asset's pools. */
const MOST_KEPT = 500;
/** A longer text names no asset. Replies repeat at most this many characters of it. */
const LONGEST_ECHO = 150;
/** Number of assets that are read from the store in parallel. */
const READ_AT_ONCE = 4;

/** An asset of a request with its rating and evidence. */
export interface Found {
  readonly requested: string;
  readonly assetId: string | null;
  readonly record: ScoreRecord | null;
  readonly absence: string;
  readonly isSigned: boolean;
  readonly correction: NonNullable<StoredRating['correction']> | null;
  readonly evidence: EvidenceFacts | null;
  /** Id of the job that is rating it now for the requesting account; null: none. */
  readonly jobId: string | null;
}

/** Finds the ratings of assets and their evidence for a caller's rules. Reads stored data and starts no work. */
export function createJudgedAssets({ context, lookup, cache }: RmsRouting) {
  const kept = new LRUCache<number, { readonly facts: EvidenceFacts | null }>({ max: MOST_KEPT });

  async function factsOf(rating: StoredRating, record: ScoreRecord): Promise<EvidenceFacts | null> {
    const known = kept.get(rating.id);
    if (known) return known.facts;
    const report = await context.scoring.report(rating.jobId);
    const isOfRating = report !== null && report.published.methodologyHash === record.methodology_hash;
    const facts = isOfRating ? evidenceFacts(report) : null;
    // Only found facts are cached: deleted evidence does not return, but a replica may be late.
    if (facts !== null) kept.set(rating.id, { facts });
    return facts;
  }

  async function isOurs(rating: StoredRating, record: ScoreRecord): Promise<boolean> {
    const isOfAsset = record.asset.id === rating.assetId && record.data_mode === context.dataMode;
    return isOfAsset && isSignedBy(await context.signingKeys(), rating.record, rating.signature);
  }

  async function find(request: FastifyRequest, requested: string): Promise<Found> {
    const outcome = lookup.peek(requested) ?? (await lookup.find(requested));
    const none = {
      requested: requested.slice(0, LONGEST_ECHO),
      record: null,
      isSigned: false,
      correction: null,
      evidence: null,
      jobId: null,
    };
    if (!outcome.ok) return { ...none, assetId: idOf(outcome), absence: whyNot(outcome) };
    const { assetId } = outcome;
    const point = gridPoint(context.now(), planOf(request).freshnessGridSeconds);
    const hot = await cache.load(assetId, point);
    if (hot === null) {
      const jobId = await context.scoring.underWay(assetId, keyOf(request).accountId);
      return { ...none, assetId, jobId, absence: 'The asset was never rated here.' };
    }
    const { rating } = hot;
    context.disclosures?.reads.note(keyOf(request).accountId, assetId);
    const record = JSON.parse(Buffer.from(rating.record).toString('utf8')) as ScoreRecord;
    const isSigned = await isOurs(rating, record);
    const evidence = isSigned ? await factsOf(rating, record) : null;
    return { ...none, assetId, record, absence: '', isSigned, correction: rating.correction ?? null, evidence };
  }

  return {
    /** Results in the order of the texts. A text that occurs twice is looked up once. */
    async findAll(request: FastifyRequest, texts: readonly string[]): Promise<readonly Found[]> {
      const distinct = [...new Set(texts)];
      const found = new Map<string, Found>();
      for (let at = 0; at < distinct.length; at += READ_AT_ONCE) {
        const part = distinct.slice(at, at + READ_AT_ONCE);
        for (const [index, one] of (await Promise.all(part.map((text) => find(request, text)))).entries())
          found.set(part[index] ?? '', one);
      }
      return texts.flatMap((text) => found.get(text) ?? []);
    },
    /** The judgement of one asset in the form of the reply. */
    judged(found: Found, rules: ReturnType<typeof effectiveRules>, amountUsd: Amount) {
      const verdict = judge(found, rules, amountUsd, context.now());
      return { verdict, reply: replyOf(found, verdict, context.scoringPath) };
    },
  };
}

function idOf(outcome: RatedOutcome & { readonly ok: false }): string | null {
  return outcome.code === 'not_rated' && outcome.read.kind === 'id' ? outcome.read.assetId : null;
}

function whyNot(outcome: RatedOutcome & { readonly ok: false }): string {
  if (outcome.code === 'malformed') return `The text names no asset: ${outcome.detail}`;
  if (outcome.code === 'ambiguous' && outcome.candidates.length === 1)
    return `The name alone does not identify an asset: registries list another one of this name too, or too few of them list the one that is rated; if it is meant, use its id (${outcome.candidates[0]?.asset.id}).`;
  if (outcome.code === 'ambiguous')
    return `${outcome.candidates.length} rated assets have this name: use an id (${outcome.candidates
      .slice(0, 3)
      .map(({ asset }) => asset.id)
      .join(', ')}).`;
  return 'There is no rating under this name.';
}

function replyOf(found: Found, verdict: Verdict, scoringPath: string): JudgedReply {
  const { assetId, evidence, jobId } = found;
  // Fields of an unsigned record are not passed on.
  const record = found.isSigned ? found.record : null;
  const path = assetId === null ? null : `/v1/rms/${encodeURIComponent(assetId)}`;
  const at = record === null ? '' : `?as_of=${encodeURIComponent(record.as_of)}`;
  const rating = record === null || path === null ? null : `${path}${at}`;
  const archive = record === null ? null : `/v1/jobs/${record.job_id}/evidence`;
  const breakdown = record === null || path === null ? [] : [`${path}/breakdown${at}`];
  const receipts = {
    rating: [...(rating === null ? [] : [rating]), ...breakdown],
    evidence: [...(archive === null ? [] : [archive]), ...breakdown],
    request: [],
  } satisfies Record<FiredRule['from'], readonly string[]>;
  const { exit } = verdict;
  return {
    requested: found.requested,
    asset_id: assetId,
    symbol: record?.asset.symbol ?? null,
    outcome: verdict.outcome,
    fired: verdict.fired.map(({ rule, outcome, decided, limit, found: seen, detail, flag, from }) => ({
      rule,
      outcome,
      decided,
      limit,
      found: seen,
      detail,
      flag,
      receipts: receipts[from],
    })),
    met: verdict.met,
    band: record?.band ?? 'NR',
    score: record?.score ?? null,
    trust_score: record?.trust_score ?? null,
    rating_as_of: record?.as_of ?? null,
    methodology_version: record?.methodology_version ?? null,
    largest_exposure: exit && {
      max_cost_pct: exit.maxCostPct,
      size_usd: Math.floor(exit.sizeUsd),
      received_usd: Math.floor(exit.receivedUsd),
      method: exit.method,
      pools: exit.pools,
      largest_pool: exit.largestPool?.scope ?? null,
      largest_pool_share_pct: exit.largestPool === null ? null : round(exit.largestPool.sharePct, 1),
      largest_provider_share_pct: evidence?.providerSharePct == null ? null : round(evidence.providerSharePct, 1),
    },
    rating,
    evidence: archive,
    next: verdict.wantsRating ? nextOf(found, path, jobId, scoringPath) : null,
  };
}

function nextOf({ assetId, record, requested }: Found, path: string | null, jobId: string | null, scoringPath: string) {
  const job = jobId === null ? null : `/v1/jobs/${jobId}`;
  if (record !== null && path !== null)
    return {
      detail: 'Rate the asset again, then repeat the check.',
      method: 'GET',
      path: `${path}?fresh=true`,
      body: null,
      job,
    };
  const read = assetId === null ? ({ kind: 'symbol', symbol: requested } as const) : ({ kind: 'id', assetId } as const);
  return { detail: 'Request a rating of the asset, then repeat the check.', ...howToRate(read, scoringPath), job };
}
