import type { Mint, MintExtensions } from '../../chains/index.ts';
import { SYSTEM_PROGRAM } from '../../chains/index.ts';
import type { ObservationDraft, QuantityId } from '../../domain/index.ts';
import { exactTokensOf } from '../amounts.ts';
import { text } from '../read.ts';

/** Slots of an epoch on mainnet-beta, which never had a warm-up (solana.com/docs, epoch schedule). */
const SLOTS_PER_EPOCH = 432_000;

/** What a decoded mint says, one line per quantity. `slot` and `nowSeconds` decide which fee and multiplier hold now. */
export function mintObservations(mint: Mint, slot: number, nowSeconds: number): readonly ObservationDraft[] {
  const { extensions } = mint;
  const scale = scaleNow(extensions, nowSeconds);
  const supply = scale === null ? null : exactTokensOf(mint.supply, mint.decimals);
  return [
    fact('token_standard', mint.standard, 'program that owns the mint'),
    fact('decimals', mint.decimals, 'decimals byte of the mint'),
    ...(supply === null || scale === null
      ? []
      : [
          scale === 1
            ? {
                ...fact('total_supply', Number(supply), 'supply field of the mint, burned tokens gone'),
                exact: supply,
              }
            : fact(
                'total_supply',
                Number(supply) * scale,
                `supply field of the mint times the display multiplier ${scale}`,
              ),
        ]),
    ...authority('mint_authority', 'mint_authority_state', mint.mintAuthority),
    ...authority('freeze_authority', 'freeze_authority_state', mint.freezeAuthority),
    ...powers(extensions),
    ...taxes(extensions, Math.floor(slot / SLOTS_PER_EPOCH)),
    ...metadata(extensions),
  ];
}

/** Display multiplier now; null when the mint bears interest, whose display amount only the node computes. */
function scaleNow(extensions: MintExtensions, nowSeconds: number): number | null {
  if (extensions.interestRate !== null && extensions.interestRate !== 0) return null;
  const scaled = extensions.scaledAmount;
  if (scaled === null) return 1;
  const scale = nowSeconds >= scaled.effectiveAt ? scaled.newMultiplier : scaled.multiplier;
  return Number.isFinite(scale) && scale > 0 ? scale : null;
}

function authority(who: QuantityId, state: QuantityId, address: string | null): readonly ObservationDraft[] {
  if (address === null) return [fact(state, 'none', 'authority option of the mint is empty')];
  // The system program signs for nobody, so handing an authority to it renounces it.
  if (address === SYSTEM_PROGRAM) return [fact(state, 'none', 'authority is the system program, which cannot sign')];
  return [fact(who, address, 'authority field of the mint')];
}

function powers(extensions: MintExtensions): readonly ObservationDraft[] {
  const { transferHook, pausable } = extensions;
  return [
    fact('permanent_delegate', extensions.permanentDelegate !== null, 'PermanentDelegate extension with a delegate'),
    fact(
      'transfer_hook',
      transferHook !== null && transferHook.program !== null,
      'TransferHook extension with a program',
    ),
    fact(
      'transfer_hook_possible',
      transferHook !== null && transferHook.program === null && transferHook.authority !== null,
      'TransferHook extension without a program but with an authority',
    ),
    fact('default_frozen', extensions.defaultState === 2, 'DefaultAccountState extension is frozen'),
    fact(
      'transfer_pausable',
      pausable !== null && (pausable.authority !== null || pausable.paused),
      'Pausable extension',
    ),
    fact('non_transferable', extensions.nonTransferable, 'NonTransferable extension'),
    fact('mint_close_authority', extensions.closeAuthority !== null, 'MintCloseAuthority extension with an authority'),
    fact(
      'unassessed_extension',
      extensions.unassessed.length > 0,
      extensions.unassessed.length > 0
        ? `extension types ${extensions.unassessed.join(', ')}`
        : 'every extension of the mint is known',
    ),
  ];
}

function taxes(extensions: MintExtensions, epoch: number): readonly ObservationDraft[] {
  const fee = extensions.transferFee;
  const active = fee === null ? null : BigInt(epoch) >= fee.newer.epoch ? fee.newer : fee.older;
  const rate = active === null ? 0 : Math.min(1, active.basisPoints / 10_000);
  const meaning = 'transfer fee of the mint in the present epoch; taken on every transfer, a swap too';
  const modifiable =
    fee !== null &&
    (fee.authority !== null || (active !== fee.newer && fee.newer.basisPoints !== fee.older.basisPoints));
  return [
    fact('transfer_tax', rate, meaning),
    fact('buy_tax', rate, meaning),
    fact('sell_tax', rate, meaning),
    fact('tax_modifiable', modifiable, 'the fee has an authority, or a change is already scheduled'),
  ];
}

const REGISTRY = 'registry:solana_rpc';

function metadata(extensions: MintExtensions): readonly ObservationDraft[] {
  const found = extensions.metadata;
  if (found === null) return [];
  const locked = found.updateAuthority === null || found.updateAuthority === SYSTEM_PROGRAM;
  return [
    fact('metadata_mutable', !locked, 'update authority of the metadata in the mint'),
    ...(found.updateAuthority === null
      ? []
      : [fact('update_authority', found.updateAuthority, 'metadata in the mint')]),
    ...nameDrafts(found),
  ];
}

/** Name, symbol and address of the picture, as written on chain by whoever made the token: outside text. */
export function nameDrafts(found: {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}): readonly ObservationDraft[] {
  return [
    ...outside('registry_name', found.name, 100),
    ...outside('registry_symbol', found.symbol, 40),
    ...outside('metadata_uri', found.uri, 500),
  ];
}

function outside(quantity: QuantityId, value: string, longest: number): readonly ObservationDraft[] {
  const clean = text(value, longest);
  return clean === null ? [] : [{ ...fact(quantity, clean, 'on-chain metadata, outside text'), scope: REGISTRY }];
}

function fact(quantity: QuantityId, value: string | number | boolean, meaning: string): ObservationDraft {
  return { quantity, value, meaning };
}
