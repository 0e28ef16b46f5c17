import Type, { type Static } from 'typebox';
import type { ObservationDraft } from '../domain/index.ts';
import { observed } from './observations.ts';
import { Loose, num } from './read.ts';
import { defineSource, endpoint, type Params, type ReplyMeta } from './source.ts';

/**
 * DNS over HTTPS in the JSON format (no RFC; documented by Cloudflare and Google), at two operators.
 *
 * Lineage: each resolver is a separate lineage group (`dns_main`, `dns_second`): both read the same zone, but poisoning one
 * does not affect the other. TXT data is quoted and may be split. Status 0 is a result; status 3 means that the name does not exist.
 */
const Reply = Type.Object({
  Status: Type.Number(),
  AD: Type.Optional(Type.Boolean()),
  Answer: Type.Optional(Type.Array(Type.Object({ type: Type.Optional(Loose), data: Type.String() }))),
});
const RECORD_TYPES = ['A', 'MX', 'TXT'] as const;
/** A domain that accepts no mail states one MX record with an empty host (RFC 7505). */
const NULL_MX = /^\d+\s+\.$/;
const TYPES: Readonly<Record<string, number>> = { A: 1, MX: 15, TXT: 16 };

function observe(reply: Static<typeof Reply>, params: Params, _meta: ReplyMeta): readonly ObservationDraft[] {
  const family = `dns_${String(params.base)}`;
  const answers = (reply.Answer ?? []).filter((row) => num(row.type) === TYPES[String(params.type)]);
  if (params.type === 'A') {
    // A name without an A record may have an AAAA record or be served under www, so it does not count as unresolvable.
    const resolves = answers.length > 0 ? true : reply.Status === 3 ? false : null;
    const signed = typeof reply.AD === 'boolean' && reply.Status === 0 ? reply.AD : null;
    return [
      ...observed('domain_resolves', resolves, { family }),
      ...observed('dnssec', signed, { meaning: 'validated by the resolver', family }),
    ];
  }
  if (params.type === 'MX')
    return reply.Status === 0 || reply.Status === 3
      ? [{ quantity: 'mx_present', value: answers.some((row) => !NULL_MX.test(row.data)), family }]
      : [];
  const record = answers
    .map((row) => row.data.replace(/"\s+"/g, '').replaceAll('"', ''))
    .find((data) => /^v=DMARC1/i.test(data));
  const policy = /\bp=(none|quarantine|reject)/i.exec(record ?? '')?.[1]?.toLowerCase();
  return [{ quantity: 'dmarc_policy', value: policy ?? 'none', family }];
}

export const doh = defineSource({
  name: 'doh',
  title: 'DNS over HTTPS',
  doc: 'https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/',
  family: 'dns',
  tier: 'registry',
  reliability: 0.95,
  bases: { main: 'https://cloudflare-dns.com/dns-query', second: 'https://dns.google/resolve' },
  terms: { redistribute: true, keepBodyDays: null, note: 'public resolvers' },
  budget: { perMinute: 300, burst: 30, concurrency: 8, shareSeconds: 60 },
  timeoutMs: 5_000,
  endpoints: [
    endpoint({
      name: 'records',
      doc: 'A, MX and the DMARC policy, each from both resolvers',
      plan: ({ registrableDomain }) =>
        registrableDomain
          ? RECORD_TYPES.flatMap((type) =>
              ['main', 'second'].map((base) => ({
                base,
                type,
                name: type === 'TXT' ? `_dmarc.${registrableDomain}` : registrableDomain,
              })),
            )
          : [],
      request: (params) => ({
        base: String(params.base),
        query: { name: String(params.name), type: String(params.type) },
        headers: { accept: 'application/dns-json' },
      }),
      reply: Reply,
      classify: (reply) =>
        reply.Status === 0 || reply.Status === 3
          ? { outcome: 'ok' }
          : { outcome: 'error_reply', detail: `the resolver returned status ${reply.Status}` },
      observe,
    }),
  ],
});
