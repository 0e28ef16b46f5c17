import { booleanOf, type Context, numberOf, textOf } from '../context.ts';
import { type FlagRule, percent, raised, sayers, whenState, whenTrue } from './rule.ts';

/** Flags on what the token contract lets somebody do (catalogue 1-20). */
export const SECURITY_FLAGS: readonly FlagRule[] = [
  { code: 'HONEYPOT', raise: (context) => twoWitnesses(context, 'honeypot', 'buying works and selling does not') },
  {
    code: 'RUG_EXECUTED',
    raise: (context) =>
      twoWitnesses(context, 'rug_executed', 'liquidity was taken out by wallets linked to the creator'),
  },
  {
    code: 'BALANCE_MUTABLE',
    raise: (context) => twoWitnesses(context, 'balance_mutable', 'the owner can change balances'),
  },
  whenTrue('HIDDEN_OWNER', 'hidden_owner', 'ownership is concealed or can be recovered'),
  whenState('MINT_AUTHORITY_EOA', 'mint_authority_state', ['eoa'], 'a plain key may create tokens'),
  whenState(
    'MINT_AUTHORITY_ACTIVE',
    'mint_authority_state',
    ['multisig', 'contract', 'timelocked_multisig', 'dao_timelock', 'regulated_issuer'],
    'tokens can be created',
  ),
  whenState('FREEZE_AUTHORITY_EOA', 'freeze_authority_state', ['eoa'], 'a plain key may freeze balances'),
  whenState(
    'FREEZE_AUTHORITY_ACTIVE',
    'freeze_authority_state',
    ['regulated_issuer', 'multisig', 'contract'],
    'balances can be frozen',
  ),
  {
    code: 'PERMANENT_DELEGATE',
    raise: (context) => {
      const found = booleanOf(context, 'permanent_delegate');
      if (!found?.value || isDisclosedIssuer(context)) return null;
      return raised(
        [found],
        `a permanent delegate may move or burn any balance (${sayers(found.consensus, true)})`,
        true,
      );
    },
  },
  whenTrue('TRANSFER_HOOK', 'transfer_hook', 'a program runs on every transfer'),
  whenTrue('DEFAULT_FROZEN', 'default_frozen', 'new accounts start frozen'),
  whenTrue('TRANSFER_PAUSABLE', 'transfer_pausable', 'transfers can be paused'),
  whenTrue('BLACKLIST_FUNCTION', 'blacklist_function', 'addresses can be blocked'),
  { code: 'SELL_TAX_EXTREME', raise: (context, t) => taxAbove(context, ['sell_tax'], t.tax ?? 1) },
  { code: 'TAX_HIGH', raise: (context, t) => taxAbove(context, ['sell_tax', 'buy_tax', 'transfer_tax'], t.tax ?? 1) },
  whenTrue('TAX_MODIFIABLE', 'tax_modifiable', 'the tax can be changed'),
  whenState('PROXY_UPGRADEABLE_EOA', 'proxy_admin_state', ['eoa'], 'a plain key may replace the code'),
  whenState('PROXY_UPGRADEABLE', 'proxy_admin_state', ['multisig', 'timelock', 'contract'], 'the code can be replaced'),
  {
    code: 'SOURCE_UNVERIFIED',
    raise: (context) => {
      const found = booleanOf(context, 'source_verified');
      return context.kind === 'evm' && !context.native && found && !found.value
        ? raised([found], `no verified source (${sayers(found.consensus, false)})`, false)
        : null;
    },
  },
  whenTrue('METADATA_MUTABLE', 'metadata_mutable', 'name and picture can still be changed'),
];

/** The worst accusations need two independent families, or the chain itself. */
function twoWitnesses(context: Context, quantity: 'honeypot' | 'rug_executed' | 'balance_mutable', detail: string) {
  const found = booleanOf(context, quantity);
  if (!found?.value) return null;
  const witnesses = found.consensus.voices.filter((voice) => voice.accepted && voice.value === true);
  const families = new Set(witnesses.map((voice) => voice.family)).size;
  const chain = witnesses.some((voice) => voice.tier === 'chain');
  const confidence =
    families >= 2 || chain
      ? Math.max(found.confidence, 0.7 * found.consensus.parts.agreement)
      : Math.min(0.5, found.confidence);
  return raised([found], `${detail} (${sayers(found.consensus, true)})`, true, { confidence });
}

/** A tax that a family measured and no other contradicts is known well enough: it is read from code or simulation. */
function taxAbove(context: Context, quantities: readonly ('sell_tax' | 'buy_tax' | 'transfer_tax')[], limit: number) {
  const known = quantities
    .map((quantity) => numberOf(context, quantity))
    .filter((row) => row !== null && row.value >= limit);
  const worst = known.reduce<(typeof known)[number]>(
    (most, row) => (most === null || (row !== null && row.value > most.value) ? row : most),
    null,
  );
  if (!worst) return null;
  const confidence = worst.consensus.status === 'disputed' ? worst.confidence : Math.max(worst.confidence, 0.7);
  return raised([worst], `${worst.consensus.quantity.replace('_', ' ')} ${percent(worst.value)}`, worst.value, {
    confidence,
  });
}

/** True when a supervised, disclosed issuer is known, not just claimed, to hold a key: then keys are its duty, not a trap. */
export function isDisclosedIssuer(context: Context): boolean {
  const { raise } = context.methodology.flagConfidence;
  return [textOf(context, 'mint_authority_state'), textOf(context, 'freeze_authority_state')].some(
    (state) => state?.value === 'regulated_issuer' && state.confidence >= raise,
  );
}
