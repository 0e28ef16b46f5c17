import { DAY_MS } from '../../src/domain/statistics.ts';
import { type Facade, iso, matchPath } from '../facade.ts';
import type { Scene } from '../scene.ts';
import type { SandboxAsset } from '../world/types.ts';

/** RDAP: `main` is IANA's bootstrap; the registry itself replies on the world's own host name. */
export const rdap: Facade = ({ path }, scene) => {
  if (matchPath(path, '/rdap/dns.json') || matchPath(path, '/dns.json')) {
    return {
      json: {
        description: 'RDAP bootstrap file for Domain Name System registrations',
        publication: iso(scene.world.anchor),
        version: '1.0',
        services: [[topLevelsOf(scene), [`https://${RDAP_HOST}/`]]],
      },
    };
  }
  const params = matchPath(path, '/domain/:domain');
  const asset = scene.world.byDomain((params?.domain ?? '').toLowerCase())[0];
  if (!asset)
    return {
      status: 404,
      json: { errorCode: 404, title: 'Not Found', description: ['The domain was not found'] },
      contentType: 'application/rdap+json',
    };
  return { json: domainRecord(scene, asset), contentType: 'application/rdap+json' };
};

/** The registry of all names of the world. */
export const RDAP_HOST = 'rdap.registry.example';

function topLevelsOf({ world }: Scene): readonly string[] {
  const own = world.assets.map(({ domain }) => domain.slice(domain.lastIndexOf('.') + 1));
  return [...new Set(['example', ...own])].sort();
}

function domainRecord(scene: Scene, asset: SandboxAsset) {
  const age = Math.round(asset.domainAgeDays ?? asset.ageDays * 1.15 + 20);
  const event = (eventAction: string, daysAgo: number) => ({
    eventAction,
    eventDate: iso(scene.world.anchor - daysAgo * DAY_MS),
  });
  return {
    objectClassName: 'domain',
    handle: `${asset.rank}_DOMAIN_EXAMPLE`,
    ldhName: asset.domain,
    status: ['client transfer prohibited'],
    rdapConformance: ['rdap_level_0'],
    events: [
      event('registration', age),
      event('expiration', -Math.max(40, 365 - (age % 365))),
      event('last changed', Math.min(age, 90)),
      event('last update of RDAP database', 0),
    ],
    secureDNS: { delegationSigned: asset.grade === 'strong' || asset.grade === 'healthy' },
    nameservers: [{ objectClassName: 'nameserver', ldhName: 'ns1.registry.example' }],
    entities: [
      {
        objectClassName: 'entity',
        handle: '9999',
        roles: ['registrar'],
        vcardArray: [
          'vcard',
          [
            ['version', {}, 'text', '4.0'],
            ['fn', {}, 'text', 'Example Registrar LLC'],
          ],
        ],
      },
    ],
    links: [{ rel: 'self', href: `https://${RDAP_HOST}/domain/${asset.domain}`, type: 'application/rdap+json' }],
  };
}

const TYPES: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  CAA: 257,
  DNSKEY: 48,
  DS: 43,
};

/** DNS over HTTPS, JSON form; both operators serve the same zone. */
export const doh: Facade = ({ query }, scene) => {
  const name = (query.get('name') ?? '').toLowerCase().replace(/\.$/, '');
  const asked = (query.get('type') ?? 'A').toUpperCase();
  const type = TYPES[asked] ?? Number(asked);
  const domain = scene.world.assets
    .map((asset) => asset.domain)
    .find((known) => name === known || name.endsWith(`.${known}`));
  const asset = domain === undefined ? undefined : scene.world.byDomain(domain)[0];
  const answers = asset ? records(asset, name, type).map((data) => ({ name, type, TTL: 300, data })) : [];
  const signed = asset !== undefined && (asset.grade === 'strong' || asset.grade === 'healthy');
  return {
    contentType: 'application/dns-json',
    json: {
      Status: asset ? 0 : 3,
      TC: false,
      RD: true,
      RA: true,
      AD: signed,
      CD: false,
      Question: [{ name, type }],
      ...(answers.length > 0
        ? { Answer: answers }
        : {
            Authority: [
              {
                name: 'example',
                type: 6,
                TTL: 300,
                data: 'ns1.registry.example. hostmaster.registry.example. 1 7200 3600 1209600 300',
              },
            ],
          }),
    },
  };
};

function records(asset: SandboxAsset, name: string, type: number): readonly string[] {
  const good = asset.grade !== 'bad' && asset.grade !== 'dying';
  // 203.0.113.0/24 is the documentation block (RFC 5737): a public address without a host.
  if (type === 1) return [`203.0.113.${1 + (asset.rank % 250)}`];
  if (type === 2) return ['ns1.registry.example.'];
  if (type === 15) return good ? [`10 mail.${asset.domain}.`] : [];
  if (type === 16 && name.startsWith('_dmarc.'))
    return good ? [`"v=DMARC1; p=${asset.grade === 'strong' ? 'reject' : 'quarantine'}"`] : [];
  if (type === 16) return good ? ['"v=spf1 include:mail.example -all"'] : [];
  if (type === 257) return asset.grade === 'strong' ? ['0 issue "ca.example"'] : [];
  return [];
}
