import Type, { type Static } from 'typebox';
import type { Json, ObservationDraft } from '../domain/index.ts';
import { hostOf } from './links.ts';
import { observed } from './observations.ts';
import { date, fields, fieldsOf, listIn, TextOptional, text } from './read.ts';
import { ABOUT_ANOTHER, defineSource, endpoint } from './source.ts';
import { partsOf } from './token-records.ts';

/**
 * RDAP (RFC 9083): registration data of the project's domain, from the registry itself.
 *
 * Lineage: family `registry_rdap`. IANA's bootstrap file names the server of a top-level domain (RFC 9224); that
 * server's address is outside text and goes through the address guard. Several country domains are not in the bootstrap
 * file, so their age is unknown and does not count against them. Servers differ from the standard (null among the entities, a role or a
 * boolean as text, DNSSEC keys without the boolean), so each part is read on its own. Checked against recorded replies.
 */
const Bootstrap = Type.Object({
  services: Type.Array(Type.Tuple([Type.Array(Type.String()), Type.Array(Type.String())])),
});
const Domain = Type.Object({
  ldhName: TextOptional,
  unicodeName: TextOptional,
  ...fields(Type.Optional(Type.Unknown()), 'events', 'secureDNS', 'entities'),
});
type DomainReply = Static<typeof Domain>;
const Event = Type.Object({ eventAction: Type.String(), eventDate: TextOptional });

/** A domain name in its ASCII form, lower case, without a trailing dot; null for unreadable text. */
function plainName(name: unknown): string | null {
  return typeof name === 'string' ? hostOf(`http://${name.trim()}`) : null;
}

/**
 * False if the reply names another domain than the requested one: a server may answer with the record of a parent or of its registrar.
 * A reply without a name is about the requested domain (RFC 9083, 5.3: the names are optional).
 */
function isAbout({ ldhName, unicodeName }: DomainReply, requested: unknown): boolean {
  const named = ldhName || unicodeName;
  return !named || plainName(named) === plainName(requested);
}

function observe(reply: DomainReply): readonly ObservationDraft[] {
  const events = partsOf(Event, listIn(reply.events));
  const event = (action: string) => date(events.find((row) => row.eventAction === action)?.eventDate);
  return [
    ...observed('domain_registered_at', event('registration')),
    ...observed('domain_expires_at', event('expiration')),
    ...observed('domain_registrar', text(registrarOf(reply), 100)),
    ...observed('dnssec', isSigned(fieldsOf(reply.secureDNS))),
  ];
}

/** Whether the domain is signed. Some servers write a boolean as text, others only publish the keys of a signed domain. */
function isSigned({ delegationSigned, dsData, keyData }: Readonly<Record<string, unknown>>): boolean | null {
  if (typeof delegationSigned === 'boolean') return delegationSigned;
  if (delegationSigned === 'true' || delegationSigned === 'false') return delegationSigned === 'true';
  return listIn(dsData).length > 0 || listIn(keyData).length > 0 ? true : null;
}

/** jCard (RFC 7095): ["vcard", [["fn", {}, "text", "Name"], ...]]. */
function registrarOf(reply: DomainReply): unknown {
  const { vcardArray: card } =
    listIn(reply.entities)
      .map(fieldsOf)
      .find(({ roles }) => [roles].flat().includes('registrar')) ?? {};
  const properties = Array.isArray(card) && Array.isArray(card[1]) ? card[1] : [];
  const name = properties.find((field: unknown) => Array.isArray(field) && field[0] === 'fn') as
    | readonly unknown[]
    | undefined;
  return name?.[3];
}

export const rdap = defineSource({
  name: 'rdap',
  title: 'RDAP',
  doc: 'https://www.rfc-editor.org/rfc/rfc9083',
  family: 'registry_rdap',
  tier: 'registry',
  reliability: 0.98,
  bases: { main: 'https://data.iana.org' },
  terms: {
    redistribute: true,
    keepBodyDays: 30,
    note: 'registries require that it is not used for marketing; personal data is not kept as observations',
  },
  budget: { perMinute: 30, burst: 6, concurrency: 4, shareSeconds: 3_600 },
  timeoutMs: 8_000,
  provides: { domain_registration: 1 },
  endpoints: [
    endpoint({
      name: 'bootstrap',
      doc: '/rdap/dns.json: servers by top-level domain; shared for an hour',
      plan: ({ registrableDomain }) => (registrableDomain ? [{ domain: registrableDomain }] : []),
      request: () => ({ path: '/rdap/dns.json' }),
      reply: Bootstrap,
      learn: (reply, params): Record<string, Json> => {
        const server = rdapServerOf(reply, String(params.domain));
        return server === null ? {} : { 'rdap.server': server };
      },
    }),
    endpoint({
      name: 'domain',
      doc: '{server}domain/{name}: events, registrar, DNSSEC',
      plan: ({ registrableDomain, learned }) =>
        registrableDomain && typeof learned['rdap.server'] === 'string'
          ? [{ domain: registrableDomain, server: learned['rdap.server'] }]
          : [],
      request: (params) => ({
        url: `${String(params.server).slice(0, 400).replace(/\/+$/, '')}/domain/${encodeURIComponent(String(params.domain))}`,
      }),
      reply: Domain,
      classify: (reply, _meta, { domain }) =>
        isAbout(reply, domain) ? { outcome: 'ok' } : { outcome: 'error_reply', detail: ABOUT_ANOTHER },
      observe,
    }),
  ],
});

/** The RDAP server that IANA's bootstrap file names for the domain's last label; null when it names none with https. */
export function rdapServerOf(bootstrap: unknown, domain: string): string | null {
  const suffix = domain.split('.').at(-1) ?? '';
  const services = (bootstrap as { readonly services?: unknown } | null)?.services;
  if (!Array.isArray(services)) return null;
  const service = (services as readonly unknown[]).find(
    (row) =>
      Array.isArray(row) &&
      Array.isArray(row[0]) &&
      row[0].some((name: unknown) => String(name).toLowerCase() === suffix),
  ) as readonly [unknown, unknown] | undefined;
  const servers = Array.isArray(service?.[1]) ? (service[1] as readonly unknown[]) : [];
  const server = servers.find((url) => typeof url === 'string' && url.startsWith('https://'));
  return typeof server === 'string' ? server.slice(0, 300) : null;
}
