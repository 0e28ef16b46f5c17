import {
  decodeMetadata,
  decodeMint,
  highestFee,
  type Mint,
  type MintExtensions,
  metadataAddress,
  SYSTEM_PROGRAM,
} from '../../chains/index.ts';
import type { Json, ObservationDraft, QuantityId } from '../../domain/index.ts';
import { Refusal, rpcEndpoint } from '../json-rpc.ts';
import { metadataDrafts, observed } from '../observations.ts';
import { exactTokensOf, readRaw } from '../read.ts';
import type { Endpoint, Params } from '../source.ts';
import { accountCall, atEach, atFirst, BASES, ONE_ACCOUNT, type RawAccount, readAccount, SUPPLY } from './accounts.ts';

/** The nodes of a source that reads mints, and the lineage group of their observations. */
export interface Operators {
  readonly bases: readonly string[];
  readonly family?: (base: string) => string;
}

const PUBLIC_NODES: Operators = { bases: BASES };

/** Params `{base, mint}`. With `learnAs`, learns `<learnAs>.mint` and `<learnAs>.authorities`. */
export function mintEndpoint(learnAs: string | null, operators: Operators = PUBLIC_NODES): Endpoint {
  return rpcEndpoint({
    family: operators.family,
    name: 'mint',
    doc: 'getAccountInfo of the mint, base64: authorities, supply, decimals, Token-2022 extensions. Layouts: src/chains/decoders; checked on recorded mainnet accounts and on real programs.',
    critical: true,
    plan: (facts) => atEach(facts, {}, operators.bases),
    call: (params) => accountCall(params.mint ?? null),
    result: ONE_ACCOUNT,
    read: ({ context, value }) => {
      if (value === null) return new Refusal('not_found', 'there is no such account');
      const account = readAccount(value);
      const mint = account && decodeMint(account.owner, account.data);
      return mint === null ? new Refusal('not_found', 'the account is not a token mint') : { mint, slot: context.slot };
    },
    observe: ({ mint, slot }, _params, meta) => mintDrafts(mint, slot, Date.parse(meta.fetchedAt) / 1_000),
    ...(learnAs !== null && { learn: ({ mint }) => learnMint(learnAs, mint) }),
  });
}

/** Params `{base, mint}`. */
export function supplyEndpoint(operators: Operators = PUBLIC_NODES): Endpoint {
  return rpcEndpoint({
    family: operators.family,
    name: 'supply',
    doc: 'getTokenSupply: raw amount and decimals, computed by a second code path of the node. https://solana.com/docs/rpc/http/gettokensupply',
    critical: true,
    plan: (facts) => atEach(facts, {}, operators.bases),
    call: (params) => ['getTokenSupply', [params.mint ?? null, { commitment: 'confirmed' }]],
    result: SUPPLY,
    read: ({ value }) => value,
    observe: ({ amount, decimals, uiAmountString }) => {
      const raw = readRaw(amount);
      const exact = raw === null ? null : exactTokensOf(raw, decimals);
      if (exact === null) return [];
      const tokens = Number(exact);
      const shown = Number(uiAmountString);
      // The node applies interest and display multipliers only to the display text (agave `token_amount_to_ui_amount_v3`).
      const scaled = Number.isFinite(shown) && shown > 0 && Math.abs(shown - tokens) > tokens * 1e-9;
      return [
        ...(scaled
          ? observed('total_supply', shown, 'getTokenSupply as displayed, multiplier or interest applied')
          : observed('total_supply', tokens, 'getTokenSupply, burned tokens excluded', { exact })),
        ...observed('decimals', decimals, 'getTokenSupply'),
      ];
    },
  });
}

/** Params `{base, mint}`: the Metaplex metadata account of the mint. */
export const metadataEndpoint = rpcEndpoint({
  name: 'metadata',
  doc: 'getAccountInfo of the Metaplex metadata PDA: name, symbol, uri, update authority, isMutable. Layout: mpl-token-metadata; checked on recorded mainnet accounts.',
  plan: (facts) => atFirst(facts),
  call: (params) => accountCall(metadataAddress(String(params.mint))),
  result: ONE_ACCOUNT,
  read: ({ value }, params) =>
    readMetadata(value, params) ?? new Refusal('not_found', 'the mint has no Metaplex metadata'),
  observe: (metadata) => [
    ...observed(
      'metadata_mutable',
      metadata.isMutable && metadata.updateAuthority !== SYSTEM_PROGRAM,
      'isMutable of the Metaplex metadata, and somebody can sign',
    ),
    ...observed('update_authority', metadata.updateAuthority, 'Metaplex metadata'),
    ...metadataDrafts('solana_rpc', metadata),
  ],
});

/** The metadata; a refusal if it names another mint. */
function readMetadata(raw: RawAccount | null | undefined, params: Params) {
  const account = readAccount(raw);
  const metadata = account === null ? null : decodeMetadata(account.owner, account.data);
  return metadata !== null && metadata.mint === params.mint ? metadata : null;
}

function learnMint(prefix: string, mint: Mint): Readonly<Record<string, Json>> {
  return {
    [`${prefix}.mint`]: { supply: mint.supply.toString(), decimals: mint.decimals },
    [`${prefix}.authorities`]: { mint: mint.mintAuthority, freeze: mint.freezeAuthority },
  };
}

/** Slots of an epoch on mainnet-beta, which never had a warm-up (solana.com/docs, epoch schedule). */
const SLOTS_PER_EPOCH = 432_000;

/** Observations of a decoded mint. `slot` and `nowSeconds` decide which fee and multiplier are in force. */
function mintDrafts(mint: Mint, slot: number, nowSeconds: number): readonly ObservationDraft[] {
  const { extensions } = mint;
  return [
    ...observed('token_standard', mint.standard, 'program that owns the mint'),
    ...observed('decimals', mint.decimals, 'decimals byte of the mint'),
    ...supplyDrafts(mint, nowSeconds),
    ...authority('mint_authority', 'mint_authority_state', mint.mintAuthority),
    ...authority('freeze_authority', 'freeze_authority_state', mint.freezeAuthority),
    ...powers(extensions),
    ...taxes(extensions, Math.floor(slot / SLOTS_PER_EPOCH)),
    ...metadata(extensions),
  ];
}

function supplyDrafts(mint: Mint, nowSeconds: number): readonly ObservationDraft[] {
  const scale = scaleNow(mint.extensions, nowSeconds);
  const exact = exactTokensOf(mint.supply, mint.decimals);
  if (scale === null || exact === null) return [];
  return scale === 1
    ? observed('total_supply', Number(exact), 'supply field of the mint, burned tokens excluded', { exact })
    : observed('total_supply', Number(exact) * scale, `supply field of the mint times the display multiplier ${scale}`);
}

/** Current display multiplier; null if the mint bears interest, because only the node computes that display amount. */
function scaleNow(extensions: MintExtensions, nowSeconds: number): number | null {
  if (extensions.interestRate !== null && extensions.interestRate !== 0) return null;
  const scaled = extensions.scaledAmount;
  if (scaled === null) return 1;
  const scale = nowSeconds >= scaled.effectiveAt ? scaled.newMultiplier : scaled.multiplier;
  return Number.isFinite(scale) && scale > 0 ? scale : null;
}

function authority(who: QuantityId, state: QuantityId, address: string | null): readonly ObservationDraft[] {
  if (address === null) return observed(state, 'none', 'authority option of the mint is empty');
  // The system program never signs, so assigning an authority to it renounces the authority.
  if (address === SYSTEM_PROGRAM) return observed(state, 'none', 'authority is the system program, which cannot sign');
  return observed(who, address, 'authority field of the mint');
}

function powers(extensions: MintExtensions): readonly ObservationDraft[] {
  const { transferHook, pausable, unassessed } = extensions;
  const hasHook = transferHook !== null && transferHook.program !== null;
  const mayHaveHook = transferHook !== null && transferHook.program === null && transferHook.authority !== null;
  const isPausable = pausable !== null && (pausable.authority !== null || pausable.paused);
  const unknown =
    unassessed.length > 0 ? `extension types ${unassessed.join(', ')}` : 'every extension of the mint is known';
  const canClose = extensions.closeAuthority !== null;
  const hasDelegate = extensions.permanentDelegate !== null;
  return [
    ...observed('permanent_delegate', hasDelegate, 'PermanentDelegate extension with a delegate'),
    ...observed('transfer_hook', hasHook, 'TransferHook extension with a program'),
    ...observed(
      'transfer_hook_possible',
      mayHaveHook,
      'TransferHook extension without a program but with an authority',
    ),
    ...observed('default_frozen', extensions.defaultState === 2, 'DefaultAccountState extension is frozen'),
    ...observed('transfer_pausable', isPausable, 'Pausable extension'),
    ...observed('non_transferable', extensions.nonTransferable, 'NonTransferable extension'),
    ...observed('mint_close_authority', canClose, 'MintCloseAuthority extension with an authority'),
    ...observed('unassessed_extension', unassessed.length > 0, unknown),
  ];
}

/**
 * The fee in force, or the one that is scheduled if it is higher: a change is stored two epochs (about four days) ahead, and
 * who buys today sells under the new one.
 */
function taxes({ transferFee: fee }: MintExtensions, epoch: number): readonly ObservationDraft[] {
  const isScheduled = fee !== null && BigInt(epoch) < fee.newer.epoch;
  const active = fee === null ? null : isScheduled ? fee.older : fee.newer;
  const [now, then] = [active === null ? 0 : highestFee(active), isScheduled ? highestFee(fee.newer) : 0];
  const limit = active !== null && active.basisPoints > 0 ? `, at most ${active.maximum} base units` : '';
  const meaning =
    then > now
      ? `transfer fee of the mint from epoch ${fee?.newer.epoch} on; until then ${now}`
      : `transfer fee of the mint in the present epoch${limit}; taken on every transfer, including swaps`;
  const rate = Math.max(now, then);
  const modifiable = fee !== null && (fee.authority !== null || (isScheduled && then !== now));
  return [
    ...observed('transfer_tax', rate, meaning),
    ...observed('buy_tax', rate, meaning),
    ...observed('sell_tax', rate, meaning),
    ...observed('tax_modifiable', modifiable, 'the fee has an authority, or a change is already scheduled'),
  ];
}

function metadata(extensions: MintExtensions): readonly ObservationDraft[] {
  const found = extensions.metadata;
  if (found === null) return [];
  const locked = found.updateAuthority === null || found.updateAuthority === SYSTEM_PROGRAM;
  return [
    ...observed('metadata_mutable', !locked, 'update authority of the metadata in the mint'),
    ...observed('update_authority', found.updateAuthority, 'metadata in the mint'),
    ...metadataDrafts('solana_rpc', found),
  ];
}
