import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EvidenceRecord, ScoreReport } from '../domain/index.ts';
import {
  appendEventsOfJobs,
  finishJobs,
  type KeptBody,
  knownBodies,
  packBody,
  storeBodies,
  storeEvidence,
  storePeers,
} from '../store/index.ts';
import { archivedOf, expiryAfter, keptDays, resultEvents } from './finish.ts';
import type { ArchivedBody, ScoringOptions } from './types.ts';

/** A completed collection whose result is to be stored. */
export interface Collected {
  readonly jobId: string;
  readonly keyId: string;
  readonly assetId: string;
  readonly evidence: EvidenceRecord;
  readonly bodies: readonly ArchivedBody[];
}

/** Most collections that end together: their assets are locked while all of them are rated. */
const MOST_TOGETHER = 16;

/**
 * Ends collections of different assets requested by one key, with the same statements for one as for many: results,
 * evidence, bodies, published ratings with their alerts and snapshots, peers and last events in one transaction.
 * Unpublished results are stored with an expiry, and change neither ratings nor peers nor alerts. Returns the reports
 * by job. Nothing is stored of a job whose lease was lost in the meantime: another process has it.
 */
export async function finishCollections(
  options: ScoringOptions,
  given: readonly Collected[],
): Promise<ReadonlyMap<string, ScoreReport>> {
  const { db, now, instanceId } = options;
  const at = new Date(now()).toISOString();
  // In a fixed order, so that locks on rows of several assets cannot deadlock.
  const inOrder = [...given].sort((one, other) => (one.assetId < other.assetId ? -1 : 1));
  const keyId = inOrder[0]?.keyId ?? '';
  const [kept, prepared] = await Promise.all([
    packBodies(options, inOrder),
    Promise.all(
      inOrder.map(async (one) => ({
        ...one,
        days: await keptDays(options, one.jobId, one.keyId),
        storeSnapshots: await options.snapshots?.open(one.assetId, one.evidence.asOf),
      })),
    ),
  ]);
  const ended = await db.transaction().execute(async (transaction) => {
    // The history is read under the lock: two ratings of one asset that end together are published one after the other.
    const states = await options.book.lock(
      transaction,
      inOrder.map((one) => one.assetId),
    );
    const built: (Ready & { readonly report: ScoreReport })[] = [];
    for (const one of prepared) {
      // Yields to the event loop between two ratings.
      if (built.length > 0) await nextTurn();
      built.push({ ...one, report: options.build({ ...one.evidence, publication: states.get(one.assetId) ?? null }) });
    }
    const isOurs = await finishJobs(
      transaction,
      instanceId,
      built.map(({ jobId, report, days }) => {
        const expiresAt = report.decision.published ? null : expiryAfter(options, days);
        return { id: jobId, ended: { state: 'succeeded' as const, failure: null, at, expiresAt } };
      }),
    );
    const ours = built.filter(({ jobId }) => isOurs.has(jobId));
    if (ours.length === 0) return ours;
    await storeEvidence(
      transaction,
      ours.map(({ jobId, report }) => archivedOf(options, jobId, report, at)),
    );
    await storeBodies(transaction, bodiesOf(options, ours, kept), now());
    const published = ours.filter(({ report }) => report.decision.published);
    if (published.length > 0) {
      const reports = published.map(({ report }) => report);
      await options.book.keep(transaction, reports, { at, keyId });
      for (const { storeSnapshots, report } of published) await storeSnapshots?.(transaction, report, at);
      // An incomplete collection does not enter the peer panel, even where the current rating is published again.
      const yardsticks = reports
        .filter(({ state }) => state.weak === undefined)
        .map((report) => options.peerOf(report));
      await storePeers(
        transaction,
        yardsticks.filter((peer) => peer !== null),
      );
    }
    for (const { report } of ours) if (!report.decision.published) await options.book.hold(transaction, report, { at });
    await appendEventsOfJobs(
      transaction,
      ours.map(({ jobId, report }) => ({ jobId, events: resultEvents(report, at) })),
    );
    return ours;
  });
  for (const { report } of ended)
    if (report.decision.published) options.onRated?.(report.evidence.identification.asset);
  return new Map(ended.map(({ jobId, report }) => [jobId, report]));
}

type Ready = Collected & {
  /** Days until an unpublished result, and its replies at the latest, are deleted. */
  readonly days: number;
  readonly storeSnapshots: Awaited<ReturnType<NonNullable<ScoringOptions['snapshots']>['open']>> | undefined;
};

/** Every body once, kept as long as the collection with the longest retention. */
function bodiesOf(
  options: ScoringOptions,
  ours: readonly (Ready & { readonly report: ScoreReport })[],
  kept: ReadonlyMap<string, KeptBody>,
): readonly KeptBody[] {
  const days = new Map<string, number>();
  for (const one of ours) {
    const most = one.report.decision.published
      ? options.bodyRetentionDays
      : Math.min(options.bodyRetentionDays, one.days);
    for (const { sha256, keepDays } of one.bodies)
      days.set(sha256, Math.max(days.get(sha256) ?? 0, Math.min(keepDays ?? most, most)));
  }
  return [...days].flatMap(([sha256, keepDays]) => {
    const body = kept.get(sha256);
    return body === undefined ? [] : [{ ...body, keepDays }];
  });
}

/** Bodies that are kept, by hash; compressed outside of the transaction, which stays short. */
async function packBodies(
  options: ScoringOptions,
  given: readonly Collected[],
): Promise<ReadonlyMap<string, KeptBody>> {
  const longest = options.bodyRetentionDays;
  const bodies = new Map<string, ArchivedBody & { readonly keepDays: number }>();
  for (const body of given.flatMap((one) => one.bodies)) {
    const keepDays = Math.min(body.keepDays ?? longest, longest);
    if (keepDays > 0) bodies.set(body.sha256, { ...body, keepDays });
  }
  const known = await knownBodies(options.db, [...bodies.keys()], options.now());
  const packed = await Promise.all(
    [...bodies.values()].map(async (body) =>
      known.has(body.sha256) ? { sha256: body.sha256, packed: null, keepDays: body.keepDays } : packBody(body),
    ),
  );
  return new Map(packed.map((body) => [body.sha256, body]));
}

interface Waiting {
  readonly collected: Collected;
  readonly outcome: PromiseWithResolvers<ScoreReport | null>;
}

/**
 * Ends each collection as soon as possible. Background ones (`backgroundKeyId`) end together where several are ready: a
 * single one does not wait, and those that become ready while others are stored form the next group. Null: its lease
 * was lost.
 */
export function createFinisher(options: ScoringOptions): (collected: Collected) => Promise<ScoreReport | null> {
  let waiting: readonly Waiting[] = [];
  let isStoring = false;

  const alone = async (collected: Collected) =>
    (await finishCollections(options, [collected])).get(collected.jobId) ?? null;

  async function storeWaiting(): Promise<void> {
    isStoring = true;
    while (waiting.length > 0) {
      const group = nextGroup(waiting);
      waiting = waiting.filter((one) => !group.includes(one));
      await storeGroup(group);
    }
    isStoring = false;
  }

  /**
   * Never rejects. If a group cannot be stored, one of its members may be the cause: each is then stored, or fails, on
   * its own.
   */
  async function storeGroup(group: readonly Waiting[]): Promise<void> {
    if (group.length > 1) {
      const ended = await finishCollections(
        options,
        group.map((one) => one.collected),
      ).catch(() => null);
      if (ended !== null) {
        for (const { collected, outcome } of group) outcome.resolve(ended.get(collected.jobId) ?? null);
        return;
      }
    }
    for (const { collected, outcome } of group) await alone(collected).then(outcome.resolve, outcome.reject);
  }

  return (collected) => {
    if (collected.keyId !== options.backgroundKeyId) return alone(collected);
    const outcome = Promise.withResolvers<ScoreReport | null>();
    waiting = [...waiting, { collected, outcome }];
    if (!isStoring) void storeWaiting();
    return outcome.promise;
  };
}

/** The longest waiting ones, each of another asset. */
function nextGroup(waiting: readonly Waiting[]): readonly Waiting[] {
  const byAsset = new Map<string, Waiting>();
  for (const one of waiting)
    if (byAsset.size < MOST_TOGETHER && !byAsset.has(one.collected.assetId)) byAsset.set(one.collected.assetId, one);
  return [...byAsset.values()];
}
