import { assetId, CHAINS, type Chain, findChain, isAddressOn, parseAssetId } from '../../chains/index.ts';
import { ok, type Result } from '../../domain/index.ts';

/** An asset as the caller named it. `text` is the canonical spelling to search for. */
export type AssetText =
  | { readonly kind: 'address'; readonly text: string; readonly assetId: string }
  | { readonly kind: 'symbol'; readonly text: string };

export type AssetTextFault =
  | { readonly code: 'malformed'; readonly detail: string }
  | { readonly code: 'wrong_chain'; readonly detail: string; readonly chain: string | null };

const LONGEST = 150;
const LONGEST_SYMBOL = 32;

/** Parses the `{asset}` part of a path on a chain: an address, a CAIP-19 id, `chain:address`, or otherwise a symbol. */
export function readAssetText(chain: Chain, given: string): Result<AssetText, AssetTextFault> {
  if (given.length > LONGEST) return malformed(`expected at most ${LONGEST} characters, got ${given.length}`);
  // Control characters, bidirectional marks, invisible characters and unpaired surrogates never occur in an address or
  // an honest symbol.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(given)) return malformed('it contains invisible characters');
  const text = given.trim();
  if (text === '') return malformed('it is empty');
  if (text.includes(':')) return readQualified(chain, text);
  return readAddress(chain, text) ?? readSymbol(text);
}

function readQualified(chain: Chain, text: string): Result<AssetText, AssetTextFault> {
  const id = parseAssetId(text);
  if (id) return id.chain.name === chain.name ? address(chain, id.address) : otherChain(chain, id.chain);
  const at = text.indexOf(':');
  const named = findChain(text.slice(0, at));
  if (!named) return malformed('expected a CAIP-19 id of a known chain, such as eip155:1/erc20:0x...');
  const rest = text.slice(at + 1);
  if (!isAddressOn(named, rest))
    return malformed(`expected an address of ${named.title} after ${text.slice(0, at + 1)}`);
  return named.name === chain.name
    ? (readAddress(chain, rest) ?? malformed('the address is not right'))
    : otherChain(chain, named);
}

function readAddress(chain: Chain, text: string): Result<AssetText, AssetTextFault> | null {
  const isEvm = /^0x[0-9a-fA-F]*$/.test(text) && text.length >= 10;
  if (isEvm && chain.kind !== 'evm')
    return {
      ok: false,
      code: 'wrong_chain',
      detail: `This is written like an address of an EVM chain; on ${chain.title} a mint address is 32 to 44 base58 characters.`,
      chain: null,
    };
  if (isEvm)
    return isAddressOn(chain, text)
      ? address(chain, text.toLowerCase())
      : malformed(`expected 0x and 40 hex digits, got ${text.length - 2} digits`);
  if (text.length < 32 || !isAddressOn(SOLANA, text)) return null;
  if (chain.kind !== 'solana')
    return {
      ok: false,
      code: 'wrong_chain',
      detail: `This is written like a Solana address; on ${chain.title} a contract address is 0x and 40 hex digits.`,
      chain: SOLANA.name,
    };
  return isBase58Of32Bytes(text) ? address(chain, text) : malformed('the base58 text does not hold 32 bytes');
}

function readSymbol(text: string): Result<AssetText, AssetTextFault> {
  if (text.length > LONGEST_SYMBOL)
    return malformed(`expected an address, a CAIP-19 id, or a symbol of at most ${LONGEST_SYMBOL} characters`);
  return ok({ kind: 'symbol', text });
}

function address(chain: Chain, text: string): Result<AssetText, AssetTextFault> {
  return ok({ kind: 'address', text, assetId: assetId(chain, text) });
}

function malformed(detail: string): Result<AssetText, AssetTextFault> {
  return { ok: false, code: 'malformed', detail };
}

function otherChain(asked: Chain, named: Chain): Result<AssetText, AssetTextFault> {
  return {
    ok: false,
    code: 'wrong_chain',
    detail: `The asset is on ${named.title}, and the path is of ${asked.title}: use /v1/${named.name}/...`,
    chain: named.name,
  };
}

const SOLANA = CHAINS.find((chain) => chain.kind === 'solana') as Chain;
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function isBase58Of32Bytes(text: string): boolean {
  let value = 0n;
  for (const letter of text) value = value * 58n + BigInt(BASE58.indexOf(letter));
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return zeros + Math.ceil(value.toString(16).length / 2) - (value === 0n ? 1 : 0) === 32;
}
