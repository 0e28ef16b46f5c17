/** All chains, their codecs, decoders and pool arithmetic: what other rooms use of them. */
export {
  assetId,
  CHAINS,
  chainCalled,
  chainsOf,
  EVM_CHAINS,
  findChain,
  isAddressOn,
  isQuoteToken,
  type NamingSource,
  nameAt,
  parseAssetId,
  QUOTE_SYMBOLS,
} from './all.ts';
export type { Chain, EvmChain } from './chain.ts';
export {
  abiText,
  addressAt,
  addressOf,
  callData,
  ERC20,
  flagOf,
  type Hex,
  intAt,
  uintAt,
  uintOf,
} from './codecs/abi.ts';
export { fromBase64, i64, key, keyOrNull, u8, u16, u32, u64 } from './codecs/account-data.ts';
export { addressBytes, toBase58 } from './codecs/base58.ts';
export { isOnCurve } from './codecs/derived-address.ts';
export { LIMIT_EXCEEDED, type RpcErrorKind, rpcErrorKind } from './codecs/json-rpc.ts';
export { aggregateData, aggregateResults, type EvmCall, MULTICALL3 } from './codecs/multicall.ts';
export { CLOCK_LENGTH, decodeClock } from './decoders/clock.ts';
export { CURVE_QUESTIONS, type CurveClaim, curveCalls, readCurve, readCurveClaim } from './decoders/evm-pools/curve.ts';
export { BOOK_QUESTIONS, type BookClaim, bookCalls, readBook, readClaim } from './decoders/evm-pools/liquidity-book.ts';
export {
  type PoolShape,
  SHAPE_QUESTIONS,
  type ShapeClaim,
  SLOT0_AT,
  shapeClaim,
  vouchedShape,
  voucherOf,
} from './decoders/evm-pools/pool-shape.ts';
export {
  bitmapCalls,
  type PoolState,
  readPool,
  readState,
  stateCalls,
  tickCalls,
  ticksOf,
} from './decoders/evm-pools/ranged.ts';
export { readSolidly, solidlyCalls } from './decoders/evm-pools/solidly.ts';
export { pairCalls, readPair } from './decoders/evm-pools/uniswap-v2.ts';
export {
  INITIALIZE,
  keyCall,
  readInitialize,
  readKey,
  readV4Pool,
  readV4State,
  type V4Key,
  type V4State,
  v4BitmapCalls,
  v4StateCalls,
  v4TickCalls,
} from './decoders/evm-pools/uniswap-v4.ts';
export { decodeMetadata, metadataAddress } from './decoders/metadata.ts';
export { decodeMint, type Mint } from './decoders/mint.ts';
export type { MintExtensions } from './decoders/mint-extensions.ts';
export type { SolanaAccount } from './decoders/solana-account.ts';
export { openPool } from './decoders/solana-pools/index.ts';
export { type Accounts, fault, type OpenedPool } from './decoders/solana-pools/program.ts';
export { decodeTokenAccount, type TokenAccount } from './decoders/token-account.ts';
export type { Exchange } from './exchanges.ts';
export type { ChainFault } from './fault.ts';
export {
  EVM_BURN_ADDRESSES,
  EVM_BURNS,
  isBurnAddress,
  SOLANA_BURN_ADDRESSES,
  SOLANA_BURNS,
  SYSTEM_PROGRAM,
  ZERO_ADDRESS,
} from './fixed-addresses.ts';
export { type ArchivedPool, archivePool, openArchived } from './pool-math/archived-pool.ts';
export { wholeTokens } from './pool-math/integer.ts';
export type { PoolReading, PoolToken } from './pool-math/types.ts';
export { KNOWN_DECIMALS, solana, WRAPPED_SOL } from './solana.ts';
export {
  CLOCK_SYSVAR,
  FIXED_AUTHORITIES,
  isLaunchpadKey,
  LIQUIDITY_LOCKERS,
  OWNER_PROGRAMS,
  PUMP,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './solana-programs.ts';
