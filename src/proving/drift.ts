import { readFileSync } from 'node:fs';
import { median } from '../domain/index.ts';

/** `drift.json`. */
export interface DriftRules {
  readonly everySeconds: number;
  readonly rates: Readonly<
    Record<string, { readonly allowance: number; readonly limit: number; readonly weight: number }>
  >;
  readonly gap: {
    readonly allowance: number;
    readonly limit: number;
    /** A deviation of fewer standard deviations is normal. */
    readonly clearZ: number;
    /** A single reading counts at most this number of standard deviations. */
    readonly cap: number;
    readonly weight: number;
    readonly learn: { readonly readings: number; readonly memory: number };
    readonly floor: Readonly<Record<string, number>>;
    readonly otherFloor: number;
  };
  readonly presence: { readonly learn: number; readonly expected: number };
  /** Classes whose figures do not change by themselves. */
  readonly levels: { readonly learn: number; readonly classes: readonly string[]; readonly floor: number };
  /** Consecutive normal readings before a drift ends. */
  readonly clearReadings: number;
  readonly leastWeight: number;
  /** When accounts are notified of it. */
  readonly alerts: {
    readonly quietSeconds: number;
    readonly together: number;
    readonly severeBelow: number;
    readonly readWithinSeconds: number;
  };
}

export const DRIFT_RULES = JSON.parse(readFileSync(new URL('./drift.json', import.meta.url), 'utf8')) as DriftRules;

/** Measurements of one reading of a source, by channel. */
export interface Signals {
  /** Shares 0-1, by channel of `rates`. */
  readonly rates: Readonly<
    Record<string, { readonly value: number; readonly endpoint: string | null; readonly text: string | null }>
  >;
  /**
   * Distances of figures from the median of all lineage groups, by endpoint, class of quantities and method of
   * measurement.
   */
  readonly gaps: readonly Gap[];
  /** Figures that too few other sources state, on the quantity's scale. */
  readonly levels: readonly {
    readonly key: string;
    readonly channel: string;
    readonly endpoint: string;
    readonly kind: string;
    readonly y: number;
  }[];
  /** For each `endpoint asset quantity` of endpoints with replies, whether it was stated. */
  readonly stated: Readonly<Record<string, boolean>>;
  /** Endpoints that were requested and of which no reply could be read. */
  readonly silent: readonly string[];
}

export interface Gap {
  readonly channel: string;
  readonly endpoint: string;
  /** Class of the quantities. */
  readonly kind: string;
  /** On the quantity's scale: natural logarithms, or with `isLinear` the unit itself. */
  readonly value: number;
  readonly isLinear: boolean;
}

interface Channel {
  readonly up: number;
  readonly down: number;
  readonly mean: number;
  readonly variance: number;
  readonly readings: number;
  /** Set while the channel drifts. */
  readonly since: string | null;
  /** Consecutive normal readings. */
  readonly usual: number;
  /** Endpoint at which a share exceeded its limit; null or absent: not a single one. */
  readonly endpoint?: string | null;
}

/** Stored state of a source's readings. */
export interface DriftState {
  readonly channels: Readonly<Record<string, Channel>>;
  /** How often each `endpoint asset quantity` was stated, 0-1. */
  readonly presence: Readonly<Record<string, number>>;
  /** Usual values of the figures of `Signals.levels`. */
  readonly levels: Readonly<Record<string, number>>;
}

/** A drifting channel; `endpoint` is null where the whole source is meant. */
export interface DriftBegun {
  readonly channel: string;
  readonly endpoint: string | null;
  readonly text: string;
}

export interface DriftStep {
  readonly state: DriftState;
  /** Factor of its reliability. */
  readonly weight: number;
  readonly drifting: readonly string[];
  /** Channels whose drift began with this reading, with the change as text. */
  readonly began: readonly DriftBegun[];
  readonly ended: readonly string[];
}

const FRESH: Channel = { up: 0, down: 0, mean: 0, variance: 0, readings: 0, since: null, usual: 0 };

/** State of a source that was never read. */
export const NEVER_READ: DriftState = { channels: {}, presence: {}, levels: {} };

/** Updates the state with one reading (at `at`, RFC 3339). Pure. */
export function stepDrift(
  before: DriftState,
  signals: Signals,
  at: string,
  rules: DriftRules = DRIFT_RULES,
): DriftStep {
  const gone = goneFrom(before, signals, rules);
  const rates = { ...signals.rates, ...(gone === null ? {} : { missing: gone }) };
  const channels: Record<string, Channel> = { ...before.channels };
  const told: Record<string, Omit<DriftBegun, 'channel'>> = {};
  for (const [name, { value, endpoint, text }] of Object.entries(rates)) {
    const rule = rules.rates[name];
    if (rule === undefined) continue;
    const old = channels[name] ?? FRESH;
    // Where the endpoint that was wrong gave no reply, its silence does not prove that it is right again.
    if (old.since !== null && value <= rule.allowance && signals.silent.includes(old.endpoint ?? '')) continue;
    const up = Math.min(rule.limit + 1, Math.max(0, old.up + value - rule.allowance));
    const next = { ...old, up, endpoint: old.since === null || value > rule.allowance ? endpoint : old.endpoint };
    channels[name] = settle(old, next, up > rule.limit, value <= rule.allowance, at, rules);
    told[name] = { endpoint, text: text ?? `${name}: ${Math.round(100 * value)} %` };
  }
  for (const { channel: name, endpoint, value, isLinear, floor } of [
    ...signals.gaps.map((gap) => ({ ...gap, floor: rules.gap.floor[gap.kind] ?? rules.gap.otherFloor })),
    ...jumpsOf(before, signals, rules),
  ]) {
    const old = channels[name] ?? FRESH;
    channels[name] = stepGap(old, value, floor, at, rules);
    told[name] = { endpoint, text: `${name}: ${moved(value - old.mean, isLinear)}` };
  }
  // Known errors are named before mere differences.
  const names = [
    ...Object.keys(rules.rates),
    ...Object.keys(channels)
      .filter((name) => !(name in rules.rates))
      .sort(),
  ];
  const offNow = names.filter((name) => channels[name] !== undefined && channels[name].since !== null);
  const offBefore = Object.keys(before.channels).filter((name) => before.channels[name]?.since != null);
  const isOff = offNow.length > 0;
  return {
    state: {
      channels,
      presence: isOff ? before.presence : learned(before.presence, signals.stated, rules),
      levels: isOff ? before.levels : levelled(before.levels, signals.levels, rules),
    },
    weight: weightOf(offNow, rules),
    drifting: offNow,
    began: offNow
      .filter((name) => !offBefore.includes(name))
      .map((name) => ({ channel: name, ...(told[name] ?? { endpoint: null, text: name }) })),
    ended: offBefore.filter((name) => !offNow.includes(name)),
  };
}

function stepGap(old: Channel, gap: number, floor: number, at: string, rules: DriftRules): Channel {
  const { allowance, limit, clearZ, cap, learn } = rules.gap;
  const isLearning = old.readings < learn.readings;
  const z = isLearning ? 0 : (gap - old.mean) / Math.max(floor, Math.sqrt(old.variance));
  const counted = Math.max(-cap, Math.min(cap, z));
  const up = Math.min(limit + cap, Math.max(0, old.up + counted - allowance));
  const down = Math.min(limit + cap, Math.max(0, old.down - counted - allowance));
  const isOff = up > limit || down > limit;
  // While the channel drifts, and for outliers, the usual value is not updated.
  const learns = isLearning || (old.since === null && !isOff && Math.abs(z) < clearZ);
  const share = 1 / Math.min(old.readings + 1, learn.memory);
  const mean = learns ? old.mean + share * (gap - old.mean) : old.mean;
  const variance = learns ? (1 - share) * (old.variance + share * (gap - old.mean) ** 2) : old.variance;
  const readings = learns ? old.readings + 1 : old.readings;
  return settle(old, { ...old, up, down, mean, variance, readings }, isOff, Math.abs(z) < clearZ, at, rules);
}

/** Whether a drift begins, continues or ends. When it ends its sums start again. */
function settle(old: Channel, next: Channel, isOff: boolean, isUsual: boolean, at: string, rules: DriftRules): Channel {
  if (old.since === null) return { ...next, since: isOff ? at : null, usual: 0 };
  const usual = isUsual ? old.usual + 1 : 0;
  return usual < rules.clearReadings
    ? { ...next, since: old.since, usual }
    : { ...next, up: 0, down: 0, since: null, usual: 0 };
}

/** Share of the usual statements that are missing, over the endpoints with replies; null: nothing is usual yet. */
function goneFrom(before: DriftState, { stated }: Signals, rules: DriftRules) {
  const usual = Object.keys(stated).filter((key) => (before.presence[key] ?? 0) >= rules.presence.expected);
  if (usual.length === 0) return null;
  const gone = usual.filter((key) => stated[key] === false);
  const [first = ''] = gone;
  const [endpoint, , quantity] = first.split(' ');
  return {
    value: gone.length / usual.length,
    endpoint: endpoint || null,
    text: `${gone.length} of ${usual.length} usual values are not stated any more, first ${quantity} of ${endpoint}`,
  };
}

function learned(
  presence: DriftState['presence'],
  stated: Signals['stated'],
  { presence: { learn } }: DriftRules,
): DriftState['presence'] {
  const next: Record<string, number> = { ...presence };
  for (const [key, isStated] of Object.entries(stated)) {
    const old = next[key];
    const share = old === undefined ? 0.5 : learn;
    const value = (old ?? 0) + share * ((isStated ? 1 : 0) - (old ?? 0));
    // Rare statements are not stored.
    if (value < 0.01) delete next[key];
    else next[key] = Number(value.toFixed(4));
  }
  return next;
}

/** Factor of the reliability. Channels of distances show the same change from several sides, so they count once. */
function weightOf(channels: readonly string[], rules: DriftRules): number {
  const rates = channels.flatMap((name) => rules.rates[name]?.weight ?? []);
  const gap = rates.length < channels.length ? rules.gap.weight : 1;
  return Math.max(
    rules.leastWeight,
    rates.reduce((product, weight) => product * weight, gap),
  );
}

/** Distances of figures from their usual values, as the median over a channel. */
function jumpsOf(before: DriftState, signals: Signals, { levels: { classes, floor } }: DriftRules) {
  const levels = signals.levels.filter((row) => classes.includes(row.kind));
  return [...Map.groupBy(levels, (row) => row.channel)].flatMap(([channel, rows]) => {
    const value = median(rows.flatMap(({ key, y }) => y - (before.levels[key] ?? y)));
    const [first] = rows;
    return value === null || first === undefined
      ? []
      : [{ channel, endpoint: first.endpoint, value, isLinear: false, floor }];
  });
}

function levelled(
  before: DriftState['levels'],
  levels: Signals['levels'],
  { levels: { learn } }: DriftRules,
): DriftState['levels'] {
  const next: Record<string, number> = { ...before };
  for (const { key, y } of levels) next[key] = (next[key] ?? y) + learn * (y - (next[key] ?? y));
  return next;
}

function moved(shift: number, isLinear: boolean): string {
  if (isLinear) return `${shift > 0 ? '+' : ''}${shift.toPrecision(2)} from where it was`;
  const times = Math.exp(Math.min(shift, 20));
  return times < 5
    ? `${shift > 0 ? '+' : ''}${Math.round(100 * (times - 1))} % from where it was`
    : `${times.toPrecision(2)} times what it was`;
}
