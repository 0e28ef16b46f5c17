import type { Json } from '../../domain/index.ts';
import type { FlagThresholds } from '../../methodology/index.ts';
import { liquidityOf, rowsWith } from '../../metrics/index.ts';
import { booleanOf, type Context, isGuarded, isRevised, type Known, numberOf, textOf } from '../context.ts';
import { isDepositBacked, isIssuersPower } from './classes.ts';
import { type FlagRule, isCorroborated, percent, raised, reportersOf, rule, sourcesOf, whenTrue } from './rule.ts';

const isTrue = (value: Json) => value === true;

/** Rejection reasons with which an observation counts neither for nor against an accusation. */
const SILENT: ReadonlySet<string> = new Set(['too_old', 'weak_binding', 'malformed_value', 'same_family']);

/** Flags on the powers of the token contract (catalogue 1-20, 65). */
export const SECURITY_FLAGS: readonly FlagRule[] = [
  rule('HONEYPOT', (context) => twoWitnesses(context, 'honeypot', 'buying works and selling does not')),
  rule('RUG_EXECUTED', (context, t) =>
    twoWitnesses(
      context,
      'rug_executed',
      'liquidity was taken out by wallets linked to the creator',
      emptiedPools(context, t.removed, t.leftUsd) ?? fallenPrice(context, t.fallen),
    ),
  ),
  rule('BALANCE_MUTABLE', (context) =>
    twoWitnesses(context, 'balance_mutable', 'the owner can change balances', liveKeyOfOwner(context)),
  ),
  rule('HIDDEN_OWNER', (context) => {
    const found = booleanOf(context, 'hidden_owner');
    // Only one scanner reads this, in the code of a contract: neither the chain nor another lineage group states it,
    // and it exists on EVM chains only.
    return found?.value && (context.kind === 'evm' || context.kind === null)
      ? raised([found], `ownership is concealed or can be recovered (${reportersOf(found.consensus)})`, true)
      : null;
  }),
  rule('MINT_AUTHORITY_EOA', (context) => ofPlainKey(context, 'mint', 'a plain key may create tokens')),
  rule('MINT_AUTHORITY_ACTIVE', (context) =>
    ofHeldPower(
      context,
      'mint',
      MINTERS.filter((state) => state !== 'contract' || !isDepositBacked(context)),
      'tokens can be created',
    ),
  ),
  rule('FREEZE_AUTHORITY_EOA', (context) => ofPlainKey(context, 'freeze', 'a plain key may freeze balances')),
  rule('FREEZE_AUTHORITY_ACTIVE', (context) =>
    ofHeldPower(context, 'freeze', ['regulated_issuer', 'multisig', 'contract'], 'balances can be frozen'),
  ),
  rule('PERMANENT_DELEGATE', (context) => {
    const found = booleanOf(context, 'permanent_delegate');
    if (!found?.value || isIssuersPower(context, 'seize')) return null;
    return raised(
      [found],
      `a permanent delegate may move or burn any balance (${sourcesOf(found.consensus, true)})`,
      true,
      { unconfirmed: !isCorroborated(context, found.consensus, isTrue) },
    );
  }),
  whenTrue('TRANSFER_HOOK', 'transfer_hook', 'a program runs on every transfer'),
  whenTrue('DEFAULT_FROZEN', 'default_frozen', 'new accounts start frozen'),
  whenTrue('TRANSFER_PAUSABLE', 'transfer_pausable', 'transfers can be paused'),
  whenTrue('BLACKLIST_FUNCTION', 'blacklist_function', 'addresses can be blocked'),
  rule('SELL_TAX_EXTREME', (context, t) =>
    taxAbove(context, isGuarded(context) ? ['sell_tax', 'transfer_tax'] : ['sell_tax'], t),
  ),
  rule('TAX_HIGH', (context, t) => taxAbove(context, ['sell_tax', 'buy_tax', 'transfer_tax'], t)),
  whenTrue('TAX_MODIFIABLE', 'tax_modifiable', 'the tax can be changed'),
  rule('PROXY_UPGRADEABLE_EOA', (context) => ofPlainKey(context, 'upgrade', 'a plain key may replace the code')),
  rule('PROXY_UPGRADEABLE', (context) =>
    ofHeldPower(context, 'upgrade', ['multisig', 'timelock', 'contract'], 'the code can be replaced'),
  ),
  rule('SOURCE_UNVERIFIED', (context) => {
    const found = booleanOf(context, 'source_verified');
    return context.kind === 'evm' && !context.native && found && !found.value
      ? raised([found], `no verified source (${sourcesOf(found.consensus, false)})`, false)
      : null;
  }),
  whenTrue('METADATA_MUTABLE', 'metadata_mutable', 'name and picture can still be changed'),
  rule('SANCTIONS_EXPOSURE', (context) =>
    twoWitnesses(context, 'sanctioned', 'contract, owner or creator is on a sanctions list'),
  ),
];

/**
 * The most serious accusations need two independent lineage groups, the chain itself, or one group and a reading that
 * confirms it.
 */
function twoWitnesses(
  context: Context,
  quantity: 'honeypot' | 'rug_executed' | 'balance_mutable' | 'sanctioned',
  detail: string,
  borneOutBy: Known<unknown> | null = null,
) {
  const found = booleanOf(context, quantity);
  if (!found?.value) return null;
  const accusers = found.consensus.voices.filter((voice) => voice.accepted && voice.value === true);
  const families = new Set(accusers.map((voice) => voice.family)).size;
  const isConfirmed = isCorroborated(context, found.consensus, isTrue) || borneOutBy !== null;
  const dissenters = found.consensus.voices.filter((voice) => voice.value === false && !SILENT.has(voice.reason ?? ''));
  const against = new Set(dissenters.map((voice) => voice.family)).size;
  const { witnesses, witnessed, alone } = context.methodology.flagConfidence;
  const confidence = isConfirmed
    ? // The definition requires two lineage groups: a third one that disagrees is outvoted and does not cancel them.
      Math.max(
        found.confidence,
        families >= witnesses && families > against ? witnessed : witnessed * found.consensus.parts.agreement,
      )
    : Math.min(alone, found.confidence);
  const support = borneOutBy === null ? [found] : [found, borneOutBy];
  return raised(support, `${detail} (${sourcesOf(found.consensus, true)})`, true, {
    confidence,
    unconfirmed: !isConfirmed,
  });
}

/**
 * Liquidity of practically empty pools: below the given fraction of the stored maximum or, without history, below an
 * amount worth taking.
 */
function emptiedPools(context: Context, removed: number, leftUsd: number): Known<number> | null {
  const liquidity = liquidityOf(context.input.consensus);
  if (!liquidity || !isSureAlone(context, liquidity) || !isOfOthers(context, liquidity)) return null;
  const kept = (context.input.history?.days ?? []).flatMap(({ liquidityUsd }) => liquidityUsd ?? []);
  const least = kept.length === 0 ? leftUsd : (1 - removed) * Math.max(...kept);
  return liquidity.value <= least ? liquidity : null;
}

/** A fall within a day, in a pool's chart, that never recovered. Liquidity added today does not change the past. */
function fallenPrice(context: Context, fallen: number): Known<number> | null {
  const falls = rowsWith(context.input.consensus, 'pool_lasting_fall').flatMap(
    ({ scope }) => numberOf(context, 'pool_lasting_fall', scope) ?? [],
  );
  return falls.find((fall) => fall.value >= fallen && isSureAlone(context, fall)) ?? null;
}

/**
 * True for a reading as sure as one source is, with the margin for its age. In earlier methodologies it had to be without
 * any age.
 */
function isSureAlone({ methodology }: Context, { confidence }: Known<number>): boolean {
  const { alone, ageing } = methodology.flagConfidence;
  return confidence >= (isRevised({ methodology }) ? alone - ageing : alone);
}

/** True when a group that does not call the token rugged states it too: scanners of rugs state the liquidity as well. */
function isOfOthers(context: Context, { consensus }: Known<number>): boolean {
  const accusers = new Set(
    (booleanOf(context, 'rug_executed')?.consensus.voices ?? []).flatMap(({ accepted, value, family }) =>
      accepted && value === true ? [family] : [],
    ),
  );
  return !isRevised(context) || consensus.voices.some((row) => row.accepted && !accusers.has(row.family));
}

/** The chain shows that the owner is a plain key, so that the power that a scanner reads in the code can be used. */
function liveKeyOfOwner(context: Context): Known<string> | null {
  const owner = textOf(context, 'owner_state');
  const seen = owner?.consensus.voices.some((voice) => voice.accepted && voice.tier === 'chain');
  return owner?.value === 'eoa' && seen ? owner : null;
}

/**
 * A tax must be simulated by two lineage groups or read on chain; one group alone is unconfirmed. An undisputed tax
 * has at least the confidence of the thresholds.
 */
function taxAbove(
  context: Context,
  quantities: readonly ('sell_tax' | 'buy_tax' | 'transfer_tax')[],
  t: FlagThresholds['TAX_HIGH'],
) {
  const above = quantities.flatMap((quantity) => numberOf(context, quantity) ?? []).filter((row) => row.value >= t.tax);
  const isStated = (row: Known<number>) => isCorroborated(context, row.consensus, (value) => Number(value) >= t.tax);
  // A higher tax that one group alone states does not hide a lower one that is confirmed.
  const confirmed = isRevised(context) ? above.filter(isStated) : [];
  const worst = (confirmed.length > 0 ? confirmed : above).reduce<Known<number> | null>(
    (most, row) => (most === null || row.value > most.value ? row : most),
    null,
  );
  if (!worst) return null;
  const confidence =
    worst.consensus.status === 'disputed' ? worst.confidence : Math.max(worst.confidence, t.confidence);
  return raised([worst], `${worst.consensus.quantity.replace('_', ' ')} ${percent(worst.value)}`, worst.value, {
    confidence,
    unconfirmed: !isStated(worst),
  });
}

const STATE_OF = {
  mint: 'mint_authority_state',
  freeze: 'freeze_authority_state',
  upgrade: 'proxy_admin_state',
} as const;
const MINTERS = ['multisig', 'contract', 'timelocked_multisig', 'dao_timelock', 'regulated_issuer'];

/** A plain key has the power, and it does not belong to a named issuer. */
function ofPlainKey(context: Context, power: keyof typeof STATE_OF, detail: string) {
  const state = textOf(context, STATE_OF[power]);
  return state?.value === 'eoa' && !isIssuersPower(context, power) ? heldBy(state, detail) : null;
}

/** A contract, several keys, or the plain key of a named issuer holds the power. */
function ofHeldPower(context: Context, power: keyof typeof STATE_OF, states: readonly string[], detail: string) {
  const state = textOf(context, STATE_OF[power]);
  const isHeld =
    state !== null && (states.includes(state.value) || (state.value === 'eoa' && isIssuersPower(context, power)));
  return isHeld ? heldBy(state, detail) : null;
}

function heldBy(state: Known<string>, detail: string) {
  return raised([state], `${detail}: ${state.value} (${sourcesOf(state.consensus, state.value)})`, state.value);
}
