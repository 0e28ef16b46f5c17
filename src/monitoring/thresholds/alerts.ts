import {
  type Reply,
  type Snapshot,
  THRESHOLD_FIGURES,
  type ThresholdCrossed,
  type ThresholdFigure,
} from '../../contract/index.ts';
import { type Severity, SNAPSHOT_KINDS, type SnapshotKind } from '../../domain/index.ts';
import {
  accountsServed,
  assetsToCompare,
  type Database,
  insertAlerts,
  keepThresholds,
  lockThresholds,
  seenOf,
  snapshotsAfter,
  type ThresholdRow,
} from '../../store/index.ts';
import type { AlertBody } from '../alerts/alert-book.ts';
import { type Crossing, nextReading, type RuleState, type ThresholdRule, UNREAD } from './rule.ts';

/** A rule as an account set it. */
export interface AccountRule extends ThresholdRule {
  readonly severity: Severity;
}

/** State of a rule, and the method by which the last list of holders was made. */
export interface KeptState extends RuleState {
  readonly method: string | null;
}

/** Stored states of a row's rules by `ruleKey`. */
export type KeptStates = Readonly<Record<string, KeptState>>;

/** Rules with the same key cross at the same readings. */
export function ruleKey({ figure, condition, value, windowSeconds, hysteresisPct }: ThresholdRule): string {
  return [figure, condition, value, windowSeconds ?? '-', hysteresisPct].join(' ');
}

export function kindOf(rule: Pick<ThresholdRule, 'figure'>): SnapshotKind {
  return THRESHOLD_FIGURES[rule.figure];
}

/** Snapshots processed within one transaction. */
const SNAPSHOTS_AT_ONCE = 50;

/**
 * Processes the new snapshots of assets on which accounts have thresholds, each in its order, and notifies the accounts
 * of crossings. The position, the states of the rules and the alerts are stored in one transaction: the next turn of
 * any process completes the work of a process that died, and nothing is reported twice. Accounts without a key of a
 * plan that `servedBy` names for the chain get no alerts. Returns the number of alerts.
 */
export async function alertOnThresholds(
  db: Database,
  now: () => number,
  servedBy: (chain: string) => readonly string[],
): Promise<number> {
  let made = 0;
  for (const assetId of await assetsToCompare(db)) {
    let turn: Turn;
    do {
      turn = await takeIn(db, assetId, now, servedBy);
      made += turn.made;
    } while (turn.isMore);
  }
  return made;
}

interface Turn {
  readonly made: number;
  readonly isMore: boolean;
}

function takeIn(
  db: Database,
  assetId: string,
  now: () => number,
  servedBy: (chain: string) => readonly string[],
): Promise<Turn> {
  return db.transaction().execute(async (transaction) => {
    const rows = await lockThresholds(transaction, assetId);
    const [first] = rows;
    if (first === undefined) return { made: 0, isMore: false };
    const accounts = rows.map((row) => row.account_id);
    const served = await accountsServed(transaction, accounts, servedBy(first.chain));
    const taken = rows.map((row) => taking(row));
    const alerts: Parameters<typeof insertAlerts>[1][number][] = [];
    let isMore = false;
    for (const kind of SNAPSHOT_KINDS) {
      const seen = taken.flatMap(({ row }) => seenOf(row, kind) ?? []);
      if (seen.length === 0) continue;
      const oldest = seen.reduce((least, one) => (Date.parse(one) < Date.parse(least) ? one : least));
      const snapshots = await snapshotsAfter(transaction, assetId, kind, oldest, SNAPSHOTS_AT_ONCE);
      isMore ||= snapshots.length === SNAPSHOTS_AT_ONCE;
      for (const { asOf, body } of snapshots) {
        const snapshot = JSON.parse(Buffer.from(body).toString('utf8')) as Snapshot;
        for (const one of taken)
          for (const { rule, crossing } of one.take(snapshot, asOf))
            if (served.has(one.row.account_id))
              alerts.push({
                account_id: one.row.account_id,
                asset_id: assetId,
                kind: 'snapshot_threshold',
                cause: `threshold:${asOf}:${ruleKey(rule)}`,
                severity: rule.severity,
                created_at: new Date(now()).toISOString(),
                body: JSON.stringify(thresholdAlertBody(rule, crossing, snapshot, now())),
              });
      }
    }
    const kept = taken.flatMap((one) => one.kept() ?? []);
    await keepThresholds(transaction, assetId, kept);
    return { made: await insertAlerts(transaction, alerts), isMore: isMore && kept.length > 0 };
  });
}

/** The rules of a row and their states, which process an asset's snapshots one by one. */
function taking(row: ThresholdRow) {
  const rules = JSON.parse(row.rules) as readonly AccountRule[];
  const states: Record<string, KeptState> = { ...(JSON.parse(row.states) as KeptStates) };
  const seen = new Map(SNAPSHOT_KINDS.map((kind) => [kind, seenOf(row, kind)]));
  let isChanged = false;
  return {
    row,
    /** Processes a snapshot unless it was processed before. Returns the rules that it crossed. */
    take(snapshot: Snapshot, asOf: string): readonly { readonly rule: AccountRule; readonly crossing: Crossing }[] {
      const before = seen.get(snapshot.kind) ?? null;
      if (before === null || Date.parse(asOf) <= Date.parse(before)) return [];
      seen.set(snapshot.kind, asOf);
      isChanged = true;
      return rules.flatMap((rule) => {
        const value = readFigure(snapshot, rule.figure);
        if (kindOf(rule) !== snapshot.kind || value === null) return [];
        const key = ruleKey(rule);
        const method = snapshot.kind === 'holders' ? snapshot.method : null;
        const known = states[key] ?? { ...UNREAD, method };
        // A list of holders made by another method is not comparable: the rule starts again with this reading.
        const state = known.method === method ? known : { ...UNREAD, at: known.at, method };
        const next = nextReading(state, { at: asOf, value }, rule);
        states[key] = { ...next.state, method };
        return next.crossing === null ? [] : [{ rule, crossing: next.crossing }];
      });
    },
    /** The row to be stored; null when no snapshot was processed. */
    kept() {
      if (!isChanged) return null;
      return {
        account_id: row.account_id,
        states: JSON.stringify(states),
        seen_market: seen.get('market') ?? null,
        seen_holders: seen.get('holders') ?? null,
        seen_pools: seen.get('pools') ?? null,
      };
    },
  };
}

/** A figure of a snapshot; null when it is not known, is of another kind, or the list of holders is doubtful. */
export function readFigure(snapshot: Snapshot, figure: ThresholdFigure): number | null {
  return figuresOf(snapshot)[figure] ?? null;
}

/** All figures of a snapshot on which thresholds can be set. */
export function figuresOf(snapshot: Snapshot): Readonly<Partial<Record<ThresholdFigure, number | null>>> {
  if (snapshot.kind === 'market') {
    const { price_usd, volume_24h_usd, market_cap_usd, liquidity_usd, price_dispersion_pct } = snapshot;
    return { price_usd, volume_24h_usd, market_cap_usd, liquidity_usd, price_dispersion_pct };
  }
  if (snapshot.kind === 'pools')
    return {
      pools: snapshot.totals.pools,
      pools_tvl_usd: snapshot.totals.tvl_usd,
      pools_volume_24h_usd: snapshot.totals.volume_24h_usd,
      depth_2_pct_down_usd: snapshot.depth.find((row) => row.move_pct === 2)?.down_usd ?? null,
    };
  const isInDoubt = snapshot.status === 'incomplete_enumeration';
  const sure = (value: number | null) => (isInDoubt ? null : value);
  return {
    holder_count: sure(snapshot.holder_count),
    top_1_pct: sure(snapshot.raw.top_1_pct),
    top_10_pct: sure(snapshot.raw.top_10_pct),
    adjusted_top_10_pct: sure(snapshot.adjusted.top_10_pct),
  };
}

/** Details of a crossing reported at `now` (milliseconds), stored in the alert's row. */
export function thresholdAlertBody(
  rule: ThresholdRule,
  crossing: Crossing,
  snapshot: Snapshot,
  now: number,
): AlertBody {
  const { figure, condition, value, windowSeconds, hysteresisPct } = rule;
  const { reading, from, changePct } = crossing;
  const change = changePct === null ? null : Math.round(changePct * 10_000) / 10_000;
  const { asset } = snapshot;
  return {
    title:
      change === null
        ? `${figure} ${condition} ${value}: ${reading.value}`
        : `${figure} ${condition === 'falls' ? 'fell' : 'rose'} by ${Math.abs(Math.round(change * 10) / 10)} % within ${span(windowSeconds ?? 0)}, to ${reading.value}`,
    details: {
      figure,
      condition,
      value,
      window_seconds: windowSeconds,
      hysteresis_pct: hysteresisPct,
      reached: reading.value,
      from: from?.value ?? null,
      from_at: from?.at ?? null,
      change_pct: change,
      snapshot: {
        kind: snapshot.kind,
        as_of: reading.at,
        age_seconds: Math.max(0, Math.round((now - Date.parse(reading.at)) / 1_000)),
        path: pathOf(snapshot, reading.at),
        figures: figuresOf(snapshot),
      },
    } satisfies Reply<typeof ThresholdCrossed>,
    rating_as_of: null,
    job_id: null,
    symbol: asset.symbol,
    name: asset.name,
    class: null,
  };
}

const PLACES = { market: 'market/*/snapshot', holders: '*/holders/snapshot', pools: '*/liquidity/pools' } as const;

function pathOf({ kind, asset }: Snapshot, asOf: string): string {
  const place = PLACES[kind].replace('*', encodeURIComponent(asset.address ?? asset.id));
  return `/v1/${asset.chain}/${place}?as_of=${encodeURIComponent(asOf)}`;
}

function span(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
