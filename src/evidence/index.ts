/** Collects the replies of the sources for one request. */
export type { Answer } from './ask.ts';
export { createJobAsker } from './asker.ts';
export { assemble } from './assemble.ts';
export { type BoundSource, bindSources, type SourceBook } from './book.ts';
export { type BulkLists, createBulkLists } from './bulk.ts';
export { carryOver, type PublishedEvidence } from './carry-over.ts';
export type { ProbeResult, SourceRow } from './catalogue.ts';
export { collect } from './collect.ts';
export type { ParsedReply } from './inspect.ts';
export { listedExploits } from './listed-exploits.ts';
export type { Reobserved } from './reobserve.ts';
export type { SharedLists } from './shared-lists.ts';
