import Type from 'typebox';
import { isOwnPage } from './links.ts';
import { observed } from './observations.ts';
import { date, text } from './read.ts';
import { defineSource, endpoint } from './source.ts';

/**
 * The project's TLS certificate, read over our own connection to its host through the address guard.
 *
 * Lineage: family `web_tls`; a certificate authority confirms the name, nothing more. A new certificate is normal, because
 * certificates are renewed every few weeks. Fields: `TlsFacts` of the upstream client.
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
  provides: { certificate: 1 },
  endpoints: [
    endpoint({
      name: 'certificate',
      doc: 'The certificate of the project’s host on port 443',
      format: 'tls',
      // The certificate of a shared platform is not the project's.
      plan: ({ websiteUrl }) => (isOwnPage(websiteUrl) ? [{ host: URL.parse(websiteUrl ?? '')?.hostname ?? '' }] : []),
      request: (params) => ({ url: `https://${String(params.host)}/` }),
      reply: Facts,
      observe: (reply) => {
        return [
          ...observed('tls_valid', reply.authorized, 'chain and name are valid'),
          ...observed('tls_not_before', date(reply.notBefore)),
          ...observed('tls_issuer', text(reply.issuer, 80)),
        ];
      },
    }),
  ],
});
