import { parseArgs } from 'node:util';
import { type ApiKey, SCOPES, type Scope } from '../access/index.ts';
import { canonicalIpRange, DAY_MS } from '../domain/index.ts';
import type { Command } from './command.ts';
import { MANUAL } from './manual.ts';

export const keysCommand: Command = {
  ...MANUAL.keys,
  async run(args, { terminal, openAccess, now }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        scopes: { type: 'string', default: 'score,rms:read' },
        plan: { type: 'string', default: 'RATING' },
        'expires-days': { type: 'string' },
        ips: { type: 'string' },
        account: { type: 'string' },
        'overlap-seconds': { type: 'string', default: '86400' },
        json: { type: 'boolean' },
      },
    });
    const [action, id] = positionals;
    const show = (key: ApiKey, secret: string | null) =>
      terminal.out(values.json ? JSON.stringify({ ...key, ...(secret ? { secret } : {}) }) : lineOf(key, secret));

    if (action === 'list') {
      const keys = await (await openAccess()).list();
      if (values.json) terminal.out(JSON.stringify(keys));
      else for (const key of keys) show(key, null);
      return 0;
    }
    if (action === 'create') {
      const scopes = (values.scopes ?? '').split(',').map((scope) => scope.trim());
      const wrong = scopes.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
      const days = values['expires-days'] === undefined ? null : Number(values['expires-days']);
      if (!values.name || wrong.length > 0 || (days !== null && !(days > 0))) {
        terminal.err(
          !values.name
            ? '--name is required'
            : wrong.length > 0
              ? `unknown scope ${wrong.join(', ')}; scopes are ${SCOPES.join(', ')}`
              : '--expires-days must be a number of days above 0',
        );
        return 64;
      }
      const expiresAt = days === null ? null : new Date(now() + days * DAY_MS).toISOString();
      const given = values.ips ? values.ips.split(',').map((ip) => ip.trim()) : [];
      const allowedIps = given.flatMap((ip) => canonicalIpRange(ip) ?? []);
      if (allowedIps.length < given.length) {
        const unreadable = given.filter((ip) => canonicalIpRange(ip) === null);
        terminal.err(
          `--ips: not an IP address or CIDR range: ${unreadable.join(', ')} (such as 192.0.2.7, 10.0.0.0/8, 2001:db8::/32)`,
        );
        return 64;
      }
      const made = await (await openAccess()).create({
        name: values.name,
        accountId: values.account ?? null,
        scopes: scopes as Scope[],
        plan: values.plan ?? 'RATING',
        expiresAt,
        allowedIps,
      });
      show(made.key, made.secret);
      return 0;
    }
    if (action === 'rotate' && id) {
      const overlap = Number(values['overlap-seconds']);
      if (!Number.isInteger(overlap) || overlap < 0) {
        terminal.err('--overlap-seconds must be whole seconds, 0 or more');
        return 64;
      }
      const made = await (await openAccess()).rotate(id, overlap);
      if (made.ok) show(made.key, made.secret);
      else if (made.code === 'key_not_found') terminal.err(`there is no active key ${id}`);
      else
        terminal.err(
          `${id} was rotated already: its successor is ${made.successorId}. Rotate that one, or revoke it first if its secret is lost`,
        );
      return made.ok ? 0 : 1;
    }
    if (action === 'revoke' && id) {
      const done = await (await openAccess()).revoke(id);
      if (done) terminal.out(`revoked ${id}`);
      else terminal.err(`there is no active key ${id}`);
      return done ? 0 : 1;
    }
    terminal.err(`usage:\n${keysCommand.usage}`);
    return 64;
  },
};

function lineOf(key: ApiKey, secret: string | null): string {
  const state = key.revokedAt ? `revoked ${key.revokedAt}` : key.expiresAt ? `until ${key.expiresAt}` : 'no expiry';
  const line = `${key.id}  ${key.accountId}  ${key.prefix}...  ${key.name}  [${key.scopes.join(' ')}]  ${key.plan}  ${state}`;
  return secret ? `${line}\n${secret}\nThe key is shown once; only its hash is kept.` : line;
}
