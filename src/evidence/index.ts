/** Collects the replies of the sources for one request. */
/** Lists of all assets, read as peers. */
export { ASSET_LISTS, type ListedAsset, listedAssets } from '../sources/index.ts';
export { assemble, sortObservations } from './assemble.ts';
export { type BoundSource, bindSources, budgetOf, refreshMsOf, type SourceBook } from './book.ts';
export type { SharedLists } from './bulk.ts';
export { type BulkLists, createBulkLists, listName, STALE_AFTER } from './bulk.ts';
export { carryOver, type PublishedEvidence } from './carry-over.ts';
export { collect } from './collect.ts';
export { createEarlyRequests, type EarlyRequests } from './early-requests.ts';
export { type ParsedReply, type ProbeResult, parseSavedReply, type Reobserved, type SourceRow } from './inspect.ts';
export { listedExploits } from './listed-exploits.ts';
export { readReply } from './read-reply.ts';
export type { RecordedReply } from './request-once.ts';
export { createJobRequester, type PendingRequests, type RequestEvent } from './requester.ts';
