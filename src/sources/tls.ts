import Type from 'typebox';
import type { ObservationDraft } from '../domain/index.ts';
import { isOwnPage } from './links.ts';
import { date, text } from './read.ts';
import { defineSource, endpoint } from './source.ts';

/**
 * The project's TLS certificate, read by our own connection to its host through the address guard.
 *
 * Lineage: family `web_tls`; a certificate authority vouches for the name, nothing more. A fresh certificate is normal:
 * they are renewed every few weeks. Fields: `TlsFacts` of the upstream client.
 */
const Facts = Type.Object({
  authorized: Type.Boolean(),
  authorizationError: Type.Union([Type.String(), Type.Null()]),
  notBefore: Type.Union([Type.String(), Type.Null()]),
  notAfter: Type.Union([Type.String(), Type.Null()]),
  issuer: Type.Union([Type.String(), Type.Null()]),
});

export const tls = defineSource({
  name: 'tls',
  title: 'TLS certificate',
  doc: 'RFC 5280; read from the handshake',
  family: 'web_tls',
  tier: 'registry',
  reliability: 0.95,
  trust: 'outside',
  bases: {},
  terms: { redistribute: true, keepBodyDays: null, note: 'our own reading of a public certificate' },
  budget: { perMinute: 120, burst: 20, concurrency: 8, shareSeconds: 60 },
  timeoutMs: 6_000,
  tells: { certificate: 1 },
  endpoints: [
    endpoint({
      name: 'certificate',
      doc: 'The certificate of the project’s host on port 443',
      format: 'tls',
      plan: ({ websiteUrl }) => {
        const host = hostOf(websiteUrl);
        return host ? [{ host }] : [];
      },
      request: (params) => ({ url: `https://${String(params.host)}/` }),
      reply: Facts,
      observe: (reply) => {
        const from = date(reply.notBefore);
        const issuer = text(reply.issuer, 80);
        const drafts: ObservationDraft[] = [
          { quantity: 'tls_valid', value: reply.authorized, meaning: 'chain and name are valid' },
        ];
        if (from) drafts.push({ quantity: 'tls_not_before', value: from });
        if (issuer) drafts.push({ quantity: 'tls_issuer', value: issuer });
        return drafts;
      },
    }),
  ],
});

/** Host of the project's own site; null on shared platforms, whose certificate is not its own, and for unreadable text. */
function hostOf(url: string | null): string | null {
  try {
    return url !== null && isOwnPage(url) ? new URL(url).hostname : null;
  } catch {
    return null;
  }
}
