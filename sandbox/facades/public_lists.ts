import { CHAINS } from '../../src/chains/index.ts';
import { DAY_MS } from '../../src/domain/statistics.ts';
import { citedLicence, readRegister, SHIPPED_FOLDER } from '../../src/registers/index.ts';
import { type Facade, iso, matchPath } from '../facade.ts';
import { DOLLARS_FOR } from '../world/specs-currency.ts';

/** Units for one euro. */
export const PER_EURO = { USD: DOLLARS_FOR.EUR, JPY: 163.36, GBP: 0.8477, CHF: 0.9353 };

/** The European Central Bank's file of today's reference rates, in its format. */
export const ecb: Facade = ({ path }, scene) => {
  if (!matchPath(path, '/stats/eurofxref/eurofxref-daily.xml')) return { status: 404, text: '' };
  const rows = Object.entries(PER_EURO).map(([currency, rate]) => `<Cube currency='${currency}' rate='${rate}'/>`);
  return {
    contentType: 'text/xml',
    text: `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject>
<Cube><Cube time='${iso(scene.now).slice(0, 10)}'>${rows.join('')}</Cube></Cube>
</gesmes:Envelope>`,
  };
};

/** L2BEAT's summary: three real projects, two of them with tokens that the register has. */
export const l2beat: Facade = ({ path }) => {
  if (!matchPath(path, '/api/scaling/summary')) return { status: 404, text: '' };
  const project = (id: string, symbols: readonly string[], stage: string) => ({
    id,
    name: id,
    slug: id,
    type: 'layer2',
    isArchived: false,
    isUnderReview: false,
    tvs: { breakdown: { total: 1e9 }, associatedTokens: symbols },
    stage,
    risks: [
      { name: 'Sequencer Failure', value: 'Self sequence', sentiment: 'good', description: '' },
      { name: 'Exit Window', value: 'None', sentiment: 'bad', description: '' },
    ],
  });
  const projects = {
    arbitrum: project('arbitrum', ['ARB'], 'Stage 1'),
    'op-mainnet': project('op-mainnet', ['OP'], 'Stage 1'),
    base: project('base', [], 'Stage 0'),
  };
  return { json: { chart: { types: [], data: [] }, projects } };
};

const EMT_COLUMNS =
  'ae_competentAuthority,ae_homeMemberState,ae_lei_name,ae_lei,ae_lei_cou_code,ae_commercial_name,ae_address,ae_website,ac_authorisationNotificationDate,ac_authorisationEndDate,ae_exemption48_4,ae_exemption48_5,ae_authorisation_other_emt,ae_DTI_FFG,ae_DTI,wp_url,wp_authorisationNotificationDate,wp_comments,wp_lastupdate';
const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * ESMA's register of e-money tokens of the day: the legal entities whose white papers the register of issuers cites, in
 * both worlds, others of that register without one, and a dozen fictional ones, so that the file has the length of the
 * real one.
 */
export const esma: Facade = ({ path }, scene) => {
  if (!matchPath(path, '/sites/default/files/2024-12/EMTWP.csv')) return { status: 404, text: '' };
  const [year = '', month = '', day = ''] = iso(scene.now).slice(0, 10).split('-');
  const issuers = readRegister(SHIPPED_FOLDER, 'issuers')?.rows ?? [];
  const real = issuers.flatMap((row) =>
    row.lei === undefined ? [] : [{ name: row.issuer, lei: row.lei, paper: citedLicence(row)?.paper ?? 'EMT_NO_WP' }],
  );
  const madeUp = Array.from({ length: 12 }, (_, index) => ({
    name: `Sandbox Money ${index + 1}, UAB`,
    lei: `SANDBOX${String(index).padStart(13, '0')}`,
    paper: `https://money-${index + 1}.example/white-paper.pdf`,
  }));
  const rows = [...real, ...madeUp].map(({ name, lei, paper }) =>
    [
      ...['Authority', 'FR', name, lei, 'FR', name, '1 Street, Town', 'https://issuer.example', '01/07/2024', ''],
      ...['No', 'No', 'Electronic money institution', '', '', paper, '01/07/2024', '', `${day}/${month}/${year}`],
    ]
      .map(quoted)
      .join(','),
  );
  return { contentType: 'text/csv', text: `\uFEFF${[EMT_COLUMNS, ...rows].join('\r\n')}\r\n` };
};

/** The Treasury's files of designated persons: none of the sandbox's assets is on the list. */
export const ofac: Facade = ({ path }) => {
  const file = matchPath(path, '/ofac/downloads/:file')?.file;
  if (file === 'sdn_comments.csv')
    return {
      contentType: 'text/csv',
      text: '1,"; alt. Digital Currency Address - XBT 1SandboxDesignatedPersonAdd2;"\r\n',
    };
  if (file !== 'sdn.csv') return { status: 404, text: '' };
  return {
    contentType: 'text/csv',
    text: '1,"DOE, Jane",individual,"CYBER2",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"Digital Currency Address - ETH 0x00000000000000000000000000000000deadbeef; alt. Digital Currency Address - XBT 1SandboxDesignatedPersonAdd1."\r\n',
  };
};

/** The archive's index: every site of the sandbox has the age of its token; text in seven columns. */
export const wayback: Facade = ({ path, query }, scene) => {
  const domain = query.get('url');
  const asset = scene.world.assets.find((row) => row.domain === domain);
  if (!matchPath(path, '/cdx/search/cdx') || asset === undefined) return { contentType: 'text/plain', text: '' };
  const at = iso(scene.now - asset.ageDays * DAY_MS)
    .replaceAll(/[^0-9]/g, '')
    .slice(0, 14);
  const key = asset.domain.split('.').reverse().join(',');
  return { contentType: 'text/plain', text: `${key})/ ${at} ${asset.url} text/html 200 SANDBOX 1024\n` };
};

/** Immunefi's list: the programme of each asset that has one, with its contract in scope. */
export const immunefi: Facade = ({ path }, scene) => {
  if (!matchPath(path, '/public-api/bounties.json')) return { status: 404, text: '' };
  const programmes = scene.world.assets
    .filter((asset) => asset.traits.bounty)
    .map((asset) => {
      const explorer = CHAINS.find((row) => row.name === asset.chain)?.explorers[0];
      const contract = { type: 'smart_contract', url: `https://${explorer}/token/${asset.address}` };
      return {
        id: asset.slug,
        slug: asset.slug,
        project: asset.name,
        maxBounty: 1_000_000,
        launchDate: iso(scene.now - asset.ageDays * DAY_MS),
        updatedDate: iso(scene.now - 30 * DAY_MS),
        endDate: null,
        inviteOnly: false,
        kyc: false,
        websiteUrl: null,
        programOverview: `More about it at ${asset.url}`,
        assets: [...(explorer === undefined ? [] : [contract]), { type: 'websites_and_applications', url: asset.url }],
        impacts: [{ severity: 'critical' }],
        rewards: [{ severity: 'critical', maxReward: 1_000_000 }],
      };
    });
  return { json: programmes };
};
