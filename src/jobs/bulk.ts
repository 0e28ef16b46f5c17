import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { BulkInput, BulkResult, BulkRowError, BulkRowView, Reply } from '../contract/index.ts';
import { DAY_MS, type ScoreRequest } from '../domain/index.ts';
import {
  type BulkJobRow,
  type BulkProgress,
  type BulkRow,
  type BulkRowState,
  bulkJobsOf,
  bulkProgress,
  bulkRows,
  cancelBulkJob,
  cancelWaitingRows,
  type Database,
  deleteOldBulkJobs,
  endBulkStep,
  insertBulkJob,
  type NewBulkRow,
  openBulkRows,
  setBulkRow,
  takeBulkJobs,
} from '../store/index.ts';
import { newJobId } from './attach.ts';
import { replyContext } from './run-score.ts';
import type { Job, JobFailure, ScoringService } from './types.ts';

/** The caller of a bulk job, with the limits of its plan. */
export interface BulkCaller {
  readonly accountId: string;
  readonly keyId: string;
  /** Rows that the plan allows; null: all. */
  readonly mostRows: number | null;
  /** Scoring jobs of the account that run at once; null: no limit. */
  readonly share: number | null;
  readonly plan: string;
  readonly idempotencyKey: string | null;
  readonly bodySha256: string;
}

export type BulkState = 'running' | 'finished' | 'cancelled';

/** A bulk job as API, CLI and MCP show it. */
export interface Bulk extends Pick<BulkProgress, 'states' | 'codes'> {
  readonly id: string;
  readonly state: BulkState;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly atOnce: number;
  readonly total: number;
  readonly done: number;
  /** Estimated seconds until it is finished; null before there is a basis for an estimate. */
  readonly etaSeconds: number | null;
}

/** Many assets scored as one job: stored before the reply, and continued by any live process. */
export interface BulkService {
  create(
    rows: readonly BulkInput[],
    asker: BulkCaller,
  ): Promise<
    { readonly ok: true; readonly bulk: Bulk } | { readonly ok: false; readonly code: 'idempotency_key_reused' }
  >;
  /** `accountId` null: any account. */
  get(id: string, accountId: string | null): Promise<Bulk | null>;
  list(page: {
    readonly accountId: string;
    readonly before: string | null;
    readonly limit: number;
  }): Promise<readonly Bulk[]>;
  rows(page: Parameters<typeof bulkRows>[1]): Promise<readonly Reply<typeof BulkRowView>[]>;
  cancel(id: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface BulkOptions {
  readonly db: Database;
  readonly scoring: Pick<ScoringService, 'submit' | 'get' | 'report' | 'cancel'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Time limit of one row, seconds. */
  readonly deadlineSeconds: number;
  /** False: jobs are created and read here, and run by other processes. */
  readonly works: boolean;
  readonly onError: (error: unknown, what: string) => void;
}

/**
 * Rows of one bulk job that are scored at once; the rest of the plan's limit stays free for the account's other scores.
 */
const MOST_AT_ONCE = 8;
const SHARE_OF_PLAN = 0.75;
const MOST_INTERRUPTIONS = 2;
const STEP_SECONDS = 0.4;
const IDLE_MS = 1_000;
const MOST_TAKEN = 10;
const KEPT_DAYS = 30;
const TIDY_MS = 3_600_000;

/** Bulk jobs on the store. With `works`, this process runs rows of them. */
export function openBulk(options: BulkOptions): BulkService {
  const { db, scoring, now, random, deadlineSeconds, onError } = options;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | null = null;
  let closed = false;
  let tidiedAt = Number.NEGATIVE_INFINITY;

  async function turn(): Promise<boolean> {
    const taken = await takeBulkJobs(db, MOST_TAKEN);
    await Promise.all(
      taken.map(async (job) => {
        const next = await step(job).catch((error: unknown) => {
          onError(error, `bulk job ${job.id}`);
          return { seconds: 5 };
        });
        await endBulkStep(db, job, next);
      }),
    );
    if (now() - tidiedAt > TIDY_MS) {
      tidiedAt = now();
      await deleteOldBulkJobs(db, new Date(now() - KEPT_DAYS * DAY_MS).toISOString());
    }
    return taken.length > 0;
  }

  function plan(afterMs: number): void {
    if (closed || !options.works) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      working ??= turn()
        .then((busy) => plan(busy ? STEP_SECONDS * 1000 : IDLE_MS))
        .catch((error: unknown) => {
          onError(error, 'bulk jobs');
          plan(IDLE_MS * 5);
        })
        .finally(() => {
          working = null;
        });
    }, afterMs);
    timer.unref();
  }

  /** Settles rows whose jobs ended, and submits the next ones. Idempotent: every row names its job by its number. */
  async function step(job: BulkJobRow): Promise<Parameters<typeof endBulkStep>[2]> {
    const at = new Date(now()).toISOString();
    if (job.cancelled_at !== null) await cancelWaitingRows(db, job.id, at);
    const open = await openBulkRows(db, job.id, job.at_once);
    let running = 0;
    for (const row of open.filter((one) => one.state === 'running')) {
      const ended = await outcomeOf(row, job.cancelled_at !== null);
      if (ended === 'again') await setBulkRow(db, row, 'running', againOf(row));
      else if (ended === null) running += 1;
      else await setBulkRow(db, row, 'running', { ...ended, ended_at: at });
    }
    for (const row of open.filter((one) => one.state === 'waiting')) {
      if (running >= job.at_once) break;
      if (!(await submit(job, row))) break;
      running += 1;
    }
    const isOpen = running > 0 || open.some((row) => row.state === 'waiting');
    return isOpen || (await openBulkRows(db, job.id, 1)).length > 0 ? { seconds: STEP_SECONDS } : { finishedAt: at };
  }

  /** False when no slot is free now: the row keeps its position. */
  async function submit(job: BulkJobRow, row: BulkRow): Promise<boolean> {
    const submitted = await scoring.submit(JSON.parse(row.request ?? '{}') as ScoreRequest, {
      keyId: job.key_id,
      // Keys of callers contain no space, so this name cannot collide. If the process dies before the next line,
      // nothing is submitted twice.
      idempotencyKey: `${job.id} ${row.row_number} ${row.interruptions}`,
      deadlineSeconds: job.deadline_seconds,
      ...(job.share === null ? {} : { share: { accountId: job.account_id, most: job.share } }),
    });
    if (!submitted.ok) return false;
    await setBulkRow(db, row, 'waiting', { state: 'running', job_id: submitted.job.id });
    return true;
  }

  /** Outcome of a row's job; null while it runs. */
  async function outcomeOf(
    row: BulkRow,
    isCancelled: boolean,
  ): Promise<{ readonly state: BulkRowState; readonly outcome: string | null } | 'again' | null> {
    const job = row.job_id === null ? null : await scoring.get(row.job_id);
    if (job === null) return { state: 'failed', outcome: JSON.stringify(LOST) };
    if (job.state === 'succeeded') {
      const result = await resultOf(job);
      return result === null
        ? { state: 'failed', outcome: JSON.stringify(LOST) }
        : { state: 'rated', outcome: JSON.stringify(result) };
    }
    if (job.state === 'cancelled') return { state: 'cancelled', outcome: null };
    // Its processes died: the row is scored again, up to a limit, so that a row that kills processes ends.
    if (job.failure?.code === 'interrupted' && row.interruptions < MOST_INTERRUPTIONS && !isCancelled) return 'again';
    if (job.failure !== null) return { state: 'failed', outcome: JSON.stringify(errorOf(job.failure)) };
    if (isCancelled && job.state === 'queued') await scoring.cancel(job.id);
    return null;
  }

  /** Result of a job that succeeded; null when its report was deleted. */
  async function resultOf(job: Job): Promise<Reply<typeof BulkResult> | null> {
    const report = await scoring.report(job.id);
    if (report === null) return null;
    const { rating, decision, evidence } = report;
    const { asset } = evidence.identification;
    return {
      asset: asset.id,
      symbol: asset.symbol,
      name: asset.name,
      band: rating.band,
      score: rating.score,
      trust_score: rating.trust.score,
      published: decision.published,
      as_of: evidence.asOf,
      warnings: replyContext(job, report, { asked: job.request, warnings: [], now: now() }).warnings,
    };
  }

  const standing = async (id: string, accountId: string | null) => {
    const found = await bulkProgress(db, id, accountId);
    return found && bulkOf(found, now());
  };

  plan(0);
  return {
    async create(rows, asker) {
      const id = newJobId('bulk', { now, random });
      const limit = asker.share === null ? MOST_AT_ONCE : Math.floor(asker.share * SHARE_OF_PLAN);
      const stored = await insertBulkJob(
        db,
        {
          id,
          account_id: asker.accountId,
          key_id: asker.keyId,
          created_at: new Date(now()).toISOString(),
          deadline_seconds: Math.round(deadlineSeconds),
          at_once: Math.max(1, Math.min(MOST_AT_ONCE, limit)),
          share: asker.share,
          idempotency_key: asker.idempotencyKey,
          body_sha256: asker.bodySha256,
        },
        plannedRows(rows, asker, new Date(now()).toISOString()),
      );
      if (stored.outcome === 'reused') return { ok: false, code: 'idempotency_key_reused' };
      plan(0);
      const bulk = await standing(stored.job.id, asker.accountId);
      if (bulk === null) throw new Error(`bulk job ${stored.job.id} went away`);
      return { ok: true, bulk };
    },
    get: standing,
    async list(page) {
      const jobs = await bulkJobsOf(db, page);
      const found = await Promise.all(jobs.map((job) => standing(job.id, page.accountId)));
      return found.filter((bulk) => bulk !== null);
    },
    rows: async (page) => (await bulkRows(db, page)).map(rowView),
    async cancel(id) {
      const isDone = await cancelBulkJob(db, id, new Date(now()).toISOString());
      if (isDone) plan(0);
      return isDone;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await working;
    },
  };
}

/** A row whose job was interrupted is queued once more. */
function againOf({ interruptions }: BulkRow) {
  return { state: 'waiting', job_id: null, interruptions: interruptions + 1 } as const;
}

/**
 * The rows as stored: rows that repeat an earlier row, cannot be read or exceed the plan state this and are not
 * started.
 */
function plannedRows(rows: readonly BulkInput[], asker: BulkCaller, at: string): NewBulkRow[] {
  const first = new Map<string, number>();
  let begun = 0;
  return rows.map(({ requested, read }, index): NewBulkRow => {
    const row = { row_number: index + 1, requested: JSON.stringify(requested), request: null, duplicate_of: null };
    if (!read.ok) {
      const detail = read.errors.map((error) => `${error.pointer.slice(1) || 'row'}: ${error.detail}`).join('; ');
      const error = { ...REFUSED_ROW, detail, errors: [...read.errors] };
      return { ...row, state: 'refused', outcome: JSON.stringify(error), ended_at: at };
    }
    const words = wordsOf(read.value);
    const earlier = first.get(words);
    if (earlier !== undefined)
      return { ...row, state: 'duplicate', duplicate_of: earlier, outcome: null, ended_at: at };
    first.set(words, index + 1);
    if (asker.mostRows !== null && begun >= asker.mostRows)
      return { ...row, state: 'refused', outcome: JSON.stringify(overPlan(asker)), ended_at: at };
    begun += 1;
    return { ...row, request: JSON.stringify(read.value), state: 'waiting', outcome: null, ended_at: null };
  });
}

/** Equal for rows with the same request: blanks and letter case are ignored, except the case of Solana addresses. */
function wordsOf(request: ScoreRequest): string {
  const words = Object.entries(request).map(([name, value]) => {
    const text = typeof value === 'string' ? value.trim() : value;
    const isExact = name === 'projectUrl' || (name === 'tokenAddress' && !/^0x/i.test(String(text)));
    const isNamed = name === 'project' && request.tokenAddress !== null;
    // A request with an address repeats the address as its project's name, in any spelling.
    return [
      name,
      isNamed && typeof text === 'string' && text.includes(request.tokenAddress ?? '')
        ? null
        : isExact
          ? text
          : typeof text === 'string'
            ? text.toLowerCase()
            : text,
    ];
  });
  return createHash('sha256')
    .update(canonicalize(Object.fromEntries(words)) ?? '')
    .digest('hex');
}

function bulkOf({ job, states, codes }: BulkProgress, now: number): Bulk {
  const total = Object.values(states).reduce((sum, rows) => sum + rows, 0);
  const open = (states.waiting ?? 0) + (states.running ?? 0);
  const scored = (states.rated ?? 0) + (states.failed ?? 0);
  const seconds = Math.max(1, (now - Date.parse(job.created_at)) / 1000);
  const state = job.finished_at === null ? 'running' : job.cancelled_at === null ? 'finished' : 'cancelled';
  return {
    id: job.id,
    state,
    createdAt: job.created_at,
    finishedAt: job.finished_at,
    atOnce: job.at_once,
    total,
    done: total - open,
    states,
    codes,
    etaSeconds: open === 0 || scored === 0 || state !== 'running' ? null : Math.ceil((open * seconds) / scored),
  };
}

function rowView(row: BulkRow): Reply<typeof BulkRowView> {
  const outcome = row.outcome === null ? null : (JSON.parse(row.outcome) as unknown);
  const state = row.state as BulkRowState;
  return {
    row: row.row_number,
    requested: JSON.parse(row.requested) as Reply<typeof BulkRowView>['requested'],
    state,
    job_id: row.job_id,
    duplicate_of: row.duplicate_of,
    result: state === 'rated' ? (outcome as Reply<typeof BulkResult>) : null,
    error: state === 'failed' || state === 'refused' ? (outcome as Reply<typeof BulkRowError>) : null,
    ended_at: row.ended_at,
  };
}

function errorOf({ code, title, detail, retry, candidates, tried }: JobFailure): Reply<typeof BulkRowError> {
  return {
    code,
    title,
    detail,
    retry,
    ...(candidates.length > 0
      ? {
          candidates: candidates.map(({ asset, why }) => ({
            id: asset.id,
            symbol: asset.symbol,
            name: asset.name,
            why,
          })),
        }
      : {}),
    ...(tried.length > 0 ? { tried: [...tried] } : {}),
  };
}

function overPlan({ plan, mostRows }: BulkCaller): Reply<typeof BulkRowError> {
  return {
    code: 'over_plan',
    title: 'The plan allows no more rows',
    detail: `The plan ${plan} scores ${mostRows} rows of one bulk job; this row comes after them. Send it in another one.`,
    retry: 'corrected',
    ...(mostRows === null ? {} : { limit: mostRows }),
  };
}

const REFUSED_ROW = { code: 'validation_failed', title: 'The row is not right', retry: 'corrected' } as const;
const LOST: Reply<typeof BulkRowError> = {
  code: 'job_not_found',
  title: 'The score of the row is not kept any more',
  detail: 'Its job or its report was deleted before its end was noted. Send the row again.',
  retry: 'same',
};
