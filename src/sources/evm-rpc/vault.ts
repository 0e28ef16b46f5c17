import { addressOf, assetId, uintOf } from '../../chains/index.ts';
import { multicallEndpoint, Refusal, type Returned } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { fact, type Params } from '../source.ts';
import { callOf, chainOfBase, evmChainOf, tokenAtEach } from './operators.ts';

const LEARNED = 'evm_rpc.vault_asset';
/** Precision of the share: six decimal places. */
const PLACES = 1_000_000n;

const ownCalls = (vault: unknown) => [callOf(vault, 'asset()'), callOf(vault, 'totalAssets()')];

/** Params `{base, token}`, at one operator: the asset that a vault claims to hold. Learns its address for `vault_held`. */
export const vaultEndpoint = multicallEndpoint({
  name: 'vault',
  doc: 'One eth_call to Multicall3 aggregate3: asset() and totalAssets(). https://eips.ethereum.org/EIPS/eip-4626; checked on a local chain.',
  plan: (facts) => tokenAtEach(facts).slice(0, 1),
  calls: ({ token }) => ownCalls(token),
  withoutValues: 'empty',
  read: (values, params) => assetOf(values, params) ?? new Refusal('empty', 'its replies are not those of a vault'),
  learn: (asset) => fact(LEARNED, asset),
});

/**
 * Params `{base, token, asset}`: share of a vault's stated total assets that the asset's contract shows as its balance, all read in one block. A vault can
 * return anything from asset() and totalAssets(), so the share can only count against it: a vault that holds little of its stated assets has lent or
 * sold the rest.
 */
export const vaultHeldEndpoint = multicallEndpoint({
  name: 'vault_held',
  doc: 'One eth_call to Multicall3 aggregate3: asset() and totalAssets() of a vault, and balanceOf the vault in its asset. https://eips.ethereum.org/EIPS/eip-4626; checked on a local chain.',
  plan: (facts) => {
    const asset = facts.learned[LEARNED];
    return typeof asset === 'string' ? tokenAtEach(facts).map((params) => ({ ...params, asset })) : [];
  },
  calls: ({ token, asset }) => [...ownCalls(token), callOf(asset, 'balanceOf(address)', token)],
  withoutValues: 'empty',
  read: (values, params) => {
    const share = heldShare(values, params);
    return typeof share === 'string' ? new Refusal('empty', share) : share;
  },
  observe: (share, params) => {
    const chain = evmChainOf(chainOfBase(params));
    if (chain === undefined) return [];
    return [
      ...observed('vault_held_share', share, 'balance of the vault in asset() over totalAssets()'),
      ...observed('vault_asset', assetId(chain, String(params.asset)), 'asset() of the vault'),
    ];
  },
});

/** The asset of a contract with the getters of a vault; null if it names itself or no asset. */
function assetOf([asset, total]: Returned, { token }: Params): string | null {
  const address = addressOf(asset);
  return address === null || uintOf(total) === null || address === token || BigInt(address) === 0n ? null : address;
}

/** Share 0-1, or the reason why it is unknown. */
function heldShare(values: Returned, params: Params): number | string {
  const [, total, balance] = values;
  if (assetOf(values, params) !== params.asset) return 'it names another asset now';
  const [counted, held] = [uintOf(total), uintOf(balance)];
  if (held === null) return 'the asset gives no balance';
  if (counted === null || counted === 0n) return 'the vault is empty';
  return held >= counted ? 1 : Number((held * PLACES) / counted) / Number(PLACES);
}
