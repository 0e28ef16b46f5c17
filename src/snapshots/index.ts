/** Market, holder, pool and forensic snapshots, read from chains and sources. */

export { contractKeys, mintKeys } from './asset-keys.ts';
export type { SnapshotCollector } from './collector.ts';
export { type ChainReaders, createSnapshotCollector, ratedSnapshots } from './collector.ts';
export { describeAccount, describeContract, readAccountFile } from './describe.ts';
export { evmHolders } from './evm/holders.ts';
export { readEvmPools } from './evm/pools.ts';
export { asRecording, createEvmReader, type EvmRecording, recordedReader } from './evm/reader.ts';
export { clusterByFunder } from './forensics/clusters.ts';
export { createForensics, type Forensics, SEARCHES_AT_ONCE } from './forensics/forensics.ts';
export { judgeLaunch, type LaunchTrade } from './forensics/launch.ts';
export {
  chancesOfPayers,
  FALSE_CLUSTERS,
  type ReferencePayers,
  STUDIED_PAYERS,
} from './forensics/null-model.ts';
export type { Funding } from './forensics/types.ts';
export { describeAsset } from './gather.ts';
export { type CsvOddities, readHolderCsv, textKeys, totalOf } from './holders/balance-table.ts';
export { buildHoldersSnapshot } from './holders/snapshot.ts';
export { evmHoldings } from './holdings/evm.ts';
export type { Holdings, ReadHoldings } from './holdings/holdings.ts';
export { MOST_TOKENS } from './holdings/holdings.ts';
export { solanaHoldings } from './holdings/solana.ts';
export { callRpc as callNode, type RpcNode } from './json-rpc.ts';
export type { PricePoint } from './market/number.ts';
export { EVM_WATCH, type Head, type NodeNotification, type NodeWatch, SOLANA_WATCH, watchNode } from './node-watch.ts';
export { solanaHolders } from './solana/holders.ts';
export { createSolanaReader, readPools } from './solana/reader.ts';
