import { type CapApplied, type Flag, sourcesFor } from '../domain/index.ts';
import { bandOf, capThresholds, flagThresholds, type Methodology, toScore } from '../methodology/index.ts';
import { effectiveVenues } from '../metrics/index.ts';
import { ageOf, statedAgeOf, traceOf } from './age.ts';
import { type CapCandidate, ceilingsOf } from './ceilings.ts';
import {
  booleanOf,
  type Context,
  countedVenuesOf,
  failed,
  holdersOf,
  isGuarded,
  isHardened,
  isOfLaunch,
  isRevised,
  isTightened,
  numberOf,
  rowOf,
  textOf,
} from './context.ts';
import { heldLiquidityOf } from './creator-liquidity.ts';
import { backingOf, isProvenBacking } from './features/fundamentals.ts';
import { launchCounts } from './features/market.ts';
import { isDepositBacked, isIssuersPower } from './flags/classes.ts';
import { isCorroborated } from './flags/rule.ts';
import { factualConfidence, liquidityCaps } from './liquidity-caps.ts';

export type { CapCandidate } from './ceilings.ts';

/** Caps that a flag alone triggers. */
const BY_FLAG: Readonly<Record<string, string>> = {
  HONEYPOT: 'CANNOT_SELL',
  BALANCE_MUTABLE: 'BALANCE_MUTABLE',
  HIDDEN_OWNER: 'HIDDEN_OWNER',
  PERMANENT_DELEGATE: 'PERMANENT_DELEGATE',
  IMPERSONATION: 'IMPERSONATION',
  EXPLOIT_UNRESOLVED: 'EXPLOIT_UNRESOLVED',
  PROTOCOL_ENDED: 'PROTOCOL_ENDED',
  SERIAL_DEPLOYER: 'SERIAL_DEPLOYER',
  SELL_TAX_EXTREME: 'SELL_TAX_30',
  SOURCE_UNVERIFIED: 'SOURCE_UNVERIFIED',
  PROXY_UPGRADEABLE_EOA: 'PROXY_EOA',
  CHAIN_HALT: 'CHAIN_HALT',
  DEPEG: 'DEPEG',
  DEPEG_SEVERE: 'DEPEG_SEVERE',
  SANCTIONS_EXPOSURE: 'SANCTIONS',
  LP_CREATOR_CONTROLLED: 'LP_CREATOR',
  MINT_AUTHORITY_EOA: 'MINT_EOA',
  FREEZE_AUTHORITY_EOA: 'FREEZE_EOA',
};

/**
 * Facts that one source can establish (a chain reading, a domain registry, a measured pool). They cap without
 * confirmation.
 */
const FACTUAL = new Set(['SOURCE_UNVERIFIED', 'CHAIN_HALT', 'DEPEG', 'DEPEG_SEVERE']);

/**
 * Returns all caps whose condition holds: from flags, age, mint state, majority holders and the class. The caller adds
 * the trust caps.
 */
export function capsOf(context: Context, flags: readonly Flag[]): readonly CapCandidate[] {
  const { enough } = context.methodology.capConfidence;
  const factual = factualConfidence(context);
  const fromFlags = flags
    .filter(
      (flag) =>
        flag.confidence >= (FACTUAL.has(flag.code) ? factual : enough) &&
        BY_FLAG[flag.code] !== undefined &&
        meetsCondition(context, flag),
    )
    .map((flag) => ({ code: codeOf(context, flag), flag: flag.code, detail: flag.detail }));
  return [
    ...fromFlags,
    // Anybody can open a thin pool beside a coin that its issuer redeems.
    ...(isRedeemed(context) ? [] : liquidityCaps(context, flags)),
    ...taxCap(context, flags),
    ...mintCap(context),
    ...heldPowerCaps(context),
    ...majorityCap(context),
    ...oneSidedCap(context),
    ...ageCap(context),
    ...ceilingsOf(context),
  ];
}

/**
 * An owner of half of the liquidity can do harm; an owner of all of it can end the market, and so can a few wallets if
 * they are one owner's, which is not known. A loss that one list alone calls
 * repaid is less than one that nobody does. The cases have different codes.
 */
function codeOf(context: Context, { code, severity }: Flag): string {
  const whole = capThresholds(context.methodology).LP_CREATOR.share;
  const held = heldLiquidityOf(context);
  const isHalf = (held?.value ?? 1) < whole || held?.unnamed === 'up to three wallets';
  if (code === 'LP_CREATOR_CONTROLLED' && isHalf) return 'LP_CREATOR_HALF';
  return code === 'EXPLOIT_UNRESOLVED' && severity !== 'critical' ? 'EXPLOIT_REPAID' : (BY_FLAG[code] ?? '');
}

/** Conditions of methodology 3.4 that the flag itself does not imply. */
function meetsCondition(context: Context, { code, value }: Flag): boolean {
  // "hidden owner with such power": a concealed owner alone raises a flag and no cap.
  if (code === 'HIDDEN_OWNER') return booleanOf(context, 'balance_mutable')?.value === true;
  // "asset not a disclosed issuer": powers that a register or the chain attributes to the issuer do not count.
  const power = POWER_OF[code];
  if (power !== undefined) return !isIssuersPower(context, power);
  // "and one venue": where trading is spread over several venues, the owner of one pool cannot end it.
  if (code === 'LP_CREATOR_CONTROLLED') return hasOneVenue(context);
  // An outage of an hour raises a flag; an outage of a day also sets a cap.
  if (code === 'CHAIN_HALT') return Number(value) > capThresholds(context.methodology).CHAIN_HALT.hours;
  return true;
}

/** Maps a flag to the power behind it, which a register may attribute to the issuer. */
const POWER_OF: Readonly<Record<string, Parameters<typeof isIssuersPower>[1]>> = {
  MINT_AUTHORITY_EOA: 'mint',
  FREEZE_AUTHORITY_EOA: 'freeze',
  PROXY_UPGRADEABLE_EOA: 'upgrade',
  PERMANENT_DELEGATE: 'seize',
};

/** True for a token of a named issuer that redeems it: its value does not depend on a pool. */
function isRedeemed(context: Context): boolean {
  const redemption = textOf(context, 'redemption_state')?.value ?? 'none';
  const tier = textOf(context, 'issuer_tier')?.value;
  return (tier === 'supervised' || tier === 'disclosed') && redemption !== 'none';
}

/**
 * Since methodology 1.7.0 all pools are one venue: nothing shows that the owner of the liquidity does not own a second pool
 * too.
 */
function hasOneVenue(context: Context): boolean {
  const counted = countedVenuesOf(context);
  const isPool = (scope: string) => scope.startsWith('pool:');
  const apart = isHardened(context)
    ? counted.map((venue) => (isPool(venue.scope) ? { ...venue, scope: 'pool:any' } : venue))
    : counted;
  const venues = effectiveVenues(apart);
  const limit = flagThresholds(context.methodology).VENUE_CONCENTRATION.share;
  return venues === null || venues.largestShare > limit;
}

function taxCap(context: Context, flags: readonly Flag[]): readonly CapCandidate[] {
  const flag = flags.find(
    (row) => row.code === 'TAX_HIGH' && row.confidence >= context.methodology.capConfidence.enough,
  );
  const [sell, transfer] = [numberOf(context, 'sell_tax'), numberOf(context, 'transfer_tax')];
  const { tax } = capThresholds(context.methodology).SELL_TAX_10;
  // A sale is a transfer: which pools are free of a tax on transfers is the choice of the token's owner.
  const taxes = isGuarded(context) ? [sell, transfer] : [sell ?? transfer];
  const isCapped = taxes.some(
    (row) =>
      row !== null &&
      row.value >= tax &&
      (!isRevised(context) || isCorroborated(context, row.consensus, (value) => Number(value) >= tax)),
  );
  return flag && isCapped ? [{ code: 'SELL_TAX_10', flag: 'TAX_HIGH', detail: flag.detail }] : [];
}

function mintCap(context: Context): readonly CapCandidate[] {
  const state = textOf(context, 'mint_authority_state');
  if (
    !state ||
    context.native ||
    isIssuersPower(context, 'mint') ||
    (state.value === 'contract' && isMintedForDeposits(context)) ||
    !['multisig', 'contract'].includes(state.value) ||
    state.confidence < context.methodology.capConfidence.enough
  )
    return [];
  return [
    {
      code: 'MINT_MULTISIG',
      flag: 'MINT_AUTHORITY_ACTIVE',
      detail: `tokens can be created by a ${state.value} without a timelock`,
    },
  ];
}

/** Powers that a key can hold, their states, and the caps of a plain key that holds them. */
const HELD_POWERS = [
  { power: 'mint', state: 'mint_authority_state', code: 'MINT_EOA', flag: 'MINT_AUTHORITY_ACTIVE' },
  { power: 'freeze', state: 'freeze_authority_state', code: 'FREEZE_EOA', flag: 'FREEZE_AUTHORITY_ACTIVE' },
  { power: 'upgrade', state: 'proxy_admin_state', code: 'PROXY_EOA', flag: 'PROXY_UPGRADEABLE' },
] as const;
/** Holders of a power behind which anybody can be: who signs, or what the contract lets its owner do, is not read. */
const BEHIND_CODE: ReadonlySet<string> = new Set(['contract', 'multisig']);

/**
 * Since methodology 1.8.0 a contract or a multisig of unknown owners is no better than a plain key while launch facts count
 * for a token that no protocol needs to mint, freeze or upgrade: whoever launched it makes either for nothing.
 */
function heldPowerCaps(context: Context): readonly CapCandidate[] {
  if (!isTightened(context) || !isOfLaunch(context) || !launchCounts(context)) return [];
  return HELD_POWERS.flatMap(({ power, state, code, flag }) => {
    const held = textOf(context, state);
    if (held === null || !BEHIND_CODE.has(held.value) || held.confidence < context.methodology.capConfidence.enough)
      return [];
    if (isIssuersPower(context, power) || (power === 'mint' && isMintedForDeposits(context))) return [];
    const detail = `a ${held.value} whose owner is not known may ${power}, as a plain key could`;
    return [{ code, flag, detail }];
  });
}

/**
 * True when units are issued only against deposits: immutable code enforces it, or the token is a registered receipt
 * with a fully backed supply.
 */
function isMintedForDeposits(context: Context): boolean {
  if (isDepositBacked(context)) return true;
  if (rowOf(context.input, 'protocols')?.kind !== 'receipt') return false;
  const found = backingOf(context);
  return found !== null && found.value >= 1 && isProvenBacking(context, found);
}

function majorityCap(context: Context): readonly CapCandidate[] {
  const found = holdersOf(context);
  const limits = capThresholds(context.methodology).HOLDER_MAJORITY;
  // Without labels, a majority holder may be a bridge or an exchange. Confidence is lower then, and no cap is set.
  if (
    !found ||
    found.largestShare <= limits.share ||
    found.confidence < limits.confidence ||
    found.unlabelledTop20Share > limits.unlabelled ||
    found.largest?.kind !== null ||
    context.native
  )
    return [];
  return [
    {
      code: 'HOLDER_MAJORITY',
      flag: 'TOP1_DOMINANT',
      detail: `one wallet holds ${(found.largestShare * 100).toFixed(1)} %`,
    },
  ];
}

/**
 * Many purchases and almost no sales: either selling is impossible, or one party made all purchases. Not applied to
 * assets traded on exchanges.
 */
function oneSidedCap(context: Context): readonly CapCandidate[] {
  const limits = capThresholds(context.methodology).ONE_SIDED;
  const { enough } = context.methodology.capConfidence;
  const [buys, sells] = [numberOf(context, 'buys_24h'), numberOf(context, 'sells_24h')];
  if (buys === null || sells === null || !launchCounts(context) || isRedeemed(context)) return [];
  const holds = buys.value >= limits.buys && sells.value <= limits.sells;
  return holds && Math.min(buys.confidence, sells.confidence) >= enough
    ? [{ code: 'ONE_SIDED', flag: null, detail: `${buys.value} purchases and ${sells.value} sales in a day` }]
    : [];
}

/** From the lowest cap to the highest. */
const AGES = ['AGE_7D', 'AGE_30D', 'AGE_180D'] as const;

function ageCap(context: Context): readonly CapCandidate[] {
  if (isRedeemed(context)) return [];
  const age = ageOf(context) ?? statedAgeOf(context);
  const thresholds = capThresholds(context.methodology);
  const code = age === null ? undefined : AGES.find((cap) => age.value < thresholds[cap].days);
  if (age !== null && code !== undefined)
    return [
      {
        code,
        flag: code === 'AGE_180D' ? null : 'TOKEN_NEW',
        detail: `${traceOf(context)} ${age.value.toFixed(1)} days ago`,
      },
    ];
  return isHardened(context) && ageOf(context) === null ? [unknownAge(context, age !== null)] : [];
}

/** Nobody gains by hiding an age, or by the word of one registry. Failed sources are no fault of the project's. */
function unknownAge(context: Context, isStated: boolean): CapCandidate {
  const who = isStated ? 'one source alone says' : 'no source says';
  const code = failed(context, sourcesFor('market_figures')) ? 'AGE_180D' : 'AGE_30D';
  return { code, flag: null, detail: `${who} how old it is` };
}

/**
 * Final score = the lower of the uncapped score and the lowest cap. Marks the deciding cap; ties are broken by code.
 */
export function applyCaps(
  uncapped: number,
  candidates: readonly CapCandidate[],
  methodology: Methodology,
): { readonly score: number; readonly caps: readonly CapApplied[] } {
  const rows = candidates
    .map((candidate) => {
      const cap = candidate.cap ?? methodology.caps.find((row) => row.code === candidate.code)?.cap;
      if (cap === undefined) throw new Error(`the methodology has no cap ${candidate.code}`);
      return { ...candidate, cap };
    })
    .sort((a, b) => a.cap - b.cap || (a.code < b.code ? -1 : 1));
  const score = toScore(uncapped);
  const lowest = rows[0];
  const binds = lowest !== undefined && lowest.cap < score;
  return {
    score: binds ? lowest.cap : score,
    caps: rows.map((row) => ({ ...row, band: bandOf(row.cap, methodology), binding: binds && row === lowest })),
  };
}
