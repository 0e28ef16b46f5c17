import { ok, type Result } from '../domain/index.ts';
import type { TrustClass } from '../upstream/index.ts';
import { isLiteral, judgeUrl } from '../upstream/index.ts';

/** Whether a webhook may have this address, and how far it is trusted. Names are resolved and judged again at each delivery. */
export type JudgeWebhookUrl = (text: string) => Result<{ readonly trust: TrustClass }, { readonly detail: string }>;

const HTTPS_PORT = 443;
const SANDBOX_PORTS = [80, HTTPS_PORT];

/**
 * Addresses of webhooks: https on port 443 and a public name. In the sandbox also http, and this machine's own loopback
 * when the operator allows it: receivers are under test there.
 */
export function createWebhookJudge(where: {
  readonly dataMode: 'live' | 'sandbox';
  readonly loopback: boolean;
}): JudgeWebhookUrl {
  const sandbox = where.dataMode === 'sandbox';
  return (text) => {
    if (sandbox && where.loopback && isLoopback(text)) return ok({ trust: 'operator' });
    const judged = judgeUrl(text, sandbox ? SANDBOX_PORTS : [HTTPS_PORT]);
    if (!judged.ok) return judged;
    if (!sandbox && judged.value.protocol !== 'https:')
      return { ok: false, detail: 'the address must start with https://' };
    return ok({ trust: 'outside' });
  };
}

/** By address alone: what a name leads to can change. */
function isLoopback(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '') return false;
  return isLiteral(hostname) && (hostname === '[::1]' || hostname.startsWith('127.'));
}
