import type { Scene } from '../scene.ts';
import { addressBuffer } from '../world/addresses.ts';
import { coinUsdAt } from '../world/coins.ts';
import type { SolanaAccount } from './solana_bytes.ts';

const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const SYSVARS = 'Sysvar1111111111111111111111111111111111111';
const SOL_USD = '7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE';
const SOL_USD_ID = 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d';
const PYTH_RECEIVER = 'rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ';
const STAKE_POOLS = 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy';
/** The mint of a stake pool: real accounts, as their mints are. */
const MINT_OF_POOL: Readonly<Record<string, string>> = {
  stk9ApL5HeVAwPLr3TLhDXdZS8ptVu7zp6ov8HFDuMi: 'bSo13r4TkiE4KumL71LsHTPpL2euBYLFx6h9HP3piy1',
};
const EPOCH_MS = 432_000 * 400;

/** The clock sysvar: five numbers of eight bytes. */
export function clockAccount(scene: Scene, address: string): SolanaAccount | null {
  if (address !== CLOCK) return null;
  const data = Buffer.alloc(40);
  data.writeBigUInt64LE(epochOf(scene), 16);
  data.writeBigUInt64LE(epochOf(scene) + 1n, 24);
  data.writeBigInt64LE(BigInt(Math.floor(scene.now / 1000)), 32);
  return { owner: SYSVARS, data };
}

/** Pyth's SOL / USD, updated every minute, with a confidence of a tenth of a percent. */
export function priceAccount(scene: Scene, address: string): SolanaAccount | null {
  if (address !== SOL_USD) return null;
  const at = Math.floor(scene.now / 60_000) * 60_000;
  const price = BigInt(Math.round(coinUsdAt(scene.world.anchor, at, 'SOL') * 1e8));
  const data = Buffer.alloc(134);
  data.set([34, 241, 35, 99, 157, 126, 244, 205]);
  data[40] = 1;
  data.set(Buffer.from(SOL_USD_ID, 'hex'), 41);
  data.writeBigInt64LE(price, 73);
  data.writeBigUInt64LE(price / 1000n, 81);
  data.writeInt32LE(-8, 89);
  data.writeBigInt64LE(BigInt(at / 1000), 93);
  return { owner: PYTH_RECEIVER, data };
}

/** A stake pool: lamports and tokens, as updated in this epoch. */
export function poolAccount(scene: Scene, address: string): SolanaAccount | null {
  const asset = scene.world.byAddress('solana', MINT_OF_POOL[address] ?? '');
  if (asset?.redemption === undefined) return null;
  const tokens = BigInt(Math.round(asset.totalSupply * (asset.backing ?? 1))) * 10n ** BigInt(asset.decimals);
  const data = Buffer.alloc(611);
  data[0] = 1;
  data.set(addressBuffer(asset.address), 162);
  data.writeBigUInt64LE((tokens * BigInt(Math.round(asset.redemption.rate * 1e9))) / 10n ** 9n, 258);
  data.writeBigUInt64LE(tokens, 266);
  data.writeBigUInt64LE(epochOf(scene), 274);
  return { owner: STAKE_POOLS, data };
}

function epochOf(scene: Scene): bigint {
  return BigInt(Math.floor(scene.now / EPOCH_MS));
}
