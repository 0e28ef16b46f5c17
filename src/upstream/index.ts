/** The HTTP client for all sources. */

export { systemResolver } from './agents.ts';
export type { SharedTurns } from './budget.ts';
export { createUpstream } from './client.ts';
export { isLiteral, isPublicAddress, judgeProjectUrl, judgeUrl } from './guard.ts';
export { createNodeSockets, type NodeSocket, type NodeSockets } from './node-socket.ts';
export type {
  BatchTerms,
  RequestPriority,
  Resolver,
  TrustClass,
  Upstream,
  UpstreamFailure,
  UpstreamReply,
  UpstreamRequest,
} from './types.ts';
export { operatorJson } from './types.ts';
