import type { OverviewView, Reply } from '../contract/index.ts';
import { BANDS, type Band, DAY_MS, type Severity } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import {
  actionCounts,
  type Database,
  defaultsAt,
  type FlagOrDefaultRow,
  flagsInForceAt,
  type MovedRow,
  movedMost,
  overviewCounts,
} from '../store/index.ts';

export type Overview = Omit<Reply<typeof OverviewView>, 'data_mode'>;

const SHOWN = 12;
const SEVERE: readonly Severity[] = ['critical', 'high'];

/** All rated assets at `at` (milliseconds), compared with 7 and 30 days before. */
export async function readOverview(db: Database, at: number, flags: Methodology['flags']): Promise<Overview> {
  const ago = (days: number) => new Date(at - days * DAY_MS).toISOString();
  const now = ago(0);
  const codes = (isWanted: (flag: Methodology['flags'][number]) => boolean) =>
    flags.filter(isWanted).map(({ code }) => code);
  const flagged = (wanted: readonly string[], severities: readonly Severity[]) =>
    flagsInForceAt(db, now, { codes: wanted, severities, dayBefore: ago(1), limit: SHOWN });
  const [counts, actions, moved, severe, defaults, pegs] = await Promise.all([
    overviewCounts(db, now, ago(30)),
    actionCounts(db, now, ago(7)),
    movedMost(db, now, ago(7), SHOWN),
    flagged(
      codes(({ severity }) => SEVERE.includes(severity)),
      SEVERE,
    ),
    defaultsAt(db, now, SHOWN),
    flagged(
      codes(({ code }) => code.startsWith('DEPEG')),
      SEVERE,
    ),
  ]);
  const inBand = new Map(counts.bands.map((row) => [row.band, row]));
  const acted = new Map(actions.map(({ action, ratings }) => [action, ratings]));
  const ofSeverity = (severity: Severity) => severe.counts.find((row) => row.severity === severity);
  return {
    as_of: now,
    assets: counts.bands.reduce((sum, { assets }) => sum + assets, 0),
    scored: counts.classes.reduce((sum, { scored }) => sum + scored, 0),
    bands: BANDS.map((band) => ({
      band,
      assets: inBand.get(band)?.assets ?? 0,
      assets_30d_ago: inBand.get(band)?.before ?? 0,
    })),
    actions_7d: {
      new: acted.get('new') ?? 0,
      upgrade: acted.get('upgrade') ?? 0,
      downgrade: acted.get('downgrade') ?? 0,
      withdraw: acted.get('withdraw') ?? 0,
    },
    movers_7d: moved.map(moverOf),
    severe_flags: {
      critical: ofSeverity('critical')?.flags ?? 0,
      high: ofSeverity('high')?.flags ?? 0,
      assets: severe.assets,
      new_24h: severe.counts.reduce((sum, { fresh }) => sum + fresh, 0),
      newest: severe.newest.map((row) => ({ ...flagOf(row), code: row.code })),
    },
    defaults: defaults.map(({ asset, defaulted }) => {
      const { since = null, cures_at = null, tests = [] } = (JSON.parse(defaulted ?? '{}') ?? {}) as Defaulted;
      return { asset: assetOf(asset), since, cures_at, detail: tests.map(({ detail }) => detail).join('; ') };
    }),
    pegs: pegs.newest.map(flagOf),
    classes: counts.classes.map((row) => ({
      class: row.class,
      assets: row.assets,
      scored: row.scored,
      within_1h: row.within1h,
      within_6h: row.within6h,
      within_24h: row.within24h,
    })),
    age_seconds: { p50: whole(counts.ageP50Seconds), p95: whole(counts.ageP95Seconds) },
    trust: { median: counts.trustMedian, median_30d_ago: counts.trustMedianBefore, below_60: counts.trustBelow60 },
  };
}

interface Moved {
  readonly asset: object;
  readonly rating_action: string;
  readonly action_reason: string;
  readonly drivers: readonly { readonly name: string; readonly points: number; readonly detail: string }[];
  readonly as_of: string;
}

interface Defaulted {
  readonly since?: string;
  readonly cures_at?: string | null;
  readonly tests?: readonly { readonly detail: string }[];
}

function moverOf(row: MovedRow): Overview['movers_7d'][number] {
  const record = JSON.parse(new TextDecoder().decode(row.record)) as Moved;
  return {
    asset: assetOf(JSON.stringify(record.asset)),
    band: row.band as Band,
    score: row.score,
    band_before: row.bandBefore as Band,
    score_before: row.scoreBefore,
    change: Math.round((row.score - row.scoreBefore) * 10) / 10,
    reason: reasonOf(record, Math.sign(row.score - row.scoreBefore)),
    as_of: record.as_of,
  };
}

/**
 * What moved a score most in the direction of its change (1 or -1). The reason of a rating that only affirms says why
 * the band stayed, not what moved the score.
 */
function reasonOf({ drivers, rating_action: action, action_reason: reason }: Moved, direction: number): string {
  const [driver] = drivers
    .filter(({ points }) => points * direction > 0)
    .toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points));
  if (driver !== undefined) return `${driver.name}: ${driver.detail}`;
  return action === 'affirm' ? 'no single cause is recorded' : reason;
}

function flagOf({ asset, severity, title, detail, since }: FlagOrDefaultRow) {
  return { asset: assetOf(asset), severity: severity as Severity, title, detail, since };
}

function assetOf(json: string): Overview['defaults'][number]['asset'] {
  const { id, symbol, name, class: of } = JSON.parse(json) as Overview['defaults'][number]['asset'];
  return { id, symbol, name, class: of ?? null };
}

function whole(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds);
}
