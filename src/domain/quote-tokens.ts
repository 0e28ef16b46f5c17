import { EVM_CHAINS } from './evm-chains.ts';

/** Wrapped SOL, USDC and USDT: what most Solana pools are quoted in. */
const SOLANA: readonly string[] = [
  'So11111111111111111111111111111111111111112',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
];

/** True for the tokens a chain's pools are mostly quoted in, whose price nobody can make up: its wrapped coin and known stable tokens. */
export function isQuoteToken(chain: string, address: string): boolean {
  if (chain === 'solana') return SOLANA.includes(address);
  const row = EVM_CHAINS.find((evm) => evm.name === chain);
  if (row === undefined) return false;
  // The coin itself, as pools of Uniswap v4 hold it.
  if (address === 'native') return true;
  const wanted = address.toLowerCase();
  return row.wrappedNative === wanted || row.stables.some((stable) => stable.address === wanted);
}
