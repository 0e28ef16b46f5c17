/** The one HTTP client for sources. */
export { createUpstream } from './client.ts';
export { isLiteral, judgeUrl } from './guard.ts';
export { operatorJson } from './operator-json.ts';
export { judgeProjectUrl } from './project-url.ts';
export { systemResolver } from './resolver.ts';
export type { SharedTurns } from './shared-budget.ts';
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
