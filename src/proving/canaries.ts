import type { SourceBook } from '../evidence/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { type Database, endSources, releaseSources, takeDueSources, watchSources } from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';
import { DRIFT_RULES, type DriftBegun, type DriftState, NEVER_READ, stepDrift } from './drift.ts';
import type { Panel } from './panel.ts';
import { requestPanel } from './request-panel.ts';
import { signalsOf } from './signals.ts';

/** Outcome of a reading of a source. */
export interface DriftEvent {
  readonly source: string;
  readonly weight: number;
  readonly began: readonly DriftBegun[];
  readonly ended: readonly string[];
}

export interface CanaryOptions {
  readonly db: Database;
  readonly book: SourceBook;
  readonly upstream: Upstream;
  readonly methodology: Methodology;
  /** Its assets marked `canary` are read. */
  readonly panel: Panel;
  /** Name of this process. */
  readonly holder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when a drift begins or ends. */
  readonly onDrift: (drift: DriftEvent) => void;
  /** Called after each turn, even without readings, to complete work that a dead process left undone. */
  readonly afterTurn: () => Promise<unknown>;
  readonly onError: (error: unknown, what: string) => void;
}

export interface Canaries {
  /** Reads the due sources; returns their names. */
  tick(): Promise<readonly string[]>;
  start(everyMs: number): void;
  close(): Promise<void>;
}

/** Time limit of a reading, and how long its rows are leased. */
const MOST_MS = 10 * 60_000;
const LEASE_SECONDS = 15 * 60;

/**
 * Reads assets with known facts from every enabled source each hour, within the sources' budgets and at the lowest
 * priority. Any number of processes may run one on the same database. A source that drifts has less weight until it is
 * correct again.
 */
export function createCanaries(options: CanaryOptions): Canaries {
  const { db, book, now, onError } = options;
  const panel: Panel = { ...options.panel, assets: options.panel.assets.filter((asset) => asset.canary === true) };
  const closing = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<unknown> = Promise.resolve();
  const iso = (at: number) => new Date(at).toISOString();

  async function read(): Promise<readonly string[]> {
    const names = [...book.values()].filter((bound) => bound.enabled).map((bound) => bound.source.name);
    if (panel.assets.length === 0 || names.length === 0) return [];
    await watchSources(db, names);
    const due = await takeDueSources(db, names, iso(now()), options.holder, LEASE_SECONDS);
    if (due.length === 0) return [];
    const taken = new Set(due.map((row) => row.source));
    const part = new Map([...book].filter(([name]) => taken.has(name)));
    const readings = await requestPanel(
      { book: part, upstream: options.upstream, now, mostMs: MOST_MS, signal: closing.signal, collectionOnly: true },
      panel,
    );
    const at = iso(now());
    const next = iso(now() + DRIFT_RULES.everySeconds * 1000);
    if (closing.signal.aborted) {
      await releaseSources(db, due, at);
      return [];
    }
    const states = new Map(due.map((row) => [row.source, stateOf(row.state)]));
    const before = (source: string) => states.get(source) ?? NEVER_READ;
    const signals = signalsOf(readings, options.methodology, before);
    const ended = due.flatMap(({ source, holder }) => {
      const signal = signals.get(source);
      if (signal === undefined) return [];
      const step = stepDrift(before(source), signal, at);
      const { state, weight, drifting, began } = step;
      if (began.length + step.ended.length > 0) options.onDrift({ source, weight, began, ended: step.ended });
      const text = began
        .map((row) => row.text)
        .join('; ')
        .slice(0, 1_000);
      const drift = began.length === 0 ? null : { at, endpoint: began[0]?.endpoint ?? null, text };
      return [{ source, holder, found: { weight, state: JSON.stringify(state), drifting, drift } }];
    });
    await endSources(db, ended, at, next);
    // A source without a reply is read again with the others, because unavailability is not drift.
    await releaseSources(
      db,
      due.filter((row) => !signals.has(row.source)),
      next,
    );
    return ended.map((row) => row.source);
  }

  async function tick(): Promise<readonly string[]> {
    const names = await read();
    await options.afterTurn();
    return names;
  }

  return {
    tick,
    start(everyMs) {
      timer = setInterval(() => {
        running = running.then(tick).catch((error: unknown) => onError(error, 'canaries of sources'));
      }, everyMs);
      timer.unref();
    },
    async close() {
      closing.abort();
      if (timer) clearInterval(timer);
      await running;
    },
  };
}

/** State as stored; a state of another version is rebuilt from new readings. */
function stateOf(text: string | null): DriftState {
  if (text === null) return NEVER_READ;
  const state = JSON.parse(text) as Partial<DriftState>;
  return { ...NEVER_READ, ...state };
}
