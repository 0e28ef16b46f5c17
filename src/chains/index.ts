/** Public interface of the chains module: chains, codecs, decoders and pool arithmetic. */
export {
  assetId,
  CHAINS,
  chainCalled,
  chainsOf,
  EVM_CHAINS,
  findChain,
  isAddressOn,
  isMistyped,
  isNoToken,
  isQuoteToken,
  isTradedPair,
  isTradedQuote,
  type NamingSource,
  nameAt,
  parseAssetId,
} from './all.ts';
export type { Chain, EvmChain } from './chain.ts';
export {
  abiText,
  addressAt,
  addressOf,
  aggregateData,
  aggregateResults,
  callData,
  ERC20,
  type EvmCall,
  flagOf,
  type Hex,
  intAt,
  MULTICALL3,
  uintAt,
  uintOf,
} from './codecs/abi.ts';
export {
  addressBytes,
  CLOCK_LENGTH,
  decodeClock,
  fromBase64,
  i64,
  isOnCurve,
  key,
  keyOrNull,
  type SolanaAccount,
  toBase58,
  u8,
  u16,
  u32,
  u64,
} from './codecs/accounts.ts';
export { CURVE_CALLS, type CurveClaim, curveCalls, readCurve, readCurveClaim } from './decoders/evm-pools/curve.ts';
export { BOOK_CALLS, type BookClaim, bookCalls, readBook, readClaim } from './decoders/evm-pools/liquidity-book.ts';
export {
  type PoolShape,
  SHAPE_CALLS,
  type ShapeClaim,
  SLOT0_AT,
  shapeClaim,
  vouchedShape,
  voucherOf,
} from './decoders/evm-pools/pool-shape.ts';
export { bitmapCalls, readPool, readState, stateCalls, tickCalls, ticksOf } from './decoders/evm-pools/ranged.ts';
export { pairCalls, readPair, readSolidly, solidlyCalls } from './decoders/evm-pools/uniswap-v2.ts';
export {
  INITIALIZE,
  keyCall,
  readInitialize,
  readKey,
  readV4Pool,
  readV4State,
  type V4Key,
  v4BitmapCalls,
  v4StateCalls,
  v4TickCalls,
} from './decoders/evm-pools/uniswap-v4.ts';
export { openPool } from './decoders/solana-pools/index.ts';
export type { Accounts, OpenedPool } from './decoders/solana-pools/program.ts';
export {
  decodeMetadata,
  decodeMint,
  decodeTokenAccount,
  highestFee,
  type Mint,
  type MintExtensions,
  metadataAddress,
  type TokenAccount,
} from './decoders/token-programs.ts';
export type { Exchange } from './exchanges.ts';
export { type ChainFault, fault, LIMIT_EXCEEDED, type RpcErrorKind, rpcErrorKind } from './fault.ts';
export {
  EVM_BURN_ADDRESSES,
  EVM_BURNS,
  EVM_KEYLESS_ADDRESSES,
  isBurnAddress,
  SOLANA_BURN_ADDRESSES,
  SOLANA_BURNS,
  SYSTEM_PROGRAM,
  ZERO_ADDRESS,
} from './fixed-addresses.ts';
export { type ArchivedPool, archivePool, openArchived } from './pool-math/archived-pool.ts';
export { type PoolReading, type PoolToken, wholeTokens } from './pool-math/pool-curve.ts';
export {
  CLOCK_SYSVAR,
  FIXED_AUTHORITIES,
  isLaunchpadKey,
  KNOWN_DECIMALS,
  LIQUIDITY_LOCKERS,
  OWNER_PROGRAMS,
  PUMP,
  solana,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL,
} from './solana.ts';
