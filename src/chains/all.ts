import { isAddress } from 'viem/utils';
import { arbitrum } from './arbitrum.ts';
import { avalanche } from './avalanche.ts';
import { base } from './base.ts';
import { bsc } from './bsc.ts';
import type { Chain, EvmChain, EvmChainNames } from './chain.ts';
import { ethereum } from './ethereum.ts';
import { ZERO_ADDRESS } from './fixed-addresses.ts';
import { monad } from './monad.ts';
import { optimism } from './optimism.ts';
import { polygon } from './polygon.ts';
import { solana } from './solana.ts';

/** The EVM chains, in the order in which they are listed. To add a chain, add its file and an entry here. */
export const EVM_CHAINS: readonly EvmChain[] = [ethereum, base, bsc, arbitrum, polygon, optimism, avalanche, monad];

/** All chains. */
export const CHAINS: readonly Chain[] = [solana, ...EVM_CHAINS];

/** Finds a chain by our name, an alias, a title, an EVM chain id, or a CAIP-2 id (case-insensitive); null when unknown. */
export function findChain(text: string): Chain | null {
  const wanted = text.trim().toLowerCase();
  return (
    CHAINS.find(
      (chain) =>
        chain.name === wanted ||
        chain.caip2.toLowerCase() === wanted ||
        chain.title.toLowerCase() === wanted ||
        chain.aliases.includes(wanted) ||
        (chain.evmChainId !== null && String(chain.evmChainId) === wanted),
    ) ?? null
  );
}

/** A source that uses its own chain names. */
export type NamingSource = keyof EvmChainNames;

/** The source's name for this chain; null when the source does not cover the chain. */
export function nameAt(source: NamingSource, chain: Chain): string | number | null {
  const names: Readonly<Partial<EvmChainNames>> = chain.names;
  return names[source] ?? null;
}

/** Finds a chain by a source's name for it; undefined if we do not support the chain. */
export function chainCalled(source: NamingSource, name: unknown): Chain | undefined {
  return name === null || name === undefined ? undefined : CHAINS.find((chain) => nameAt(source, chain) === name);
}

/** Our names of the chains that a source covers. */
export function chainsOf(source: NamingSource): readonly string[] {
  return CHAINS.filter((chain) => nameAt(source, chain) !== null).map((chain) => chain.name);
}

/** The CAIP-19 id of a token (or a chain's own coin, address `native`). EVM addresses must already be lower-case. */
export function assetId(chain: Chain, address: string): string {
  if (address === 'native') return `${chain.caip2}/slip44:${chain.native.slip44}`;
  return chain.kind === 'solana' ? `${chain.caip2}/token:${address}` : `${chain.caip2}/erc20:${address}`;
}

/**
 * Splits a CAIP-19 id into our chain and the address; null when the chain is unknown, the text is not CAIP-19, or the
 * number of its coin (SLIP-44) is not that of the chain's own coin.
 */
export function parseAssetId(id: string): { readonly chain: Chain; readonly address: string } | null {
  const match = /^([a-z0-9]{3,8}:[-a-zA-Z0-9_]{1,64})\/(token|erc20|slip44):([a-zA-Z0-9]{1,128})$/.exec(id);
  if (!match) return null;
  const chain = CHAINS.find((row) => row.caip2 === match[1]);
  if (!chain) return null;
  if (match[2] === 'slip44') return match[3] === String(chain.native.slip44) ? { chain, address: 'native' } : null;
  const address = match[3] ?? '';
  if (!isAddressOn(chain, address)) return null;
  return { chain, address: chain.kind === 'evm' ? address.toLowerCase() : address };
}

/** True when the text is written like an address of this chain (shape only: base58 of 32-44 characters, or 0x and 40 hex digits). */
export function isAddressOn(chain: Chain, text: string): boolean {
  return chain.kind === 'solana' ? /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) : /^0x[0-9a-fA-F]{40}$/.test(text);
}

/**
 * True for a mixed-case EVM address with an invalid EIP-55 checksum: a character was mistyped. An address in a single case
 * carries no checksum, so it is never reported.
 */
export function isMistyped(text: string): boolean {
  return /^0x(?=.*[a-f])(?=.*[A-F])[0-9a-fA-F]{40}$/.test(text) && !isAddress(text);
}

/** True for the tokens that most pools of a chain are quoted in and whose price is hard to manipulate: its wrapped coin and known stable tokens. */
export function isQuoteToken(chainName: string, address: string): boolean {
  const chain = CHAINS.find((row) => row.name === chainName);
  if (chain === undefined) return false;
  if (chain.kind === 'solana') return chain.quoteTokens.some((token) => token.address === address);
  const wanted = address.toLowerCase();
  if (NATIVE.has(wanted)) return true;
  return chain.wrappedNative.address === wanted || chain.stables.some((stable) => stable.address === wanted);
}

/** Names of the native coin in pools of Uniswap v4 and Curve, ours and those of indexes; nobody can place a token there. */
const NATIVE: ReadonlySet<string> = new Set(['native', ZERO_ADDRESS, '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee']);

/** True for an address that stands for a chain's own coin, or for none: no token has it. */
export function isNoToken(address: string): boolean {
  return NATIVE.has(address.toLowerCase());
}

/** True for quote tokens and the chain's `otherQuotes`. Compares addresses, because anyone can reuse another token's symbol. */
export function isTradedQuote(chainName: string, address: string): boolean {
  const chain = CHAINS.find((row) => row.name === chainName);
  const wanted = chain?.kind === 'evm' ? address.toLowerCase() : address;
  return isQuoteToken(chainName, address) || (chain?.otherQuotes.some((token) => token.address === wanted) ?? false);
}

/**
 * True if the value of a pool of the asset is hard to fake: one side is a quote token, or the other side is one of the chain's
 * `counterTokens`. Without it, figures of the pool in dollars mean nothing: anybody can make a second token and put any number of it on
 * the other side. An unknown side (null) is no such token.
 */
export function isTradedPair(
  chainName: string,
  asset: string | null,
  sides: readonly (string | null | undefined)[],
): boolean {
  const chain = CHAINS.find((row) => row.name === chainName);
  const written = (address: string) => (chain?.kind === 'evm' ? address.toLowerCase() : address);
  const own = written(asset ?? '');
  return sides.some((side) => {
    if (typeof side !== 'string' || side === '') return false;
    const wanted = written(side);
    const isCounter = wanted !== own && (chain?.counterTokens.some(({ address }) => address === wanted) ?? false);
    return isCounter || isTradedQuote(chainName, side);
  });
}
