import type { SetupService } from '../api/index.ts';
import type { Config } from '../config/index.ts';
import { REPLIED } from '../domain/index.ts';
import { budgetOf } from '../evidence/index.ts';
import { capacityOf, isLocal, type Panel, type Proof, prove } from '../proving/index.ts';
import type { Engine } from './engine.ts';

/** Time limit of the first check, since a user waits for it; the command `assay sources prove` may take longer. */
const MOST_MS = 120_000;
const MOST_ASSETS = 3;
const MOST_FINDINGS = 3;

type State = ReturnType<SetupService['state']>;
type SourceState = State['sources'][number];

interface SourceCounts {
  replies: number;
  failures: number;
  failure: string | null;
  readonly milliseconds: number[];
}

/**
 * State of this installation: sources checked against a few known assets, keys that can be set, and capacity of the
 * budgets. Kept in memory of this process only.
 */
export function openSetup(parts: {
  readonly config: Config;
  readonly engine: Engine;
  readonly version: string;
  readonly panel: Panel | null;
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
}): SetupService & { readonly close: () => Promise<void> } {
  const { config, engine, now, onError } = parts;
  const chosen = (parts.panel?.assets ?? []).filter(({ website }) => website !== undefined).slice(0, MOST_ASSETS);
  const stop = new AbortController();
  const heard = new Map<string, SourceCounts>();
  let startedAt: string | null = null;
  let proof: Proof | null = null;
  let running: Promise<void> | null = null;

  function begin(panel: Panel): void {
    heard.clear();
    proof = null;
    startedAt = new Date(now()).toISOString();
    const tools: Parameters<typeof prove>[0] = {
      book: engine.book,
      upstream: engine.upstream,
      now,
      mostMs: MOST_MS,
      signal: stop.signal,
      onReply: (source, endpoint, { outcome, milliseconds }) => {
        const sum = heard.get(source) ?? { replies: 0, failures: 0, failure: null, milliseconds: [] };
        if (REPLIED.has(outcome)) {
          sum.replies += 1;
          sum.milliseconds.push(milliseconds);
        } else {
          sum.failures += 1;
          sum.failure = `${endpoint}: ${outcome.replaceAll('_', ' ')}`;
        }
        heard.set(source, sum);
      },
    };
    running = prove(tools, panel, engine.methodology)
      .then((made) => {
        proof = made;
      })
      .catch((error: unknown) => onError(error, 'proof of the sources'))
      .finally(() => {
        running = null;
      });
  }

  function sourceState(bound: Engine['book'] extends ReadonlyMap<string, infer Bound> ? Bound : never): SourceState {
    const { source, enabled, reason } = bound;
    const sum = heard.get(source.name);
    const verdicts = (proof?.endpoints ?? []).filter((row) => row.source === source.name);
    const counts = { right: 0, suspect: 0, failed: 0, unproven: 0 };
    for (const { verdict } of verdicts) counts[verdict] += 1;
    const mine = (proof?.readings ?? []).filter((row) => row.source.name === source.name);
    const state = !enabled
      ? 'off'
      : (sum?.replies ?? 0) > 0
        ? 'answers'
        : running !== null
          ? 'waiting'
          : (sum?.failures ?? 0) > 0
            ? 'fails'
            : 'not_asked';
    const findings = verdicts.flatMap((row) => row.findings);
    return {
      source: source.name,
      title: source.title,
      state,
      detail:
        state === 'off'
          ? reason
          : state === 'fails'
            ? (mine[0]?.answer.record.detail ?? sum?.failure ?? null)
            : state === 'waiting'
              ? (sum?.failure ?? null)
              : null,
      isLocal: mine.length > 0 && mine.every(({ answer }) => isLocal(answer.record.url)),
      latencyMs: medianOf(sum?.milliseconds ?? []),
      replies: sum?.replies ?? 0,
      failures: sum?.failures ?? 0,
      endpoints: counts,
      findings: findings.slice(0, MOST_FINDINGS).map(({ asset, text }) => `${asset}: ${text}`),
      gives: Object.keys(source.provides),
      perMinute: budgetOf(bound).perMinute,
    };
  }

  return {
    state() {
      const sources = [...engine.book.values()].map(sourceState);
      const on = sources.filter(({ state }) => state !== 'off');
      const answering = on.filter(({ state }) => state === 'answers');
      const capacity = proof === null ? [] : capacityOf(engine.book, proof.readings);
      return {
        dataMode: config.dataMode,
        version: parts.version,
        asOf: new Date(now()).toISOString(),
        proof: {
          state: running !== null ? 'running' : proof === null ? 'none' : 'finished',
          startedAt,
          finishedAt: proof?.at ?? null,
          secondsAtMost: MOST_MS / 1000,
          assets: chosen.map(({ name }) => name),
          sourcesOn: on.length,
          sourcesAnswering: answering.length,
          sourcesFailing: on.filter(({ state }) => state === 'fails').length,
        },
        internet: proof === null ? 'unknown' : answering.some((row) => !row.isLocal) ? 'reachable' : 'unreachable',
        sources,
        keys: [...engine.book.values()].flatMap(({ source, key }) =>
          source.key === null
            ? []
            : [
                {
                  source: source.name,
                  title: source.title,
                  setting: `ASSAY_SOURCE_${source.name.toUpperCase()}_KEY`,
                  isSet: key !== null,
                  required: source.key.required,
                  adds: source.key.adds,
                  from: source.key.from,
                },
              ],
        ),
        keysTakeEffect: 'at_start',
        assetsPerHour: capacity[0]?.assetsPerHour ?? null,
        limitedBy: capacity[0]?.source ?? null,
        capacity,
        suggested: chosen.map(({ name, website, symbol }) => ({
          project: name,
          projectUrl: website ?? '',
          tokenSymbol: symbol ?? null,
        })),
      };
    },
    prove() {
      if (chosen.length === 0) return false;
      if (running === null) begin({ about: 'first start', assets: chosen });
      return true;
    },
    async close() {
      stop.abort();
      await running;
    },
  };
}

function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
