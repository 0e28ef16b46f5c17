import { capThresholds } from '../methodology/index.ts';
import { ageOf } from './age.ts';
import { type Context, consensusOf, isRevised, numberOf, rowOf, textOf } from './context.ts';
import { isCreditRead, isCreditVault } from './credit-vault.ts';
import { backingOf, isProvenBacking } from './features/fundamentals.ts';
import { haltsWithin } from './halts.ts';
import { issuerOf } from './issuer.ts';
import { underlyingOf } from './underlying.ts';

/** A cap that applies, with the reason. */
export interface CapCandidate {
  readonly code: string;
  readonly flag: string | null;
  readonly detail: string;
  /** Set when the cap depends on facts; otherwise the value from the methodology applies. */
  readonly cap?: number;
}

/** Description of the condition that was met; null when it was not met. */
type Finding = string | null;
type Condition = (context: Context) => Finding;

const FIRM_REPORTS = ['monthly_big_firm', 'monthly_firm', 'quarterly_firm', 'onchain_realtime'];
const OFTEN = ['monthly_big_firm', 'monthly_firm', 'onchain_realtime'];
const SEGREGATED = ['statute', 'trust', 'contract', 'onchain'];

const stateOf = (context: Context, quantity: Parameters<typeof textOf>[1]) => textOf(context, quantity)?.value ?? null;
const isOneOf = (value: string | null, wanted: readonly string[]) => value !== null && wanted.includes(value);
const when = (holds: boolean, found: string): Finding => (holds ? found : null);

const isSupervised = (context: Context) => issuerOf(context)?.tier === 'supervised';
const isReported = (context: Context) => isOneOf(stateOf(context, 'reserve_report_state'), FIRM_REPORTS);
const isReportedOften = (context: Context) => isOneOf(stateOf(context, 'reserve_report_state'), OFTEN);
const isBest = (context: Context) =>
  isSupervised(context) && isReportedOften(context) && isOneOf(stateOf(context, 'segregation_state'), SEGREGATED);
const hasLegalClaim = (context: Context) => stateOf(context, 'claim_state') === 'legal_claim';
const isGradedExchange = (context: Context) =>
  isOneOf(stateOf(context, 'exchange_grade'), ['AA', 'A']) &&
  stateOf(context, 'exchange_reserves_state') === 'audited_accounts';

/**
 * Conditions of the ceilings that no flag expresses, by code. A condition that cannot be checked is not treated as
 * false.
 */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  ISSUER_INSOLVENT: (context) =>
    when(isOneOf(stateOf(context, 'insolvency_state'), ['proceedings', 'extinguished']), 'proceedings are open'),
  WIND_DOWN: (context) =>
    when((rowOf(context.input, 'issuers')?.wind_down ?? null) !== null, 'the issuer has announced its end'),
  CONTROL_UNCHECKED: unchecked,
  NATIVE_AA_GATE: nativeGate,
  CONSENSUS_SINGLE: (context) => {
    const operators = numberOf(context, 'consensus_nakamoto');
    const entry = stateOf(context, 'consensus_entry_state');
    return when(
      entry === 'single' || (operators !== null && operators.value <= 1 && entry !== 'permissionless'),
      'one operator produces the blocks',
    );
  },
  L2_STAGE_2: (context) => when(stateOf(context, 'l2_stage') === 'stage2', 'stage 2'),
  L2_STAGE_1: (context) => when(stateOf(context, 'l2_stage') === 'stage1', 'stage 1'),
  L2_STAGE_0: (context) =>
    when(!isOneOf(stateOf(context, 'l2_stage'), ['stage1', 'stage2']), 'stage 0, or no stage is known'),
  CLASS_FIAT_SUPERVISED: (context) => when(isBest(context), 'supervised, reported monthly, segregated'),
  CLASS_FIAT_QUARTERLY: (context) =>
    when(isSupervised(context) && isReported(context) && !isBest(context), 'supervised, without all of the rest'),
  CLASS_FIAT_UNSUPERVISED: (context) =>
    when(!isSupervised(context) && isReported(context), 'reported by a firm, not supervised'),
  CLASS_FIAT_UNATTESTED: (context) => when(!isReported(context), 'no firm is known to report on the backing'),
  CLASS_CRYPTO_ONCHAIN: (context) => when(isReadable(context), 'the backing can be read on a chain'),
  CLASS_CRYPTO_MIXED: (context) => when(!isReadable(context), 'part of the backing cannot be read on a chain'),
  CLASS_SYNTHETIC: (context) =>
    when(context.class === 'stable_algo' && isCovered(context) && !isOwnBacked(context), 'covered from outside'),
  CLASS_ALGORITHMIC: (context) =>
    isOwnBacked(context)
      ? 'its own token stands for more of its backing than may be'
      : context.class === 'stable_algo'
        ? when(!isCovered(context), 'no outside backing is shown for a year')
        : when(isShort(context), 'outside backing does not cover the liabilities'),
  UNDERLYING: (context) => {
    const found = underlyingOf(context);
    return found === null ? null : found.detail;
  },
  CLASS_LST_UPGRADEABLE: (context) =>
    when(
      stateOf(context, 'protocol_control_state') !== 'immutable' &&
        stateOf(context, 'proxy_admin_state') !== 'immutable',
      'the code behind it can be replaced',
    ),
  CLASS_LST_MULTISIG: (context) =>
    when(
      !isIssued(context) &&
        (isOneOf(stateOf(context, 'protocol_control_state'), ['multisig', 'eoa']) ||
          isOneOf(stateOf(context, 'proxy_admin_state'), ['multisig', 'eoa'])),
      'the code can be replaced at once',
    ),
  CUSTODIAN_NOT_SUPERVISED: (context) =>
    when(issuerOf(context) !== null && !isSupervised(context), 'no row calls the custodian supervised'),
  BACKING_UNPROVEN: (context) => {
    if (isCreditVault(context)) return null;
    const found = backingOf(context);
    return when(found === null || !isProvenBacking(context, found), 'nobody but the project says what is locked');
  },
  CREDIT_VAULT: (context) =>
    when(isCreditVault(context) && isCreditRead(context), 'it lends or sells what it was given'),
  CREDIT_VAULT_UNREAD: (context) =>
    when(
      isCreditVault(context) && !isCreditRead(context),
      'it lends or sells what it was given, and nobody says what it has instead',
    ),
  CLASS_COMMODITY_SUPERVISED: (context) => when(isSupervised(context) && isReportedOften(context), 'supervised'),
  CLASS_COMMODITY_UNSUPERVISED: (context) =>
    when(!isSupervised(context) || !isReportedOften(context), 'not supervised, or not reported monthly'),
  CLASS_GOVERNANCE: (context) => when(!hasLegalClaim(context), 'a vote is no claim'),
  CLASS_UTILITY: (context) => when(!hasLegalClaim(context), 'a token to pay with is no claim'),
  CLASS_EXCHANGE: (context) => when(!isGradedExchange(context), 'below grade A, or without audited accounts'),
  CLASS_EXCHANGE_GRADED: (context) => when(isGradedExchange(context), 'grade A with audited accounts'),
  CLASS_GAMING: () => 'a token of a game',
  CLASS_MEME: (context) => when(!paysHolders(context), 'nothing is owed to holders'),
  CLASS_MEME_FEES: (context) => when(paysHolders(context), 'holders receive fees'),
  CLASS_RWA_FUND: (context) => when(isFund(context) && isSupervised(context), 'a fund of a supervised issuer'),
  CLASS_RWA_CONTRACT: (context) =>
    when(isDocumented(context) && !(isFund(context) && isSupervised(context)), 'no fund of a supervised issuer'),
  CLASS_RWA_UNDOCUMENTED: (context) => when(!isDocumented(context), 'no legal document is known'),
  CLASS_DEFAULT: () => 'no evidence names a class',
};

/** Ceilings whose conditions hold, both those of the asset's class and those of all classes. */
export function ceilingsOf(context: Context): readonly CapCandidate[] {
  return context.methodology.caps.flatMap(({ code, classes }) => {
    const condition = CONDITIONS[code];
    if (condition === undefined || (classes !== undefined && !classes.includes(context.class))) return [];
    const detail = condition(context);
    if (detail === null) return [];
    const { below } = capThresholds(context.methodology).UNDERLYING;
    const cap = code === 'UNDERLYING' ? (underlyingOf(context)?.score ?? 100) - below : undefined;
    return [{ code, flag: null, detail, ...(cap === undefined ? {} : { cap: Math.max(0, cap) }) }];
  });
}

/** The lowest ceiling that is specific to the asset's class and whose condition holds; 100 when there is none. */
export function ceilingOfClass(context: Context): number {
  const rows = new Map(context.methodology.caps.map((row) => [row.code, row]));
  const held = ceilingsOf(context).filter(({ code }) => rows.get(code)?.classes !== undefined);
  return Math.min(100, ...held.map(({ code, cap }) => cap ?? rows.get(code)?.cap ?? 100));
}

/** True when a register names an issuer that is responsible for the powers over the asset. */
export function isIssued(context: Context): boolean {
  const tier = issuerOf(context)?.tier;
  return tier === 'supervised' || tier === 'disclosed';
}

function unchecked(context: Context): Finding {
  // Chains that no source supports cannot be read; a register row may name who controls a protocol.
  if (context.native || context.kind === null || isIssued(context)) return null;
  if (consensusOf(context, 'protocol_control_state') !== null) return null;
  const freezes = consensusOf(context, 'freeze_authority_state') ?? consensusOf(context, 'blacklist_function');
  const code = consensusOf(context, 'proxy_admin_state') ?? consensusOf(context, 'is_proxy');
  const unread = [
    ...(consensusOf(context, 'mint_authority_state') === null ? ['mint'] : []),
    ...(freezes === null ? ['freeze'] : []),
    ...(context.kind === 'evm' && code === null ? ['replace the code'] : []),
  ];
  return when(unread.length > 0, `not read who may ${unread.join(', ')}`);
}

function nativeGate(context: Context): Finding {
  const { haltHours, haltDays, days } = capThresholds(context.methodology).NATIVE_AA_GATE;
  const control = stateOf(context, 'consensus_control_state');
  const outage = numberOf(context, 'outage_hours');
  // The feature ages the hours of an outage; the gate asks whether there was one.
  const recorded = haltDays === undefined ? [] : haltsWithin(context, haltDays);
  const halt = (outage !== null && outage.value >= haltHours) || recorded.some(({ hours }) => hours >= haltHours);
  const age = ageOf(context);
  const found = [
    when(stateOf(context, 'consensus_entry_state') !== 'permissionless', 'not everybody may produce blocks'),
    when(
      control === null || isOneOf(control, ['foundation', 'council', 'company', 'single_key']),
      `${control ?? 'nobody known'} controls the rules`,
    ),
    when(halt, 'it stood still in the last five years'),
    when(outage === null && isRevised(context), 'nobody recorded whether it stood still'),
    when(age === null || age.value < days, `younger than ${days} days`),
    when(numberOf(context, 'consensus_nakamoto') === null, 'its operators were not counted'),
  ].filter((row) => row !== null);
  return found.length === 0 ? null : found.join('; ');
}

function isReadable(context: Context): boolean {
  const share = numberOf(context, 'backing_onchain_share');
  const { readable } = capThresholds(context.methodology).CLASS_CRYPTO_ONCHAIN;
  return share !== null && share.value >= readable;
}

function isCovered(context: Context): boolean {
  const { covered, shown, days } = capThresholds(context.methodology).CLASS_SYNTHETIC;
  const adjusted = numberOf(context, 'backing_risk_adjusted');
  const share = numberOf(context, 'backing_onchain_share');
  const isShown = isReported(context) || (share !== null && share.value >= shown);
  const isBacked = adjusted === null ? isShown : adjusted.value >= covered;
  return isBacked && (ageOf(context)?.value ?? 0) >= days;
}

/** True when too much of the backing is the project's own asset, which loses value together with the promise. */
function isOwnBacked(context: Context): boolean {
  const share = numberOf(context, 'backing_own_share');
  return share !== null && share.value > capThresholds(context.methodology).CLASS_ALGORITHMIC.own;
}

/** True when the backing is too small to keep the promise of redemption. */
function isShort(context: Context): boolean {
  const adjusted = numberOf(context, 'backing_risk_adjusted');
  const { covered } = capThresholds(context.methodology).CLASS_ALGORITHMIC;
  return adjusted !== null && adjusted.value < covered;
}

function paysHolders(context: Context): boolean {
  const { monthlyUsd, days } = capThresholds(context.methodology).CLASS_MEME_FEES;
  const monthly = numberOf(context, 'holders_revenue_30d_usd')?.value ?? 0;
  return (
    isOneOf(stateOf(context, 'claim_state'), ['fees_by_vote', 'fees_by_code', 'legal_claim']) &&
    monthly >= monthlyUsd &&
    (ageOf(context)?.value ?? 0) >= days
  );
}

const isFund = (context: Context) =>
  isOneOf(stateOf(context, 'legal_form_state'), ['registered_security', 'exempt_fund']);
const isDocumented = (context: Context) => !isOneOf(stateOf(context, 'legal_form_state') ?? 'none', ['none']);
