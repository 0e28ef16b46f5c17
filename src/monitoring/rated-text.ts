import { assetId, CHAINS, findChain, isAddressOn, parseAssetId } from '../chains/index.ts';
import { ok, type Result } from '../domain/index.ts';
import { isCoin } from '../registers/index.ts';

/** A caller's name of a rated asset, in canonical spelling. */
export type RatedText =
  | { readonly kind: 'id'; readonly assetId: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'symbol'; readonly symbol: string };

const LONGEST = 150;
const LONGEST_SYMBOL = 64;

/**
 * Parses a CAIP-19 id, `project:<domain>`, `chain:address`, a bare mint or contract address, or else a symbol or a
 * name. Outer white space is ignored.
 */
export function readRatedText(given: string): Result<RatedText, { readonly detail: string }> {
  if (given.length > LONGEST) return malformed(`expected at most ${LONGEST} characters, got ${given.length}`);
  const text = given.trim();
  // Control characters, bidirectional marks, invisible and unpaired ones are never part of an address or an honest
  // symbol.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return malformed('it contains invisible characters');
  if (text === '') return malformed('it is empty');
  if (text.includes(':')) return readQualified(text);
  if (/^0x[0-9a-fA-F]{8,}$/.test(text))
    return /^0x[0-9a-fA-F]{40}$/.test(text)
      ? ok({ kind: 'address', address: text.toLowerCase() })
      : malformed(`expected 0x and 40 hex digits, got ${text.length - 2} digits`);
  if (SOLANA !== undefined && isAddressOn(SOLANA, text)) return ok({ kind: 'address', address: text });
  return text.length > LONGEST_SYMBOL
    ? malformed(`expected an address, a CAIP-19 id, or a symbol or name of at most ${LONGEST_SYMBOL} characters`)
    : ok({ kind: 'symbol', symbol: text });
}

/** Compares symbols or names without the case of ASCII letters; any other difference counts, so that look-alikes never match. */
export function sameSymbol(one: string, other: string): boolean {
  return asciiLower(one.trim()) === asciiLower(other.trim());
}

function readQualified(text: string): Result<RatedText, { readonly detail: string }> {
  if (/^project:[a-z0-9][a-z0-9.-]{0,120}$/.test(text)) return ok({ kind: 'id', assetId: text });
  const id = parseAssetId(text);
  if (id) return ok({ kind: 'id', assetId: assetId(id.chain, id.address) });
  if (isCoin(text)) return ok({ kind: 'id', assetId: text });
  const at = text.indexOf(':');
  const chain = findChain(text.slice(0, at));
  if (!chain)
    return malformed('expected a CAIP-19 id of a known chain, such as eip155:1/erc20:0x..., or chain:address');
  const address = text.slice(at + 1);
  if (address === 'native') return ok({ kind: 'id', assetId: assetId(chain, address) });
  if (!isAddressOn(chain, address))
    return malformed(`expected an address of ${chain.title} after ${text.slice(0, at + 1)}`);
  return ok({ kind: 'id', assetId: assetId(chain, chain.kind === 'evm' ? address.toLowerCase() : address) });
}

function malformed(detail: string): Result<RatedText, { readonly detail: string }> {
  return { ok: false, detail };
}

const SOLANA = CHAINS.find((chain) => chain.kind === 'solana');

function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
