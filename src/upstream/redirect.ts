import { getDomain } from 'tldts';
import type { Result } from '../domain/index.ts';
import { ok } from '../domain/index.ts';
import { judgeUrl } from './guard.ts';
import type { TrustClass } from './types.ts';

/** One step of a request: where it goes and how the address is to be vetted. */
export interface Hop {
  readonly url: URL;
  readonly trust: TrustClass;
}

/**
 * Judges where a host sends us. Class `outside`: every hop is judged as the first one was, and never from https to http.
 * Class `operator`: only inside the registrable domain of the configured base; anything but the base's own origin is
 * then vetted like an outsider's address, so that a base cannot lead into our network.
 */
export function judgeRedirect(
  first: Hop,
  from: URL,
  location: string,
  allowedPorts: readonly number[],
): Result<Hop, { detail: string }> {
  if (location.length > 4_096 || !URL.canParse(location, from.href))
    return { ok: false, detail: 'the host redirected to an address that could not be read' };
  const to = new URL(location, from);
  to.hash = '';
  if (first.trust === 'operator' && to.origin === first.url.origin && to.username === '' && to.password === '')
    return ok({ url: to, trust: 'operator' });
  if (from.protocol === 'https:' && to.protocol !== 'https:')
    return { ok: false, detail: 'the host redirected from https to an address without it' };
  const judged = judgeUrl(to.href, allowedPorts);
  if (!judged.ok) return { ok: false, detail: `the host redirected to a refused address: ${judged.detail}` };
  if (first.trust === 'operator' && !sameSite(first.url, to))
    return { ok: false, detail: 'the host redirected to another domain' };
  return ok({ url: to, trust: 'outside' });
}

function sameSite(a: URL, b: URL): boolean {
  const domain = getDomain(a.hostname, { allowPrivateDomains: true });
  return domain !== null && domain === getDomain(b.hostname, { allowPrivateDomains: true });
}
