import Type, { type Static, type TProperties } from 'typebox';
import { Compile } from 'typebox/compile';
import Value from 'typebox/value';
import type { CapDefinition, FlagDefinition } from './schema.ts';
import { type Frozen, strict, unit } from './terms.ts';

/** US dollars, days, hours or a count. */
const amount = Type.Number({ minimum: 0 });
/** An object with exactly these thresholds. */
const names = <Thresholds extends TProperties>(thresholds: Thresholds) => Type.Object(thresholds, strict);
const none = names({});
/** Daily volume on exchanges, or depth of their order books, above which small pools are no lack of liquidity. */
const books = { bookVolumeUsd: amount, bookDepthUsd: amount };

/** Every flag, with the thresholds that its rule reads. Neither code nor data can name another flag or threshold. */
export const flagSchema = names({
  HONEYPOT: none,
  RUG_EXECUTED: names({ removed: unit, leftUsd: amount, fallen: unit }),
  BALANCE_MUTABLE: none,
  HIDDEN_OWNER: none,
  MINT_AUTHORITY_EOA: none,
  MINT_AUTHORITY_ACTIVE: none,
  FREEZE_AUTHORITY_EOA: none,
  FREEZE_AUTHORITY_ACTIVE: none,
  PERMANENT_DELEGATE: none,
  TRANSFER_HOOK: none,
  DEFAULT_FROZEN: none,
  TRANSFER_PAUSABLE: none,
  BLACKLIST_FUNCTION: none,
  SELL_TAX_EXTREME: names({ tax: unit, confidence: unit }),
  TAX_HIGH: names({ tax: unit, confidence: unit }),
  TAX_MODIFIABLE: none,
  PROXY_UPGRADEABLE_EOA: none,
  PROXY_UPGRADEABLE: none,
  SOURCE_UNVERIFIED: none,
  METADATA_MUTABLE: none,
  LP_UNLOCKED: names({ locked: unit, ageDays: amount, confidence: unit }),
  LP_CREATOR_CONTROLLED: names({ share: unit, confidence: unit }),
  LP_UNLOCK_SOON: names({ days: amount, share: unit }),
  LOCKER_UNKNOWN: none,
  LIQUIDITY_CRITICAL: names({ liquidityUsd: amount, depthUsd: amount, depthConfidence: unit, ...books }),
  LIQUIDITY_THIN: names({ liquidityUsd: amount, ...books }),
  LIQUIDITY_DRAIN: names({
    drop: unit,
    presentHours: amount,
    referenceHours: amount,
    points: amount,
    twiceConfidence: unit,
    onceConfidence: unit,
  }),
  DEPTH_ONE_SIDED: names({ ratio: amount }),
  WASH_TRADING_SUSPECTED: names({ share: unit, confidence: unit }),
  VOLUME_ANOMALY: names({ multiple: amount, flatPct: amount, days: amount }),
  VENUE_CONCENTRATION: names({ share: unit, confidence: unit }),
  PRICE_DISPERSION: names({ dispersion: unit, confidence: unit }),
  VOLATILITY_EXTREME: names({ daily: unit }),
  PRICE_COLLAPSE: names({ changePct: Type.Number({ maximum: 0 }), confidence: unit }),
  TOP1_DOMINANT: names({ share: unit }),
  TOP10_CONCENTRATED: names({ share: unit }),
  CREATOR_HOLDING_HIGH: names({ share: unit, confidence: unit }),
  HOLDER_BASE_TINY: names({ count: amount }),
  BUNDLED_LAUNCH: names({ share: unit }),
  HOLDERS_UNLABELLED: names({ share: unit, confidence: unit }),
  UNLOCK_CLIFF: names({ share: unit }),
  INFLATION_HIGH: names({ share: unit, days: amount }),
  LOW_FLOAT: names({ share: unit }),
  SUPPLY_MISMATCH: names({ gap: unit, confidence: unit }),
  SUPPLY_UNEXPECTED_MINT: names({ growth: amount }),
  EXPLOIT_RECENT: names({ loss: unit, days: amount, confidence: unit }),
  /** `repaid`: share of the loss from which a repayment resolves it. Absent: any repayment does. */
  EXPLOIT_UNRESOLVED: names({
    days: amount,
    confidence: unit,
    fallenConfidence: unit,
    witnessedConfidence: unit,
    repaid: Type.Optional(unit),
  }),
  DEPEG: names({ distance: unit }),
  DEPEG_SEVERE: names({ distance: unit }),
  RESERVE_UNVERIFIED: names({ days: amount, lostConfidence: unit }),
  /** `measured`: the same for what the chain or a reserve feed shows, less what moves between two readings. */
  BACKING_SHORTFALL: names({ ratio: amount, measured: Type.Optional(amount) }),
  BRIDGE_DEPENDENCY: names({ share: unit, confidence: unit, copyConfidence: unit }),
  SERIAL_DEPLOYER: names({ dead: amount, confidence: unit }),
  IMPERSONATION: names({ confidence: unit }),
  IDENTITY_UNVERIFIED: names({ match: unit }),
  WEBSITE_DOWN: names({ probes: amount, confidence: unit, statedConfidence: unit }),
  DOMAIN_NEW: names({ days: amount, confidence: unit }),
  TOKEN_NEW: names({ days: amount, veryNewDays: amount, confidence: unit }),
  TEAM_ANONYMOUS: names({ confidence: unit, lostConfidence: unit }),
  NO_AUDIT: names({ sources: amount, confidence: unit }),
  DEV_INACTIVE: names({ days: amount, confidence: unit }),
  FORK_UNMODIFIED: names({ aheadCommits: amount }),
  GOVERNANCE_CENTRALISED: none,
  REGULATORY_ACTION: none,
  SANCTIONS_EXPOSURE: none,
  DELISTING: names({ volumeUsd: amount, tradeConfidence: unit, notFoundConfidence: unit, unnamedConfidence: unit }),
  CHAIN_HALT: names({ hours: amount }),
  DATA_CONFLICT: none,
  UNIT_MISMATCH: none,
  DATA_STALE: none,
  ABANDONED: names({ days: amount, points: amount, confidence: unit }),
  ACCUSATION_UNCONFIRMED: none,
  /** `left`: share of the largest value locked, at most. Absent before 1.8.0: the end of a protocol raises nothing. */
  PROTOCOL_ENDED: Type.Optional(
    names({ left: unit, exchanges: amount, confidence: unit, lostConfidence: unit, witnessedConfidence: unit }),
  ),
});

/** Caps whose condition has its own thresholds. Other caps use those of their flag. */
export const capSchema = names({
  SELL_TAX_10: names({ tax: unit }),
  LP_CREATOR: names({ share: unit }),
  HOLDER_MAJORITY: names({ share: unit, confidence: unit, unlabelled: unit }),
  AGE_7D: names({ days: amount }),
  AGE_30D: names({ days: amount }),
  AGE_180D: names({ days: amount }),
  CHAIN_HALT: names({ hours: amount }),
  LIQUIDITY_GONE: names({ liquidityUsd: amount }),
  DEPTH_SHALLOW: names({ depthUsd: amount }),
  ONE_SIDED: names({ buys: amount, sells: amount }),
  // `haltDays`: a single halt of `haltHours` counts for so long, whatever its age. Absent before 1.7.0: aged hours alone count.
  NATIVE_AA_GATE: names({ haltHours: amount, haltDays: Type.Optional(amount), days: amount }),
  UNDERLYING: names({ below: amount, share: unit }),
  CREDIT_VAULT: names({ held: unit }),
  CLASS_CRYPTO_ONCHAIN: names({ readable: unit }),
  CLASS_SYNTHETIC: names({ covered: unit, shown: unit, days: amount }),
  CLASS_ALGORITHMIC: names({ covered: unit, own: unit }),
  CLASS_MEME_FEES: names({ monthlyUsd: amount, days: amount }),
});

/** Thresholds of flags, by the flag's code. */
export type FlagThresholds = Frozen<Static<typeof flagSchema>>;
/** Thresholds of caps, by the cap's code. */
export type CapThresholds = Frozen<Static<typeof capSchema>>;
export type FlagCode = keyof FlagThresholds;

const ofFlags = Compile(flagSchema);
const ofCaps = Compile(capSchema);

interface Row {
  readonly code: string;
  readonly thresholds: Readonly<Record<string, number>>;
}

/** Thresholds of the rows, by code. */
function byCode(rows: readonly Row[]): Readonly<Record<string, Row['thresholds']>> {
  return Object.fromEntries(rows.map(({ code, thresholds }) => [code, thresholds]));
}

function deciding(caps: readonly CapDefinition[]): readonly Row[] {
  return caps.filter(({ code }) => code in capSchema.properties);
}

/** Cached per methodology, since every rating reads them. */
const flagsRead = new WeakMap<readonly FlagDefinition[], FlagThresholds>();
const capsRead = new WeakMap<readonly CapDefinition[], CapThresholds>();

/**
 * Thresholds of all flags. Throws when they differ from those that the rules read, that is, for a methodology that was
 * not loaded with `loadMethodology`.
 */
export function flagThresholds({ flags }: { readonly flags: readonly FlagDefinition[] }): FlagThresholds {
  const known = flagsRead.get(flags);
  if (known) return known;
  const found = byCode(flags);
  if (!ofFlags.Check(found)) throw new Error(thresholdComplaints(flags, []).join('; '));
  flagsRead.set(flags, found);
  return found;
}

/** Thresholds of the caps that have their own. Throws as `flagThresholds` does. */
export function capThresholds({ caps }: { readonly caps: readonly CapDefinition[] }): CapThresholds {
  const known = capsRead.get(caps);
  if (known) return known;
  const found = byCode(deciding(caps));
  if (!ofCaps.Check(found)) throw new Error(thresholdComplaints([], caps).join('; '));
  capsRead.set(caps, found);
  return found;
}

/**
 * Errors in the thresholds of rows: a missing or unknown flag or threshold, or a cap that contradicts its
 * flag.
 */
export function thresholdComplaints(flags: readonly Row[], caps: readonly CapDefinition[]): readonly string[] {
  const known = byCode(flags);
  return [
    ...(flags.length === 0 || fits(ofFlags, flags) ? [] : closedComplaints('flag', flagSchema.properties, flags)),
    ...(caps.length === 0 || fits(ofCaps, deciding(caps))
      ? []
      : closedComplaints('cap', capSchema.properties, deciding(caps))),
    ...caps
      .filter(({ code }) => !(code in capSchema.properties))
      .flatMap(({ code, flag, thresholds }) =>
        Object.entries(thresholds)
          .filter(([name, value]) => flags.length > 0 && known[flag ?? '']?.[name] !== value)
          .map(([name]) => `cap ${code}: threshold ${name} is not that of its flag ${flag}`),
      ),
  ];
}

/** Fast check of all rows at once: checking each threshold separately takes as long as all other checks together. */
function fits(validator: typeof ofFlags | typeof ofCaps, rows: readonly Row[]): boolean {
  const given = byCode(rows);
  return Object.keys(given).length === rows.length && validator.Check(given);
}

function closedComplaints(
  what: 'flag' | 'cap',
  properties: Readonly<Record<string, TypeOfNames>>,
  rows: readonly Row[],
): readonly string[] {
  const given = byCode(rows);
  return [
    ...Object.entries(properties).flatMap(([code, own]) =>
      code in given || Type.IsOptional(own) ? [] : [`${what} ${code} is missing`],
    ),
    ...rows.flatMap(({ code, thresholds }) => {
      const own = properties[code];
      if (own === undefined) return [`${what} ${code} is unknown: no rule raises it`];
      const expected = Object.keys(own.properties);
      return [
        ...expected.filter((name) => !(name in thresholds)).map((name) => `threshold ${name} is missing`),
        ...Object.keys(thresholds)
          .filter((name) => !expected.includes(name))
          .map((name) => `threshold ${name} is unknown (it has ${expected.join(', ') || 'none'})`),
        ...Object.entries(thresholds)
          .filter(([name, value]) => expected.includes(name) && !Value.Check(own.properties[name] ?? {}, value))
          .map(([name, value]) => `threshold ${name} cannot be ${value}`),
      ].map((complaint) => `${what} ${code}: ${complaint}`);
    }),
  ];
}

/** An object of thresholds, which may be optional. */
interface TypeOfNames {
  readonly properties: TProperties;
}
