import type { QuantityId } from '../../domain/index.ts';
import { DAY_MS, sourcesFor } from '../../domain/index.ts';
import { pointsOf } from '../../methodology/index.ts';
import { statedAgeOf } from '../age.ts';
import {
  absent,
  answered,
  booleanOf,
  type Context,
  daysSince,
  type FeatureReading,
  isHardened,
  type Known,
  keyOf,
  notApplicable,
  numberOf,
  observed,
  readOr,
  textOf,
  unknown,
  withAndWithoutOwnWord,
} from '../context.ts';
import { creatorLiquidityOf } from '../creator-liquidity.ts';
import { isIssuersPower } from '../flags/classes.ts';
import { tierOfPower } from '../issuer.ts';
import { bestOf } from '../missing-values.ts';
import { basisOf, confirmedFeature, confirmedTies, openTies } from '../ties.ts';
import { launchCounts, PAST_LAUNCH } from './market.ts';

const SCANNERS = sourcesFor('scanners');
const CHAIN = [...sourcesFor('chain'), ...SCANNERS];
const LIQUIDITY = sourcesFor('liquidity_locks');
const VERIFIERS = sourcesFor('verified_code');

/** Powers over other people's tokens; each one present counts. */
export const PRIVILEGES: readonly QuantityId[] = [
  'permanent_delegate',
  'transfer_hook',
  'default_frozen',
  'transfer_pausable',
  'non_transferable',
  'mint_close_authority',
  'unassessed_extension',
  'balance_mutable',
  'hidden_owner',
  'ownership_reclaimable',
  'blacklist_function',
  'whitelist_function',
  'trading_cooldown',
  'self_destruct',
  'external_call',
  'cannot_sell_all',
];

/** TS: powers of the token contract, control over the protocol behind it, and security of the consensus of a chain. */
export function securityFeatures(context: Context): readonly FeatureReading[] {
  return [
    mint(context),
    freeze(context),
    privileges(context),
    tax(context),
    proxy(context),
    locked(context),
    creatorLiquidity(context),
    independentLiquidity(context),
    audits(context),
    verified(context),
    readOr(context, 'ts_bounty', numberOf(context, 'bounty_max_usd'), 'largest payout of the bounty', REGISTERS),
    readOr(context, 'ps_control', textOf(context, 'protocol_control_state'), 'who can change the protocol', REGISTERS),
    readOr(context, 'l2_stage', textOf(context, 'l2_stage'), 'stage of the rollup', REGISTERS),
    ...consensusFeatures(context),
  ];
}

/** Empty: for rows of kept registers and for consensus counts, the last reading still counts when a source fails. */
const REGISTERS: readonly string[] = [];

function consensusFeatures(context: Context): readonly FeatureReading[] {
  const number = (id: string, quantity: QuantityId, method: string) =>
    readOr(context, id, numberOf(context, quantity), method, REGISTERS);
  const state = (id: string, quantity: QuantityId, method: string) =>
    readOr(context, id, textOf(context, quantity), method, REGISTERS);
  return [
    number('cs_nakamoto', 'consensus_nakamoto', 'operators that together can halt it'),
    attack(context),
    state('cs_open', 'consensus_entry_state', 'who may produce blocks'),
    number('cs_clients', 'client_top_share', 'share of the most used node software'),
    number('cs_outage', 'outage_hours', 'hours without blocks, aged'),
    state('cs_control', 'consensus_control_state', 'who can change the rules'),
  ];
}

/** Cost of an attack: as stated for mined chains; otherwise the price of the stake. */
function attack(context: Context): FeatureReading {
  const reading = attackCost(context);
  const deepest = numberOf(context, 'reorganisation_hours');
  if (deepest === null || reading.status !== 'observed' || deepest.value <= 0) return reading;
  const basis = [...reading.basis, keyOf(deepest.consensus)];
  const method = `${reading.method}; its history was replaced: ${deepest.value.toFixed(1)} hours, aged`;
  return { ...reading, basis, method };
}

/**
 * Maximum points for the cost of an attack on a chain whose history was replaced: the attack was evidently affordable.
 */
function mostOfAttack(context: Context): number {
  const hours = numberOf(context, 'reorganisation_hours')?.value ?? 0;
  const { most } = context.methodology.featureRules.reorganisation;
  return hours <= 0 ? 100 : (pointsOf({ scale: 'log', anchors: most, states: {} }, hours) ?? 100);
}

function attackCost(context: Context): FeatureReading {
  const stated = numberOf(context, 'consensus_attack_usd');
  const method = 'what so much of the consensus costs';
  const [stake, price] = [numberOf(context, 'consensus_stake_tokens'), numberOf(context, 'price_usd')];
  if (stated !== null || stake === null || price === null)
    return readOr(context, 'cs_attack', stated, method, REGISTERS);
  return observed('cs_attack', stake.value * price.value, [stake, price], method);
}

function mint(context: Context): FeatureReading {
  const found = textOf(context, 'mint_authority_state');
  return (
    byIssuer(context, 'ts_mint', 'mint', found) ?? readOr(context, 'ts_mint', found, 'who may create tokens', CHAIN)
  );
}

/**
 * A power that a register attributes to the issuer is rated by the supervision of the issuer, whoever holds the key.
 */
function byIssuer(context: Context, id: string, power: string, found: Known<string> | null): FeatureReading | null {
  const tier = tierOfPower(context, power);
  if (tier === null || found?.value === 'none' || found?.value === 'immutable') return null;
  const row = textOf(context, 'issuer_tier');
  const isShared = tier === 'supervised' && id === 'ts_proxy' && ['multisig', 'timelock'].includes(found?.value ?? '');
  const state = isShared ? 'issuer_supervised_multisig' : `issuer_${tier}`;
  return row && observed(id, state, found ? [row, found] : [row], 'a power of the issuer, by register', row.confidence);
}

function freeze(context: Context): FeatureReading {
  const found = textOf(context, 'freeze_authority_state');
  const issued = byIssuer(context, 'ts_freeze', 'freeze', found);
  if (issued) return issued;
  if (found) return observed('ts_freeze', found.value, [found], 'who may freeze balances');
  const blocks = booleanOf(context, 'blacklist_function');
  if (!blocks) return unknown(context, 'ts_freeze', CHAIN);
  const owner = textOf(context, 'owner_state');
  const state = !blocks.value ? 'none' : owner?.value === 'none' ? 'none' : owner?.value === 'eoa' ? 'eoa' : 'contract';
  return observed(
    'ts_freeze',
    state,
    owner && blocks.value ? [blocks, owner] : [blocks],
    'block list of the contract and its owner',
  );
}

function privileges(context: Context): FeatureReading {
  const known = PRIVILEGES.map((quantity) => booleanOf(context, quantity)).filter((row) => row !== null);
  if (known.length < context.methodology.featureRules.privilegesRead) return unknown(context, 'ts_priv', CHAIN);
  // A disclosed and supervised issuer may freeze and pause by law; ts_freeze rates that, this feature does not.
  const issuer = isIssuersPower(context, 'freeze');
  const there = known.filter(
    (row) =>
      row.value &&
      !(issuer && ['permanent_delegate', 'transfer_pausable', 'blacklist_function'].includes(row.consensus.quantity)),
  );
  const mean = known.reduce((sum, row) => sum + row.confidence, 0) / known.length;
  const list = there.map((row) => row.consensus.quantity).join(', ');
  return observed(
    'ts_priv',
    there.length,
    known,
    there.length === 0 ? `none of ${known.length} checked` : `${list}; ${known.length} checked`,
    mean,
  );
}

function tax(context: Context): FeatureReading {
  const known = [numberOf(context, 'buy_tax'), numberOf(context, 'sell_tax'), numberOf(context, 'transfer_tax')].filter(
    (row) => row !== null,
  );
  if (known.length === 0) return unknown(context, 'ts_tax', CHAIN);
  const highest = known.reduce((most, row) => (row.value > most.value ? row : most));
  const modifiable = booleanOf(context, 'tax_modifiable');
  return observed(
    'ts_tax',
    highest.value,
    modifiable ? [highest, modifiable] : [highest],
    modifiable?.value
      ? `highest tax; it can be changed, so its points count ${context.methodology.featureRules.modifiableTax}`
      : 'highest of buy, sell and transfer tax',
    highest.confidence,
  );
}

function proxy(context: Context): FeatureReading {
  if (context.kind !== 'evm') return notApplicable('ts_proxy', 'token programs are shared and fixed on this chain');
  const admin = textOf(context, 'proxy_admin_state');
  const issued = byIssuer(context, 'ts_proxy', 'upgrade', admin);
  if (issued) return issued;
  if (admin) return observed('ts_proxy', admin.value, [admin], 'who may replace the code');
  const isProxy = booleanOf(context, 'is_proxy');
  if (isProxy && !isProxy.value) return observed('ts_proxy', 'immutable', [isProxy], 'no proxy');
  return unknown(context, 'ts_proxy', sourcesFor('proxies'));
}

function locked(context: Context): FeatureReading {
  if (!launchCounts(context)) return notApplicable('ts_lp', PAST_LAUNCH);
  const share = numberOf(context, 'lp_locked_share');
  if (!share) return unknown(context, 'ts_lp', LIQUIDITY);
  const unlock = textOf(context, 'lp_unlock_at');
  const locker = booleanOf(context, 'lp_locker_known');
  const support: Known<unknown>[] = [share, ...(unlock ? [unlock] : []), ...(locker ? [locker] : [])];
  const notes = [
    'fungible LP locked or burned, by value',
    isBurned(context) ? '' : `${endOfLock(context)}: at most ${mostOfLock(context).toFixed(0)} points`,
  ];
  return observed('ts_lp', share.value, support, notes.filter(Boolean).join('; '), share.confidence);
}

function endOfLock(context: Context): string {
  const unlock = textOf(context, 'lp_unlock_at');
  if (unlock !== null) return `ends at ${unlock.value}`;
  return booleanOf(context, 'lp_locker_known')?.value === true
    ? 'a known locker, and nobody says when it ends'
    : 'no known locker, and nobody says when it ends';
}

/**
 * Maximum points of locked liquidity, by the days left on the lock. Where no source states its end: by the locker
 * contract and the age of the market.
 */
function mostOfLock(context: Context): number {
  const { most, unknownEnd } = context.methodology.featureRules.locks;
  const unlock = textOf(context, 'lp_unlock_at');
  if (unlock !== null) {
    const days = Math.max(0, (Date.parse(unlock.value) - context.now) / DAY_MS);
    return pointsOf({ scale: 'lin', anchors: most, states: {} }, days) ?? unknownEnd.least;
  }
  const start = booleanOf(context, 'lp_locker_known')?.value === true ? unknownEnd.known : unknownEnd.unknown;
  // A market of unknown age is taken for an old one: hiding its age renews no lock.
  const age = statedAgeOf(context)?.value ?? (isHardened(context) ? Number.POSITIVE_INFINITY : 0);
  return unknownEnd.least + (start - unknownEnd.least) * 2 ** (-age / unknownEnd.halfLifeDays);
}

/** True when no liquidity is under a lock: everything that cannot be withdrawn is burned. */
function isBurned(context: Context): boolean {
  const burned = numberOf(context, 'lp_burned_share')?.value ?? 0;
  return burned >= (numberOf(context, 'lp_locked_share')?.value ?? 0);
}

function creatorLiquidity(context: Context): FeatureReading {
  if (!launchCounts(context)) return notApplicable('ts_lp_creator', PAST_LAUNCH);
  const share = creatorLiquidityOf(context);
  const method = 'fungible LP with the creator and linked wallets';
  return share?.unnamed
    ? observed('ts_lp_creator', share.value, share.support, `${method}; one wallet that no source names counts`)
    : readOr(context, 'ts_lp_creator', share, method, LIQUIDITY);
}

/** Liquidity held by neither the creator nor a locker, that is, provided by others. */
function independentLiquidity(context: Context): FeatureReading {
  if (!launchCounts(context)) return notApplicable('ts_lp_others', PAST_LAUNCH);
  const creator = creatorLiquidityOf(context);
  const locked = numberOf(context, 'lp_locked_share');
  if (!creator || !locked) return unknown(context, 'ts_lp_others', LIQUIDITY);
  const second = numberOf(context, 'lp_second_provider_share');
  const { oneProviderPoints } = context.methodology.featureRules;
  const note = hasOneProvider(context) ? `; one provider: at most ${oneProviderPoints} points` : '';
  return observed(
    'ts_lp_others',
    Math.max(0, 1 - creator.value - locked.value),
    [...creator.support, locked, ...(second ? [second] : [])],
    `fungible LP that neither the creator nor a locker holds${note}`,
    Math.min(creator.confidence, locked.confidence),
  );
}

/**
 * True when one provider holds all liquidity of others; it may be the creator under another name. False where no source
 * states it.
 */
function hasOneProvider(context: Context): boolean {
  const second = numberOf(context, 'lp_second_provider_share');
  return second !== null && second.value < context.methodology.featureRules.secondProviderShare;
}

/**
 * Adjusts the points of a feature for facts that the value function does not see: modifiable taxes, locks that end,
 * unknown lockers, old audits.
 */
export function adjustPoints(context: Context, id: string, points: number): number {
  const rules = context.methodology.featureRules;
  if (id === 'ts_tax') return booleanOf(context, 'tax_modifiable')?.value ? points * rules.modifiableTax : points;
  if (id === 'ts_lp') {
    const burned = numberOf(context, 'lp_burned_share')?.value ?? 0;
    const definition = context.methodology.features.find((row) => row.id === id);
    // Burned tokens keep their points; a lock adds points according to its remaining time.
    const kept = definition && burned > 0 ? (pointsOf(definition, burned) ?? 0) : 0;
    return isBurned(context) ? points : Math.max(kept, Math.min(mostOfLock(context), points));
  }
  if (id === 'cs_attack') return Math.min(mostOfAttack(context), points);
  if (id === 'ts_lp_others') return hasOneProvider(context) ? Math.min(rules.oneProviderPoints, points) : points;
  if (id === 'ts_audit') {
    const days = daysSince(context, 'audit_latest_at')?.value ?? 0;
    return days > rules.oldAuditDays ? points * rules.oldAudit : points;
  }
  return points;
}

/**
 * Audits that the auditing firm publishes itself. A link to a firm, or a report published by the project, is only a
 * claim.
 */
function audits(context: Context): FeatureReading {
  const rules = context.methodology.featureRules;
  const confirmed = confirmedTies(context, 'audit');
  const open = openTies(context, 'audit');
  if (confirmed.length > 0)
    return confirmedFeature(
      context,
      'ts_audit',
      confirmed.length,
      confirmed,
      `confirmed at ${confirmed.map((tie) => tie.subject).join(', ')}; ${open.length} more only claimed`,
    );
  // With and without the project's own observation: its statement never lowers the points that others' observations
  // give.
  const found = bestOf(context, 'ts_audit', withAndWithoutOwnWord(context, 'audits_count'));
  if (open.length === 0 && found && found.value > 0)
    return observed('ts_audit', found.value, [found], 'audits by distinct named firms');
  if (open.length > 0)
    return absent(
      'ts_audit',
      0,
      rules.auditConfidence,
      `${open.length} claimed, none confirmed by the firm`,
      basisOf(open),
    );
  const looked = answered(context, sourcesFor('audit_links'));
  if (looked >= rules.searchedSources)
    return absent(
      'ts_audit',
      0,
      rules.auditConfidence,
      `no audit found on the website and in ${looked - 1} registries`,
    );
  return unknown(context, 'ts_audit', sourcesFor('audits'));
}

function verified(context: Context): FeatureReading {
  if (context.kind !== 'evm') return notApplicable('ts_verified', 'tokens of this chain have no source of their own');
  const found = booleanOf(context, 'source_verified');
  return found
    ? observed('ts_verified', found.value ? 1 : 0, [found], 'published source that matches the code')
    : unknown(context, 'ts_verified', VERIFIERS);
}
