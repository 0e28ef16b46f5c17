import type { SourceStatus } from '../api/index.ts';
import type { Config } from '../config/index.ts';
import { type ConsensusObservation, type ConsensusSet, DAY_MS, describesReply } from '../domain/index.ts';
import { notifyDrifts } from '../monitoring/index.ts';
import {
  builtInPanel,
  type Canaries,
  createCanaries,
  DRIFT_RULES,
  type DriftEvent,
  type Panel,
  readPanelFile,
} from '../proving/index.ts';
import {
  type Database,
  type SourceTally,
  sourceHealth,
  sourceHours,
  sourceWeights,
  tallySources,
  turnsLeft,
  watchSources,
} from '../store/index.ts';
import type { Engine } from './engine.ts';

export interface SourceMonitor {
  /** Counts the accepted and rejected observations of a collection by source. */
  noteConsensus(consensus: ConsensusSet): void;
  statuses(): Promise<readonly SourceStatus[]>;
  /** Starts the hourly reading of canaries; null if there is no panel. */
  startCanaries(): Canaries | null;
  close(): Promise<void>;
}

const EVERY_MS = 30_000;
const CANARY_TICK_MS = 60_000;

/**
 * The observations of a collection that show whether a source is right. A second figure of one lineage group is not
 * counted, whether it is correct or not, and neither is what describes the reply alone, such as the length of a chart.
 */
export function statementsIn(consensus: ConsensusSet): readonly ConsensusObservation[] {
  return Object.values(consensus).flatMap(({ quantity, voices }) =>
    describesReply(quantity) ? [] : voices.filter(({ reason }) => reason !== 'same_family'),
  );
}

/** Applies the sources' weights from the database, and reports this process's requests to it. */
export async function openSourceMonitor(parts: {
  readonly config: Config;
  readonly engine: Engine;
  readonly db: Database;
  readonly holder: string;
  readonly now: () => number;
  readonly onDrift: (drift: DriftEvent) => void;
  readonly onError: (error: unknown, what: string) => void;
}): Promise<SourceMonitor> {
  const { config, engine, db, now, onError } = parts;
  const seen = new Map<string, { readonly successes: number; readonly failures: number }>();
  let tallies = new Map<string, { accepted: number; stated: number }>();
  await watchSources(db, [...engine.book.keys()]);

  async function turn(): Promise<void> {
    const counted = tallies;
    tallies = new Map();
    const health = new Map(engine.upstream.health().map((row) => [row.label, row]));
    const rows = [...engine.book.keys()].flatMap((source): readonly SourceTally[] => {
      const row = health.get(source);
      const before = seen.get(source) ?? { successes: 0, failures: 0 };
      if (row !== undefined) seen.set(source, row);
      const isGood = row !== undefined && row.successes > before.successes;
      const isBad = row !== undefined && row.failures > before.failures;
      const count = counted.get(source) ?? { accepted: 0, stated: 0 };
      if (!isGood && !isBad && count.stated === 0) return [];
      const reachable = isGood ? true : isBad ? false : null;
      const failure = isBad ? (row.lastFailure?.slice(0, 300).toWellFormed() ?? null) : null;
      const answered = (row?.successes ?? 0) - before.successes;
      const failed = (row?.failures ?? 0) - before.failures;
      return [{ source, reachable, failure, latencyMs: row?.p50Ms ?? null, answered, failed, ...count }];
    });
    await tallySources(db, rows, new Date(now()).toISOString());
    engine.setWeights(await sourceWeights(db));
  }

  let running: Promise<unknown> = turn().catch((error: unknown) => onError(error, 'weights of sources'));
  await running;
  const timer = setInterval(() => {
    running = running.then(turn).catch((error: unknown) => onError(error, 'weights of sources'));
  }, EVERY_MS);
  timer.unref();

  return {
    noteConsensus(consensus) {
      for (const { source, accepted } of statementsIn(consensus)) {
        if (!engine.book.has(source)) continue;
        const sum = tallies.get(source) ?? { accepted: 0, stated: 0 };
        tallies.set(source, { accepted: sum.accepted + (accepted ? 1 : 0), stated: sum.stated + 1 });
      }
    },
    async statuses() {
      const since = new Date(now() - DAY_MS).toISOString();
      const [rows, left, hours] = await Promise.all([
        sourceHealth(db),
        turnsLeft(db, engine.budgets()),
        sourceHours(db, since),
      ]);
      const known = new Map(rows.map((row) => [row.source, row]));
      const limits = new Map(engine.budgets().map((row) => [row.label, row]));
      return [...engine.book.values()].map(({ source, enabled, reason }): SourceStatus => {
        const row = known.get(source.name);
        // A disabled source is not read and has no influence: how it last was says nothing about now.
        const present = enabled ? row : undefined;
        const limit = enabled ? limits.get(source.name) : undefined;
        return {
          source: source.name,
          title: source.title,
          enabled,
          reason,
          reachable: present?.reachable ?? null,
          succeededAt: row?.succeededAt ?? null,
          failure: present?.failure ?? null,
          latencyMs: present?.latencyMs ?? null,
          budget: limit
            ? { left: left.get(source.name) ?? limit.burst, burst: limit.burst, perMinute: limit.perMinute }
            : null,
          hours: hours.filter((one) => one.source === source.name),
          acceptedShare: row?.acceptedShare ?? null,
          weight: present?.weight ?? 1,
          checkedAt: row?.checkedAt ?? null,
          drifting: present?.drifting ?? [],
          lastDrift:
            row?.driftAt && row.drift !== null
              ? { at: row.driftAt, endpoint: row.driftEndpoint, text: row.drift }
              : null,
        };
      });
    },
    startCanaries() {
      const panel = panelOf(config);
      if (panel === null) return null;
      const { onDrift, holder } = parts;
      const { book, upstream, methodology } = engine;
      const afterTurn = () => notifyDrifts(db, now, DRIFT_RULES.alerts);
      const tools = { db, book, upstream, methodology, panel, holder, now };
      const canaries = createCanaries({ ...tools, onDrift, afterTurn, onError });
      canaries.start(CANARY_TICK_MS);
      return canaries;
    },
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Assets of the operator's file, or the built-in ones; none in a sandbox without a file, which has no real assets. */
export function panelOf({ panelFile, dataMode }: Config): Panel | null {
  if (panelFile !== null) return readPanelFile(panelFile);
  return dataMode === 'live' ? builtInPanel() : null;
}
