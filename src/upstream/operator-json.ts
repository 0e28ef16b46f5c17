import type { UpstreamRequest } from './types.ts';

/**
 * A read of JSON at an address that the operator configured: every status but 2xx is a failure, no redirect is followed, one
 * retry. Whatever is given goes before that.
 */
export function operatorJson(
  request: Pick<UpstreamRequest, 'label' | 'url' | 'deadlines' | 'maxBytes'> & Partial<UpstreamRequest>,
): UpstreamRequest {
  return {
    trust: 'operator',
    method: 'GET',
    headers: { accept: 'application/json' },
    secretHeaders: {},
    secretQuery: [],
    body: null,
    accept: [],
    okStatuses: [],
    retries: 1,
    maxRedirects: 0,
    traceparent: null,
    ...request,
  };
}
