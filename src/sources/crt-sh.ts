import Type, { type Static } from 'typebox';
import type { ObservationDraft } from '../domain/index.ts';
import { asciiDomain } from './links.ts';
import { confusableWith, forgedLabels, labelOf } from './lookalikes.ts';
import { observed } from './observations.ts';
import { date, fields, TextOptional, text } from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint, type Facts, type Params } from './source.ts';

/**
 * crt.sh (Certificate Transparency): certificates of domains that can be mistaken for the project's domain.
 *
 * Lineage: the public certificate logs, as indexed by Sectigo; family `ct`. The results describe impostors, not the project: a project
 * cannot prevent imitation, and anyone may request a certificate for a look-alike to harm it. Therefore no result changes a rating; no
 * feature reads the source, and it is off by default. A look-alike is a domain that the identity rules confuse with the project's
 * (methodology 2.1), or whose name contains the project's whole name. Its owner is unknown and may be the project itself.
 * Terms: none published; a free service. Limits: none published, about 5 a minute by IP in reports (cert.imfht.com/crt-sh-rate-limit, read
 * in a copy of 2026); returns 502 or nothing under load. Quirks: no documented API, `output=json` on the search; the names of a
 * certificate, including wildcards, are lines of one text; long searches end in HTML; labels are in punycode.
 */
const Certificate = Type.Object({
  name_value: Type.String(),
  ...fields(TextOptional, 'issuer_name', 'not_before', 'not_after'),
});
const Certificates = Type.Array(Certificate);

/** Shorter names are part of too many other names. */
const SHORTEST = 6;
const MOST_FORGED = 2;
const MOST_CERTIFICATES = 5_000;
const MOST_NAMES = 200;
const MOST_DOMAINS = 40;

/** Searches for names that contain the project's name, and for its likeliest forgeries. */
function plan({ registrableDomain: domain }: Facts): readonly Params[] {
  const label = domain === null ? '' : labelOf(domain);
  if (label.length < SHORTEST || label.startsWith('xn--')) return [];
  return [`%${label}%`, ...forgedLabels(label, MOST_FORGED).map((row) => `${row}.%`)].map((search) => ({
    domain,
    search,
  }));
}

interface Found {
  readonly kind: 'confusable' | 'same_name' | 'contains';
  firstAt: string | null;
  lastAt: string | null;
  issuer: string | null;
  certificates: number;
}

/** How a domain resembles the project's; null for the project's own domain and for one that does not resemble it. */
function kindOf(domain: string, own: string): Found['kind'] | null {
  if (domain === own) return null;
  if (labelOf(domain) === labelOf(own)) return 'same_name';
  if (confusableWith(domain, [own]) !== null) return 'confusable';
  return labelOf(domain).includes(labelOf(own)) ? 'contains' : null;
}

function lookalikes(reply: Static<typeof Certificates>, own: string): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  for (const row of reply.slice(0, MOST_CERTIFICATES)) {
    const names = row.name_value.slice(0, 20_000).split('\n').slice(0, MOST_NAMES);
    const domains = new Set(names.flatMap((name) => asciiDomain(name.trim().replace(/^\*\./, '').toLowerCase()) ?? []));
    for (const domain of domains) {
      const kind = kindOf(domain, own);
      if (kind === null) continue;
      const [from, to] = [date(utc(row.not_before)), date(utc(row.not_after))];
      const known = found.get(domain) ?? { kind, firstAt: from, lastAt: to, issuer: null, certificates: 0 };
      known.certificates += 1;
      if (from !== null && (known.firstAt === null || from < known.firstAt)) known.firstAt = from;
      if (to !== null && (known.lastAt === null || to >= known.lastAt)) known.lastAt = to;
      known.issuer ??= text(row.issuer_name, 100);
      found.set(domain, known);
    }
  }
  return found;
}

/** Times in the reply are UTC without a time zone. */
const utc = (at: string | null | undefined) => (typeof at === 'string' && /T[\d:.]+$/.test(at) ? `${at}Z` : at);

function observe(reply: Static<typeof Certificates>, { domain, search }: Params): readonly ObservationDraft[] {
  if (typeof domain !== 'string') return [];
  const order = ['confusable', 'same_name', 'contains'];
  const rows = [...lookalikes(reply, domain)]
    .map(([name, row]) => ({ domain: name, ...row }))
    .sort(
      (a, b) =>
        order.indexOf(a.kind) - order.indexOf(b.kind) ||
        (b.firstAt ?? '').localeCompare(a.firstAt ?? '') ||
        a.domain.localeCompare(b.domain),
    );
  return observed('lookalike_domains', rows.length === 0 ? null : rows.slice(0, MOST_DOMAINS), {
    scope: `search:${String(search)}`,
    meaning: `${rows.length} domains with certificates can be mistaken for ${domain}; their owners are not known`,
  });
}

export const crtSh = defineSource({
  name: 'crt_sh',
  title: 'crt.sh',
  doc: 'https://crt.sh',
  family: 'ct',
  tier: 'registry',
  reliability: 0.8,
  bases: { main: 'https://crt.sh' },
  disabledReason:
    'no feature uses it: look-alike domains are shown as evidence only, and its replies often take longer than the time limit of a rating',
  terms: { redistribute: true, keepBodyDays: 30, note: 'public logs; no terms of the index are published' },
  budget: { perMinute: 3, burst: 2, concurrency: 1, shareSeconds: 86_400 },
  timeoutMs: 12_000,
  endpoints: [
    endpoint({
      name: 'search',
      doc: '/?q=&output=json&exclude=expired&deduplicate=Y: unexpired certificates by name, % for anything (fields as parse.bot lists them, 2026)',
      maxBytes: 8 * 1024 * 1024,
      plan,
      request: get('/', { q: '{search}', output: 'json', exclude: 'expired', deduplicate: 'Y' }),
      reply: Certificates,
      classify: (reply) => (reply.length === 0 ? { outcome: 'empty' } : { outcome: 'ok' }),
      observe,
    }),
  ],
});
