import { addressBuffer } from '../world/addresses.ts';
import type { SandboxAsset } from '../world/types.ts';

/** A raw account as the world keeps it. */
export interface SolanaAccount {
  readonly owner: string;
  readonly data: Buffer;
  readonly executable?: boolean;
}

/** 1,000,000 LP tokens with 9 decimals. */
export const LP_SUPPLY = 1_000_000n * 10n ** 9n;

/** An SPL mint of 82 bytes, or a Token-2022 mint padded to 165 with its extensions as type-length-value behind. */
export function mintBytes(asset: SandboxAsset, supply: bigint): Buffer {
  const base = Buffer.alloc(82);
  optionalKey(base, 0, asset.controller(asset.traits.mintAuthority, 'mint'));
  base.writeBigUInt64LE(supply, 36);
  base[44] = asset.decimals;
  base[45] = 1;
  optionalKey(base, 46, asset.controller(asset.traits.freezeAuthority, 'freeze'));
  if (!asset.traits.token2022) return base;
  return Buffer.concat([base, Buffer.alloc(165 - base.length), Buffer.from([1]), ...extensions(asset)]);
}

/** A mint without authorities. */
export function plainMintBytes(supply: bigint, decimals: number): Buffer {
  const data = Buffer.alloc(82);
  data.writeBigUInt64LE(supply, 36);
  data[44] = decimals;
  data[45] = 1;
  return data;
}

/** A token account of 165 bytes; Token-2022's carry ImmutableOwner behind, as associated accounts do (170 bytes). */
export function tokenAccountBytes(mint: string, owner: string, amount: bigint, token2022: boolean): Buffer {
  const data = Buffer.alloc(165);
  addressBuffer(mint).copy(data, 0);
  addressBuffer(owner).copy(data, 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = 1;
  return token2022 ? Buffer.concat([data, Buffer.from([2]), tlv(7, Buffer.alloc(0))]) : data;
}

/** A Metaplex metadata account; texts are padded with NUL to 32, 10 and 200 bytes, as the program writes them. */
export function metadataBytes(asset: SandboxAsset): Buffer {
  return metadataOf(asset, metadataUri(asset), asset.traits.metadataMutable, asset.creator);
}

/** The same for any mint. */
export function metadataOf(
  token: { readonly address: string; readonly name: string; readonly symbol: string },
  uri: string,
  mutable: boolean,
  creator: string,
): Buffer {
  return Buffer.concat([
    Buffer.from([4]),
    addressBuffer(creator),
    addressBuffer(token.address),
    text(token.name, 32),
    text(token.symbol, 10),
    text(uri, 200),
    // Seller fee 0, no creators, primary sale happened, mutable or not, edition nonce, fungible standard.
    Buffer.from([0, 0, 0, 1, mutable ? 1 : 0, 1, 255, 1, 2]),
    Buffer.alloc(60),
  ]);
}

export function metadataUri(asset: SandboxAsset): string {
  return `https://${asset.domain}/token.json`;
}

function extensions(asset: SandboxAsset): readonly Buffer[] {
  const { traits } = asset;
  const list: Buffer[] = [];
  if (traits.transferFeeBps > 0) {
    const fee = Buffer.alloc(108);
    addressBuffer(asset.creator).copy(fee, 0);
    addressBuffer(asset.creator).copy(fee, 32);
    for (const at of [72, 90]) {
      fee.writeBigUInt64LE(600n, at);
      fee.writeBigUInt64LE(2n ** 63n, at + 8);
      fee.writeUInt16LE(traits.transferFeeBps, at + 16);
    }
    list.push(tlv(1, fee));
  }
  if (traits.permanentDelegate) list.push(tlv(12, addressBuffer(asset.creator)));
  list.push(tlv(18, Buffer.concat([addressBuffer(asset.creator), addressBuffer(asset.address)])));
  const updater = traits.metadataMutable ? addressBuffer(asset.creator) : Buffer.alloc(32);
  const texts = [text(asset.name, 0), text(asset.symbol, 0), text(metadataUri(asset), 0), Buffer.alloc(4)];
  list.push(tlv(19, Buffer.concat([updater, addressBuffer(asset.address), ...texts])));
  return list;
}

function tlv(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, value]);
}

function optionalKey(data: Buffer, at: number, address: string | null): void {
  if (address === null) return;
  data.writeUInt32LE(1, at);
  addressBuffer(address).copy(data, at + 4);
}

function text(value: string, padTo: number): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  const body = Buffer.concat([bytes, Buffer.alloc(Math.max(0, padTo - bytes.length))]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length, 0);
  return Buffer.concat([length, body]);
}
