/** Market, holder, pool and forensic snapshots, read from chains and sources. */

export { contractKeys, mintKeys } from './asset-keys.ts';
export type { SnapshotCollector } from './collector.ts';
export { type ChainWays, createSnapshotCollector } from './collector.ts';
export { describeAccount, describeContract, readAccountFile } from './describe.ts';
export { evmHolders } from './evm/holders.ts';
export { readEvmPools } from './evm/pools.ts';
export { createEvmReader } from './evm/reader.ts';
export { asRecording, type EvmRecording, recordedReader } from './evm/recording.ts';
export { createForensics, type Forensics, SEARCHES_AT_ONCE } from './forensics/forensics.ts';
export { describeAsset } from './gather.ts';
export { textKeys, totalOf } from './holders/balance-table.ts';
export { readHolderCsv } from './holders/csv.ts';
export { buildHoldersSnapshot } from './holders/snapshot.ts';
export type { RpcNode } from './json-rpc.ts';
export type { PricePoint } from './market/number.ts';
export { ratedSnapshots } from './rated.ts';
export { solanaHolders } from './solana/holders.ts';
export { readPools } from './solana/pools.ts';
export { createSolanaReader } from './solana/reader.ts';
