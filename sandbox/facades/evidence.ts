import { DAY_MS } from '../../src/domain/statistics.ts';
import { type Facade, type FacadeReply, iso, matchPath } from '../facade.ts';
import type { SandboxAsset } from '../world/types.ts';

/** Sources whose findings are shown beside a rating and do not affect it. */

interface Asked {
  readonly queries?: readonly { readonly package?: { readonly ecosystem?: string; readonly name?: string } }[];
  readonly package?: { readonly ecosystem?: string; readonly name?: string };
}

const NONE: FacadeReply = { status: 404, json: { code: 5, message: 'Not Found' } };

/** OSV: every repository but those of bad projects has had two advisories as a Go module, one of them without a fix. */
export const osv: Facade = ({ path, body }, scene) => {
  const asked = (body ?? {}) as Asked;
  const advisories = ({ ecosystem, name }: { readonly ecosystem?: string; readonly name?: string } = {}) => {
    const asset = scene.world.assets.find((row) => row.repo !== null && name === `github.com/${row.repo}`);
    return asset === undefined || asset.grade === 'bad' || ecosystem !== 'Go'
      ? []
      : [1, 2].map((number) => advisory(scene.now, asset, number));
  };
  if (matchPath(path, '/v1/query')) return { json: { vulns: advisories(asked.package) } };
  if (!matchPath(path, '/v1/querybatch')) return NONE;
  const results = (asked.queries ?? []).map((row) => {
    const vulns = advisories(row.package).map(({ id, modified }) => ({ id, modified }));
    return vulns.length === 0 ? {} : { vulns };
  });
  return { json: { results } };
};

function advisory(now: number, asset: SandboxAsset, number: number) {
  const events = [{ introduced: '0' }, ...(number === 1 ? [{ fixed: '1.2.0' }] : [])];
  return {
    id: `GHSA-sand-box${number}-${String(asset.cmcId).padStart(4, '0')}`,
    summary: `A fictional weakness of ${asset.name}`,
    published: iso(now - number * 100 * DAY_MS),
    modified: iso(now - number * 50 * DAY_MS),
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L' }],
    affected: [
      { package: { ecosystem: 'Go', name: `github.com/${asset.repo}` }, ranges: [{ type: 'SEMVER', events }] },
    ],
    database_specific: { severity: number === 1 ? 'HIGH' : 'MODERATE' },
  };
}

/**
 * crt.sh: a strong project is imitated under a forged name and under its own name with a suffix; all have certificates.
 */
export const crt_sh: Facade = ({ query }, scene) => {
  const search = (query.get('q') ?? '').replaceAll('%', '').replace(/\.$/, '');
  if (query.get('output') !== 'json' || search === '')
    return { text: '<!doctype html><title>crt.sh</title>', contentType: 'text/html' };
  const certificate = (domain: string, id: number, days: number) => ({
    issuer_ca_id: 1,
    issuer_name: 'C=XX, O=Sandbox CA',
    common_name: domain,
    name_value: `${domain}\n*.${domain}`,
    id,
    entry_timestamp: iso(scene.now - days * DAY_MS).slice(0, -1),
    not_before: iso(scene.now - days * DAY_MS).slice(0, 19),
    not_after: iso(scene.now + (90 - days) * DAY_MS).slice(0, 19),
    serial_number: `00${id}`,
  });
  const names = [...new Set(scene.world.assets.map((asset) => asset.domain))].flatMap((domain) => {
    const isStrong = scene.world.byDomain(domain).some((asset) => asset.grade === 'strong');
    const [label = '', ...rest] = domain.split('.');
    const imitations = [`${label.replace('l', '1')}.${rest.join('.')}`, `${label}-airdrop.${rest.join('.')}`];
    return [domain, ...(isStrong ? imitations.filter((row) => row !== domain) : [])];
  });
  return { json: names.filter((name) => name.includes(search)).map((name, index) => certificate(name, index + 1, 20)) };
};

/** Safe's service: the accounts that are Safes on the sandbox's chains, three of five owners. */
export const safe: Facade = ({ path }, scene) => {
  const account = matchPath(path, '/tx-service/:network/api/v1/safes/:address')?.address?.toLowerCase();
  const asset = scene.world.tokens.find((row) =>
    ['mint', 'freeze', 'owner', 'admin'].some((role) => row.controller('multisig', role) === account),
  );
  if (asset === undefined || account === undefined) return { status: 404, json: { detail: 'Not found.' } };
  return {
    json: {
      address: account,
      nonce: 12,
      threshold: 3,
      owners: [0, 1, 2, 3, 4].map((index) => asset.controller('eoa', `signer-${index}`) ?? asset.creator),
      masterCopy: '0x41675C099F32341bf84BFc5382aF534df5C7461a',
      modules: [],
      fallbackHandler: '0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99',
      guard: '0x0000000000000000000000000000000000000000',
      version: '1.4.1',
    },
  };
};
