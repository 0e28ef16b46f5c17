import { median, QUANTITIES, REPLIED } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { type Compared, comparedOf } from './agreement.ts';
import type { DriftState, Gap, Signals } from './drift.ts';
import type { Finding } from './finding.ts';
import { findingsOf } from './judge.ts';
import type { Reading } from './request-panel.ts';

/** Channel of each kind of finding. Agreement is measured as a distance, and a missing reply is not drift. */
const CHANNELS: Readonly<Record<string, readonly Finding['kind'][]>> = {
  misstated: ['misstated', 'range', 'other_asset'],
  schema: ['schema'],
  stale: ['stale'],
};

/**
 * Signals of one reading of all canaries, by source. Sources without any reply are left out: they may be unavailable,
 * which is not drift.
 */
export function signalsOf(
  readings: readonly Reading[],
  methodology: Methodology,
  before: (source: string) => DriftState,
): ReadonlyMap<string, Signals> {
  const findings = findingsOf(readings, methodology);
  const compared = comparedOf(readings);
  const bySource = Map.groupBy(readings, (row) => row.source.name);
  return new Map(
    [...bySource].flatMap(([source, rows]) => {
      const replies = rows.filter((row) => row.answer.body !== null);
      if (replies.length === 0) return [];
      const mine = findings.filter((row) => row.source === source);
      const rates = Object.entries(CHANNELS).map(([channel, kinds]) => {
        const hits = mine.filter((row) => kinds.includes(row.kind));
        const [first] = hits;
        const text = first ? `${first.endpoint}, ${first.asset}: ${first.text}` : null;
        // One misstated known fact is enough; failures of one endpoint count as a share of its replies.
        const value = channel === 'schema' ? worstEndpoint(replies, hits) : hits.length > 0 ? 1 : 0;
        return [channel, { value, endpoint: first?.endpoint ?? null, text }] as const;
      });
      const own = compared.filter((row) => row.reading.source.name === source);
      return [
        [
          source,
          {
            rates: Object.fromEntries(rates),
            gaps: gapsOf(own, methodology),
            levels: levelsOf(own, methodology),
            stated: statedOf(rows, before(source)),
            silent: silentOf(rows),
          },
        ],
      ];
    }),
  );
}

/** Endpoints that were requested, and of which no reply could be read. */
function silentOf(readings: readonly Reading[]): readonly string[] {
  return [...Map.groupBy(readings, ({ endpoint }) => endpoint.name)].flatMap(([name, rows]) =>
    rows.some(({ answer }) => REPLIED.has(answer.record.outcome)) ? [] : [name],
  );
}

/** The largest share of malformed replies at one endpoint. */
function worstEndpoint(replies: readonly Reading[], hits: readonly Finding[]): number {
  const asked = Map.groupBy(replies, (row) => row.endpoint.name);
  return Math.max(
    0,
    ...[...asked].map(([name, rows]) => hits.filter((row) => row.endpoint === name).length / rows.length),
  );
}

/**
 * Signed distances for channels of figures that moved in one direction; absolute ones for figures that moved in either.
 */
function gapsOf(compared: readonly Compared[], methodology: Methodology): readonly Gap[] {
  const groups = Map.groupBy(
    compared.filter((row) => row.groups > 2),
    (row) => placeOf(row, methodology),
  );
  return [...groups].flatMap(([place, rows]) => {
    const [first] = rows;
    const apart = rows.map((row) => row.y - row.middle);
    const [way, size] = [median(apart), median(apart.map(Math.abs))];
    if (first === undefined || way === null || size === null) return [];
    const kind = methodology.consensus.classOf[first.observation.quantity];
    const isLinear = ['linear', 'share'].includes(QUANTITIES[first.observation.quantity].kind);
    const endpoint = first.reading.endpoint.name;
    return [
      { channel: `${place} against others`, endpoint, kind, value: way, isLinear },
      { channel: `distance of ${place} from others`, endpoint, kind, value: size, isLinear },
    ];
  });
}

/** Amounts of money and counts that at most one other lineage group states. */
function levelsOf(compared: readonly Compared[], methodology: Methodology): Signals['levels'] {
  return compared
    .filter((row) => row.groups <= 2 && QUANTITIES[row.observation.quantity].kind === 'log')
    .map((row) => {
      const { quantity, scope } = row.observation;
      const kind = methodology.consensus.classOf[quantity];
      const key = [row.reading.endpoint.name, row.reading.asset.id, quantity, scope].join(' ');
      const endpoint = row.reading.endpoint.name;
      return { key, channel: `${placeOf(row, methodology)} by itself`, endpoint, kind, y: row.y };
    });
}

function placeOf({ reading, observation }: Compared, methodology: Methodology): string {
  return `${methodology.consensus.classOf[observation.quantity]} of ${reading.endpoint.name}`;
}

/**
 * What each endpoint states about each asset, compared with what it stated before. If a request got no reply, missing
 * statements prove nothing.
 */
function statedOf(readings: readonly Reading[], before: DriftState): Readonly<Record<string, boolean>> {
  const stated: Record<string, boolean> = {};
  const places = Map.groupBy(readings, ({ asset, endpoint }) => `${endpoint.name} ${asset.id}`);
  const answered = new Set<string>();
  for (const [place, rows] of places) {
    if (rows.every((row) => REPLIED.has(row.answer.record.outcome))) answered.add(place);
    for (const { answer } of rows)
      for (const { quantity } of answer.observations) stated[`${place} ${quantity}`] = true;
  }
  for (const key of Object.keys(before.presence))
    if (answered.has(key.slice(0, key.lastIndexOf(' ')))) stated[key] ??= false;
  return stated;
}
