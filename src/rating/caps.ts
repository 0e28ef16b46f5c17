import type { CapApplied, Flag } from '../domain/index.ts';
import { bandOf, capThresholds, flagThresholds, type Methodology, toScore } from '../methodology/index.ts';
import { effectiveVenues } from '../metrics/index.ts';
import { type CapCandidate, ceilingsOf } from './ceilings.ts';
import { booleanOf, type Context, countedVenuesOf, holdersOf, numberOf, rowOf, textOf } from './context.ts';
import { backingOf, isProvenBacking } from './features/fundamentals.ts';
import { ageOf, launchCounts } from './features/market.ts';
import { isDepositBacked, isIssuersPower } from './flags/classes.ts';
import { liquidityCaps } from './liquidity-caps.ts';

export type { CapCandidate } from './ceilings.ts';

/** Caps that follow from a flag alone. */
const BY_FLAG: Readonly<Record<string, string>> = {
  HONEYPOT: 'CANNOT_SELL',
  BALANCE_MUTABLE: 'BALANCE_MUTABLE',
  HIDDEN_OWNER: 'HIDDEN_OWNER',
  PERMANENT_DELEGATE: 'PERMANENT_DELEGATE',
  IMPERSONATION: 'IMPERSONATION',
  EXPLOIT_UNRESOLVED: 'EXPLOIT_UNRESOLVED',
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

/** Facts from one source: a reading of a chain, a registry of domains or a measured pool needs no confirmation to cap. */
const FACTUAL = new Set(['SOURCE_UNVERIFIED', 'CHAIN_HALT', 'DEPEG', 'DEPEG_SEVERE']);

/** All caps whose condition holds, from flags, age, mint state, majority holders and the class. Trust caps are added by the caller. */
export function capsOf(context: Context, flags: readonly Flag[]): readonly CapCandidate[] {
  const { enough, factual } = context.methodology.capConfidence;
  const fromFlags = flags
    .filter(
      (flag) =>
        flag.confidence >= (FACTUAL.has(flag.code) ? factual : enough) &&
        BY_FLAG[flag.code] !== undefined &&
        meetsCondition(context, flag),
    )
    .map((flag) => ({ code: codeOf(context, flag.code), flag: flag.code, detail: flag.detail }));
  return [
    ...fromFlags,
    // Anybody can open a thin pool beside a coin that its issuer redeems.
    ...(isRedeemed(context) ? [] : liquidityCaps(context, flags)),
    ...taxCap(context, flags),
    ...mintCap(context),
    ...majorityCap(context),
    ...oneSidedCap(context),
    ...ageCap(context),
    ...ceilingsOf(context),
  ];
}

/** Who holds half of the liquidity can hurt; who holds all of it can end the market. */
function codeOf(context: Context, flag: string): string {
  const whole = capThresholds(context.methodology).LP_CREATOR.share;
  const share = numberOf(context, 'lp_creator_share')?.value ?? 1;
  return flag === 'LP_CREATOR_CONTROLLED' && share < whole ? 'LP_CREATOR_HALF' : (BY_FLAG[flag] ?? '');
}

/** Conditions of methodology 3.4 that a flag does not carry by itself. */
function meetsCondition(context: Context, { code, value }: Flag): boolean {
  // "hidden owner with such power": concealment alone is a flag.
  if (code === 'HIDDEN_OWNER') return booleanOf(context, 'balance_mutable')?.value === true;
  // "asset not a disclosed issuer": powers that a register or the chain gives the issuer are its own.
  const power = POWER_OF[code];
  if (power !== undefined) return !isIssuersPower(context, power);
  // "and one venue": where trading is spread, one pool's owner cannot end it.
  if (code === 'LP_CREATOR_CONTROLLED') return hasOneVenue(context);
  // An hour is a flag, a day is a cap.
  if (code === 'CHAIN_HALT') return Number(value) > capThresholds(context.methodology).CHAIN_HALT.hours;
  return true;
}

/** Powers that a register may say are the issuer's own, by the flag on them. */
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

function hasOneVenue(context: Context): boolean {
  const venues = effectiveVenues(countedVenuesOf(context));
  const limit = flagThresholds(context.methodology).VENUE_CONCENTRATION.share;
  return venues === null || venues.largestShare > limit;
}

function taxCap(context: Context, flags: readonly Flag[]): readonly CapCandidate[] {
  const flag = flags.find(
    (row) => row.code === 'TAX_HIGH' && row.confidence >= context.methodology.capConfidence.enough,
  );
  const sell = numberOf(context, 'sell_tax') ?? numberOf(context, 'transfer_tax');
  return flag && sell && sell.value >= capThresholds(context.methodology).SELL_TAX_10.tax
    ? [{ code: 'SELL_TAX_10', flag: 'TAX_HIGH', detail: flag.detail }]
    : [];
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

/** Units are issued only against deposits: immutable code ensures it, or it is a registered receipt whose whole supply is backed. */
function isMintedForDeposits(context: Context): boolean {
  if (isDepositBacked(context)) return true;
  if (rowOf(context.input, 'protocols')?.kind !== 'receipt') return false;
  const found = backingOf(context);
  return found !== null && found.value >= 1 && isProvenBacking(found);
}

function majorityCap(context: Context): readonly CapCandidate[] {
  const found = holdersOf(context);
  const limits = capThresholds(context.methodology).HOLDER_MAJORITY;
  // Without labels a majority holder may be a bridge or an exchange: then it lowers confidence, not the cap.
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

/** Many buys and hardly a sale: either selling is impossible, or one party made all buys. Does not apply to assets traded on exchanges. */
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
  const age = ageOf(context);
  if (!age || isRedeemed(context)) return [];
  const thresholds = capThresholds(context.methodology);
  const code = AGES.find((cap) => age.value < thresholds[cap].days);
  return code
    ? [{ code, flag: code === 'AGE_180D' ? null : 'TOKEN_NEW', detail: `first trace ${age.value.toFixed(1)} days ago` }]
    : [];
}

/** Final score = the lower of the uncapped score and the lowest cap. The cap that decides is marked; ties by code. */
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
