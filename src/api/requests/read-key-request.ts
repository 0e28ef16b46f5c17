import { type NewApiKey, SCOPES, type Scope } from '../../access/index.ts';
import { canonicalIpRange } from '../../domain/index.ts';
import type { FieldError } from '../../jobs/index.ts';
import { isTimeText } from './time-text.ts';

/** Control and format characters and unpaired surrogates: the name is shown in terminals and pages. */
const UNSEEN = /\p{C}/u;
const ACCOUNT_ID = /^acc_[A-Za-z0-9]{1,40}$/;

/** Reads the body of a key creation; all complaints at once. */
export function readKeyRequest(
  body: unknown,
  now: number,
): { readonly ok: true; readonly value: NewApiKey } | { readonly ok: false; readonly errors: readonly FieldError[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { ok: false, errors: [{ pointer: '', code: 'wrong_type', detail: 'expected a JSON object' }] };
  const fields = body as Readonly<Record<string, unknown>>;
  const errors: FieldError[] = [];
  const name = fields.name;
  if (typeof name !== 'string' || name.trim() === '' || name.length > 100 || UNSEEN.test(name))
    errors.push({ pointer: '/name', code: 'malformed', detail: 'expected a name of 1 to 100 visible characters' });
  const accountId = fields.account_id ?? null;
  if (accountId !== null && (typeof accountId !== 'string' || !ACCOUNT_ID.test(accountId)))
    errors.push({ pointer: '/account_id', code: 'malformed', detail: 'expected the account_id of another key' });
  const scopes = fields.scopes;
  if (
    !Array.isArray(scopes) ||
    scopes.length === 0 ||
    !scopes.every((scope) => (SCOPES as readonly unknown[]).includes(scope))
  )
    errors.push({ pointer: '/scopes', code: 'malformed', detail: `expected at least one of ${SCOPES.join(', ')}` });
  const plan = fields.plan ?? 'RATING';
  if (typeof plan !== 'string' || !/^[A-Z0-9-]{1,40}$/.test(plan))
    errors.push({ pointer: '/plan', code: 'malformed', detail: 'expected the name of a plan, such as RATING' });
  const expiresAt = fields.expires_at ?? null;
  if (expiresAt !== null && (typeof expiresAt !== 'string' || !isTimeText(expiresAt) || !(Date.parse(expiresAt) > now)))
    errors.push({ pointer: '/expires_at', code: 'malformed', detail: 'expected a time in the future, RFC 3339' });
  const ips = fields.allowed_ips ?? [];
  const ranges: string[] = [];
  if (!Array.isArray(ips) || ips.length > 50)
    errors.push({
      pointer: '/allowed_ips',
      code: 'malformed',
      detail: 'expected up to 50 IP addresses or CIDR ranges',
    });
  else
    for (const [index, ip] of ips.entries()) {
      const range = typeof ip === 'string' && ip.length <= 64 ? canonicalIpRange(ip) : null;
      if (range === null)
        errors.push({
          pointer: `/allowed_ips/${index}`,
          code: 'malformed',
          detail: 'expected an IP address or CIDR range such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32',
        });
      else ranges.push(range);
    }
  if (errors.length > 0) return { ok: false, errors };
  return {
    ok: true,
    value: {
      name: String(name).trim(),
      accountId: accountId === null ? null : String(accountId),
      scopes: scopes as Scope[],
      plan: String(plan),
      expiresAt: expiresAt === null ? null : new Date(String(expiresAt)).toISOString(),
      allowedIps: ranges,
    },
  };
}
