import { randomBytes } from 'node:crypto';
import { findChain } from '../chains/index.ts';
import type {
  Asset,
  AssetHistory,
  DriverDay,
  EvidenceRecord,
  Identification,
  PeerRow,
  PreviousRating,
  ResponseRecord,
  ScoreRequest,
} from '../domain/index.ts';
import {
  assemble,
  type BulkLists,
  carryOver,
  collect,
  createEarlyRequests,
  createJobRequester,
  type PendingRequests,
  type PublishedEvidence,
  type RecordedReply,
  type SourceBook,
  sortObservations,
} from '../evidence/index.ts';
import { type IdentityResult, identify, type Likely } from '../identity/index.ts';
import type { Methodology } from '../methodology/index.ts';
import type { Upstream } from '../upstream/index.ts';
import { failureOf } from './failures.ts';
import { type HolderScan, holderScanEvidence, type KeptLaunch, launchEvidence, withoutKept } from './kept-snapshots.ts';
import { type ListedPeers, withListed } from './peers.ts';
import { matchPublished } from './rated-names.ts';
import type { ArchivedBody, EarlyRequestTerms, JobWork, WorkTools } from './types.ts';
import { underlyingOf, underlyingsOf } from './underlying.ts';

export interface ScoreTools {
  readonly book: SourceBook;
  readonly upstream: Upstream;
  readonly bulk: BulkLists;
  readonly methodology: Methodology;
  readonly dataMode: 'live' | 'sandbox';
  readonly now: () => number;
  /** Monotonic milliseconds, for deadlines and durations. */
  readonly ticks: () => number;
  /** Current peers, for vfr. */
  readonly peers: (asOf: string) => Promise<readonly PeerRow[]>;
  /** Peers from lists of all assets. */
  readonly listedPeers: ListedPeers;
  /** Assets with a published rating whose name or ticker equals one of these texts, in any case. */
  readonly ratedCalled: (words: readonly string[]) => Promise<readonly Asset[]>;
  /** The asset's own drivers on earlier days. */
  readonly driverDays: (assetId: string, asOf: string) => Promise<readonly DriverDay[]>;
  readonly previous: (assetId: string) => Promise<PreviousRating | null>;
  /** The last score an asset was published with; null for one that was never published. */
  readonly lastScore: (assetId: string) => Promise<{ readonly score: number | null } | null>;
  /** Evidence of the newest published collection of an asset; null when it has none, or it is no longer kept. */
  readonly published: (assetId: string) => Promise<PublishedEvidence | null>;
  /** The newest complete scan of the asset's holders that is not too old; null without one. */
  readonly holderScan: (assetId: string, asOf: string) => Promise<HolderScan | null>;
  /** The asset's launch, where the forensics have read it. */
  readonly launch: (assetId: string, asOf: string) => Promise<KeptLaunch | null>;
  /** Snapshots of the asset before that time. */
  readonly history: (assetId: string, asOf: string) => Promise<AssetHistory | null>;
  readonly onRequest?: (source: string, outcome: string, milliseconds: number) => void;
}

/** Longest wait of a rating for the lists of its peers. */
const LIST_PATIENCE_MS = 10_000;
/** Reserved before the deadline for consensus, rating and storing. */
const RESERVE_MS = 750;
/** Least share of the deadline for requests, for deadlines so short that the reserve would take most of them. */
const LEAST_SHARE = 0.5;

/** Builds the work of scoring jobs: identification of the asset of a request, and the collection of an asset. */
export function createJobWork(tools: ScoreTools): JobWork {
  return {
    async find(job, { deadlineMs, signal, emit, early: terms }) {
      const { requester, ahead, onLikely, started, isLate, close } = openAhead({ deadlineMs, signal, emit }, [], terms);
      let isFound = false;
      try {
        const { found, ratedAs } = await identifyOrKnown(job.request, requester, tools, onLikely);
        if (signal.aborted) return { ok: false, failure: failureOf.cancelled() };
        // Sources that got no request before the deadline prove nothing: the caller must not be informed that the asset
        // does not exist.
        if (!found.ok)
          return {
            ok: false,
            failure:
              found.kind === 'not_identified' && isLate()
                ? failureOf.nobodyAnswered(found.tried)
                : failureOf.identity(found, job.request),
            ...(ratedAs === undefined ? {} : { ratedAs }),
          };
        const { identification } = found;
        emit({ type: 'identified', asset: identification.asset, match: identification.match });
        isFound = true;
        return {
          ok: true,
          identification,
          replies: requester.replies,
          early: ahead,
          partial: (request) =>
            evidenceOf(
              { id: job.id, request, purpose: 'partial' },
              identification,
              requester.replies(),
              started,
              tools,
            ),
        };
      } finally {
        if (!isFound) ahead?.stop();
        close();
      }
    },
    async collect(job, { deadlineMs, signal, emit, known, early: given, onFound, isBackground }) {
      const work = { deadlineMs, signal, emit, isBackground };
      // A scheduled collection has no waiting caller.
      const isOpen = given !== null || isBackground === true;
      const { requester, ahead, onLikely, started, close } = isOpen
        ? { ...open(work, known, given === null ? [] : [given]), ahead: given, onLikely: null }
        : openAhead(work, known, { isWanted: async (assetId) => assetId === job.assetId, mostMs: deadlineMs });
      try {
        const found = await identify(job.request, requester, tools.methodology, onLikely);
        if (signal.aborted) return { ok: false, failure: failureOf.cancelled() };
        if (!found.ok) return { ok: false, failure: failureOf.identity(found, job.request) };
        const { identification } = found;
        if (identification.asset.id !== job.assetId)
          return { ok: false, failure: failureOf.otherAsset(job.assetId, identification.asset) };
        emit({ type: 'identified', asset: identification.asset, match: identification.match });
        onFound((id) =>
          evidenceOf(
            { id, request: job.request, purpose: 'partial' },
            identification,
            requester.replies(),
            started,
            tools,
          ),
        );
        // Lists that a new installation does not have yet are fetched in parallel with the sources.
        const lists = tools.listedPeers(LIST_PATIENCE_MS);
        await collect(requester, tools.book, factsOf(identification));
        await lists;
        if (signal.aborted) return { ok: false, failure: failureOf.cancelled() };
        const subject = { id: job.id, request: job.request, purpose: 'publication' as const };
        const evidence = await evidenceOf(subject, identification, requester.replies(), started, tools);
        if (evidence === null) return { ok: false, failure: failureOf.nobodyAnswered() };
        return { ok: true, evidence, bodies: bodiesOf(requester.replies(), tools.book) };
      } finally {
        ahead?.stop();
        close();
      }
    },
  };

  /**
   * The requester of one job that identifies an asset, with early requests for the collection that is likely to follow.
   */
  function openAhead(work: WorkTools, known: readonly RecordedReply[], terms: EarlyRequestTerms | undefined) {
    const beside: PendingRequests[] = [];
    const opened = open(work, known, beside);
    if (terms === undefined) return { ...opened, ahead: null, onLikely: null };
    const ahead = createEarlyRequests({
      book: tools.book,
      upstream: tools.upstream,
      bulk: tools.bulk,
      now: tools.now,
      ticks: tools.ticks,
      mostMs: requestMsOf(terms.mostMs),
      traceparent: traceparent(),
      beside: opened.requester,
      onReply: (event, isTaken) => {
        if (!isTaken) tools.onRequest?.(event.source, event.outcome, event.milliseconds);
      },
    });
    beside.push(ahead);
    const wanted = new Map<string, Promise<boolean>>();
    const onLikely = (likely: Likely) => {
      const { id } = likely.asset;
      const isWanted = wanted.get(id) ?? terms.isWanted(id);
      wanted.set(id, isWanted);
      void isWanted.then(
        (is) => {
          if (is && !work.signal.aborted) ahead.request(id, factsOf(likely), likely.isGuess);
        },
        // Only time is lost: the collection makes the requests that were not made early.
        () => undefined,
      );
    };
    return { ...opened, ahead, onLikely };
  }

  /** The requester of one job, which ends at the deadline. Entries may be added to `beside` later. */
  function open(
    { deadlineMs, signal, emit, isBackground = false }: WorkTools,
    known: readonly RecordedReply[],
    beside: readonly PendingRequests[],
  ) {
    const started = { at: tools.now(), tick: tools.ticks() };
    const requestMs = requestMsOf(deadlineMs);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), requestMs);
    const requester = createJobRequester({
      book: tools.book,
      upstream: tools.upstream,
      bulk: tools.bulk,
      now: tools.now,
      ticks: tools.ticks,
      deadlineAt: started.tick + requestMs,
      signal: AbortSignal.any([signal, deadline.signal]),
      traceparent: traceparent(),
      known,
      beside,
      onReply: (event, isTaken) => {
        if (!isTaken) tools.onRequest?.(event.source, event.outcome, event.milliseconds);
        const { endedAt, ...reported } = event;
        emit({ type: 'source', ...reported, at: new Date(endedAt).toISOString() });
      },
      onWaiting: (source, endpoint, milliseconds) =>
        emit({ type: 'waiting', source, endpoint, seconds: Math.ceil(milliseconds / 1000) }),
      isBackground,
    });
    return { requester, started, isLate: () => deadline.signal.aborted, close: () => clearTimeout(timer) };
  }
}

/** The part of a job's time in which requests are sent. */
function requestMsOf(deadlineMs: number): number {
  return Math.max(deadlineMs * LEAST_SHARE, deadlineMs - RESERVE_MS);
}

function traceparent(): string {
  return `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
}

/**
 * Identifies by the sources that have the requested name; when none has it, by earlier ratings. `ratedAs`: the rated
 * asset, when no source finds it by its address either.
 */
async function identifyOrKnown(
  request: ScoreRequest,
  requester: ReturnType<typeof createJobRequester>,
  { methodology, ratedCalled }: ScoreTools,
  onLikely: ((likely: Likely) => void) | null,
): Promise<{ readonly found: IdentityResult; readonly ratedAs?: string }> {
  const found = await identify(request, requester, methodology, onLikely);
  if (found.ok || found.kind !== 'not_identified' || requester.signal.aborted) return { found };
  const words = request.tokenSymbol === null ? [request.project] : [request.project, request.tokenSymbol];
  const meant = matchPublished(request, await ratedCalled(words));
  if (meant === null) return { found };
  if ('failure' in meant) return { found: meant.failure };
  const again = await identify(meant.request, requester, methodology);
  return again.ok ? { found: again } : { found, ratedAs: meant.asset.id };
}

/** Input for the requests of sources: the asset by its canonical record, nothing from the caller. */
function factsOf(identification: Pick<Identification, 'asset' | 'registrableDomain' | 'keys' | 'stage'>) {
  const { asset, registrableDomain, keys } = identification;
  return {
    project: asset.name,
    symbol: asset.symbol,
    chain: asset.chain === null ? null : findChain(asset.chain),
    address: asset.address,
    websiteUrl: asset.website,
    registrableDomain,
    keys,
    stage: identification.stage,
    learned: {},
  };
}

async function evidenceOf(
  job: { readonly id: string; readonly request: ScoreRequest; readonly purpose: 'publication' | 'partial' },
  identification: Identification,
  answers: readonly RecordedReply[],
  started: { readonly at: number; readonly tick: number },
  tools: ScoreTools,
): Promise<EvidenceRecord | null> {
  const assembled = assemble(answers, tools.book, new Set(identification.foreignResponses));
  if (assembled.isUnanswered) return null;
  const asOf = new Date(tools.now()).toISOString();
  const { id: assetId } = identification.asset;
  const [before, scan, launch] = await Promise.all([
    tools.published(assetId),
    tools.holderScan(assetId, asOf),
    tools.launch(assetId, asOf),
  ]);
  const earlier = before && withoutKept(before);
  const carried = carryOver(earlier, assembled, asOf, identification, tools.methodology);
  const kept = [
    scan === null ? null : holderScanEvidence(scan),
    launch === null ? null : launchEvidence(launch, assetId, asOf),
  ];
  const { isUnanswered: _, ...parts } = withKept(carried, kept);
  return {
    schema: 'assay.evidence/1',
    jobId: job.id,
    dataMode: tools.dataMode,
    purpose: job.purpose,
    request: job.request,
    startedAt: new Date(started.at).toISOString(),
    asOf,
    executionSeconds: Math.round(tools.ticks() - started.tick) / 1000,
    methodologyVersion: tools.methodology.version,
    methodologyHash: tools.methodology.hash,
    identification,
    ...parts,
    peers: withListed(await tools.peers(asOf), await tools.listedPeers(0)).filter(
      (row) => row.assetId !== identification.asset.id,
    ),
    driverDays: await tools.driverDays(identification.asset.id, asOf),
    previous: await tools.previous(identification.asset.id),
    underlying: await underlyingOf(parts.observations, tools.lastScore),
    ...(await underlyingsOf(parts.observations, tools.lastScore)),
    history: await tools.history(identification.asset.id, asOf),
    warnings: [],
  };
}

/** The evidence with data from the store, each as one more response. */
function withKept(
  parts: ReturnType<typeof carryOver>,
  kept: readonly (ReturnType<typeof holderScanEvidence> | null)[],
): ReturnType<typeof carryOver> {
  const found = kept.filter((one) => one !== null);
  if (found.length === 0) return parts;
  return {
    ...parts,
    observations: sortObservations([...parts.observations, ...found.map((one) => one.observation)]),
    responses: [...parts.responses, ...found.map((one) => one.response)],
  };
}

function bodiesOf(answers: readonly RecordedReply[], book: SourceBook): readonly ArchivedBody[] {
  const bodies = new Map<string, ArchivedBody>();
  for (const { record, body } of answers) {
    const keepDays = book.get(record.source)?.source.terms.keepBodyDays ?? null;
    // A shared list has no body here; a row taken from it has one.
    if (!isKept(record, body, keepDays)) continue;
    bodies.set(record.sha256 ?? '', {
      sha256: record.sha256 ?? '',
      source: record.source,
      body: body ?? new Uint8Array(),
      keepDays,
    });
  }
  return [...bodies.values()];
}

function isKept(record: ResponseRecord, body: Uint8Array | null, keepDays: number | null): boolean {
  return body !== null && record.sha256 !== null && record.outcome === 'ok' && keepDays !== 0;
}
