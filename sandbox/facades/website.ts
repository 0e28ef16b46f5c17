import { DAY_MS } from '../../src/domain/statistics.ts';
import type { Facade, FacadeReply } from '../facade.ts';
import { iso, matchPath } from '../facade.ts';
import type { Scene } from '../scene.ts';
import { checksummed } from '../world/addresses.ts';
import { auditReportUrl } from '../world/firms.ts';
import { hasSpace, membersOf, spaceOf } from '../world/ties.ts';
import type { SandboxAsset } from '../world/types.ts';
import { written } from './written_site.ts';

/** A project's own site, chosen by host name: several pages with typical content. */
export const website: Facade = ({ path, host, query }, scene) => {
  const domain = host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^(www|docs|app|testnet)\./, '');
  const asset = scene.world.byDomain(domain)[0];
  if (!asset) return audits(domain, path);
  if (!asset.traits.site)
    return { status: 503, text: '<h1>503 Service Unavailable</h1>', contentType: 'text/html; charset=utf-8' };
  const open = visitorsPage(asset, path, query);
  if (open) return open;
  if (asset.pages) return written(asset, asset.pages, path, host);
  const good = asset.grade !== 'bad' && asset.grade !== 'dying';
  switch (path.replace(/\/$/, '') || '/') {
    case '/':
      return html(asset, 'Home', home(scene, asset));
    case '/docs':
      return html(
        asset,
        'Docs',
        `<h1>${asset.name} documentation</h1><p>Architecture, contracts, parameters and how to run a client.</p>${tokenLine(scene, asset)}`,
      );
    case '/whitepaper':
      return good
        ? html(
            asset,
            'Whitepaper',
            `<h1>${asset.name}: whitepaper</h1><p>Version 1.2. Abstract. We describe the mechanism, its risks and its limits.</p>`,
          )
        : missing();
    case '/tokenomics':
      return html(asset, 'Tokenomics', tokenomics(asset));
    case '/team':
      return asset.traits.team === 'anonymous' ? missing() : html(asset, 'Team', team(asset));
    case '/security':
      return html(asset, 'Security', security(asset));
    case '/governance':
      return good
        ? html(
            asset,
            'Governance',
            '<h1>Governance</h1><p>Proposals pass a vote and then wait in a timelock of 48 hours. Three of five signers are needed.</p>',
          )
        : missing();
    case '/terms':
      return html(asset, 'Terms', '<h1>Terms</h1><p>Use at your own risk. The operator is Example Operations Ltd.</p>');
    case '/reserves':
      return asset.peg === undefined && asset.category !== 'rwa'
        ? missing()
        : html(asset, 'Reserves', reserves(scene, asset));
    case '/.well-known/security.txt':
      return good
        ? {
            text: `Contact: mailto:security@${asset.domain}\nExpires: ${iso(scene.world.anchor + 200 * DAY_MS)}\nPreferred-Languages: en\n`,
            contentType: 'text/plain; charset=utf-8',
          }
        : missing();
    case '/robots.txt':
      return { text: 'User-agent: *\nAllow: /\n', contentType: 'text/plain; charset=utf-8' };
    case '/sitemap.xml':
      return {
        text: `<?xml version="1.0"?><urlset><url><loc>${asset.url}</loc></url></urlset>`,
        contentType: 'application/xml',
      };
    case '/token.json':
      return {
        json: {
          name: asset.name,
          symbol: asset.symbol,
          description: `${asset.name} of a test world.`,
          image: `${asset.url}icon.png`,
          external_url: asset.url,
        },
      };
    default:
      return missing();
  }
};

/**
 * Pages of every site that reflect a visitor's input, as many real sites have them: a search, a forum and an open
 * redirect.
 */
function visitorsPage(asset: SandboxAsset, path: string, query: URLSearchParams): FacadeReply | null {
  const escaped = (words: string) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  if (path === '/search') {
    const words = escaped(query.get('q') ?? '');
    return html(asset, 'Search', `<h1>Search</h1><p>Nothing was found for: ${words}</p>`);
  }
  const post = matchPath(path, '/forum/:post')?.post;
  if (post !== undefined)
    return html(
      asset,
      'Forum',
      `<h1>Forum</h1><article><h2>A visitor writes</h2><p>Official contract: ${escaped(post)}</p></article>`,
    );
  const target = query.get('to');
  if (path === '/go' && target !== null && URL.canParse(target))
    return { status: 302, text: '', headers: { location: new URL(target).href } };
  return null;
}

function missing(): FacadeReply {
  return {
    status: 404,
    text: '<!doctype html><title>Not found</title><h1>404</h1>',
    contentType: 'text/html; charset=utf-8',
  };
}

/** Fictional auditors serve their reports. */
function audits(domain: string, path: string): FacadeReply {
  if (!path.startsWith('/reports/')) return missing();
  return {
    text: `<!doctype html><title>Report - ${domain}</title><h1>Audit report</h1>`,
    contentType: 'text/html; charset=utf-8',
  };
}

function html(asset: SandboxAsset, title: string, body: string): FacadeReply {
  const nav = navigation(asset)
    .map(([label, href]) => `<a href="${href}">${label}</a>`)
    .join(' ');
  const ld = { '@context': 'https://schema.org', '@type': 'Organization', name: asset.name, url: asset.url };
  return {
    contentType: 'text/html; charset=utf-8',
    text: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title === 'Home' ? `${asset.name}${asset.symbol ? ` (${asset.symbol})` : ''}` : `${title} | ${asset.name}`}</title>
<meta name="description" content="${asset.name} is a fictional project of a test world.">
<meta property="og:title" content="${asset.name}"><meta property="og:site_name" content="${asset.name}"><meta property="og:url" content="${asset.url}">
<link rel="canonical" href="${asset.url}"><script type="application/ld+json">${JSON.stringify(ld)}</script></head>
<body><header><nav>${nav}</nav></header><main>${body}</main>
<footer>${socials(asset)}</footer></body></html>`,
  };
}

function navigation(asset: SandboxAsset): readonly (readonly [string, string])[] {
  const good = asset.grade !== 'bad' && asset.grade !== 'dying';
  if (asset.kind === 'site_without_token') return [['Home', '/']];
  return [
    ['Docs', '/docs'],
    ['Tokenomics', '/tokenomics'],
    ...(good
      ? ([
          ['Whitepaper', '/whitepaper'],
          ['Governance', '/governance'],
        ] as const)
      : []),
    ...(asset.traits.team === 'anonymous' ? [] : ([['Team', '/team']] as const)),
    ...(asset.traits.audits.length > 0 ? ([['Security and audits', '/security']] as const) : []),
    ...(asset.peg !== undefined || asset.category === 'rwa' ? ([['Reserves', '/reserves']] as const) : []),
  ];
}

function socials(asset: SandboxAsset): string {
  if (asset.kind === 'site_without_token') return '';
  const handle = asset.handle;
  const links = [
    `<a href="https://x.com/${handle}">X</a>`,
    `<a href="https://t.me/${asset.handle}">Telegram</a>`,
    ...(asset.repo ? [`<a href="https://github.com/${asset.repo}">GitHub</a>`] : []),
    ...(asset.grade === 'bad' ? [] : ['<a href="/terms">Terms</a>']),
    ...(hasSpace(asset) ? [`<a href="https://snapshot.box/#/s:${spaceOf(asset)}">Snapshot</a>`] : []),
    ...(asset.traits.team === 'named' ? [`<a href="https://discord.gg/${handle}">Discord</a>`] : []),
  ];
  return links.join(' ');
}

function tokenLine(scene: Scene, asset: SandboxAsset): string {
  const tokens = scene.world.byDomain(asset.domain).filter((row) => row.chain !== null && row.traits.siteShowsToken);
  return tokens
    .map((row) => {
      const explorer =
        row.chain === 'solana'
          ? `https://solscan.io/token/${row.address}`
          : `${EXPLORERS[row.chain ?? ''] ?? ''}/token/${row.address}`;
      return `<p>Official ${row.symbol} contract on ${row.chain}: <code>${checksummed(row.address)}</code> (<a href="${explorer}">explorer</a>)</p>`;
    })
    .join('');
}

const EXPLORERS: Readonly<Record<string, string>> = {
  ethereum: 'https://etherscan.io',
  base: 'https://basescan.org',
  bsc: 'https://bscscan.com',
  arbitrum: 'https://arbiscan.io',
  optimism: 'https://optimistic.etherscan.io',
  polygon: 'https://polygonscan.com',
};

const PITCH = {
  l1: 'A settlement layer for applications that must not stop.',
  defi: 'Lending and exchange without intermediaries.',
  stablecoin: 'A dollar that is backed one to one.',
  lst: 'Stake and stay liquid.',
  memecoin: 'Only a joke, and everybody knows it.',
  rwa: 'Real assets, held by a regulated custodian, as tokens.',
  gaming: 'A game whose items belong to the players.',
} as const;

function home(scene: Scene, asset: SandboxAsset): string {
  return `<h1>${asset.name}</h1><p>${PITCH[asset.category]}</p>${tokenLine(scene, asset)}`;
}

function tokenomics(asset: SandboxAsset): string {
  if (asset.isCoin) return `<h1>Tokenomics</h1><p>${asset.symbol} is the coin of its own chain.</p>`;
  if (asset.chain === null) return '<h1>Tokenomics</h1><p>There is no token.</p>';
  const insiders = Math.round((1 - asset.circulatingShare) * 60);
  return `<h1>Tokenomics</h1><p>Total supply ${asset.totalSupply.toLocaleString('en-US')} ${asset.symbol}.</p><ul><li>Team ${Math.round(insiders / 2)} %</li><li>Investors ${insiders - Math.round(insiders / 2)} %</li><li>Community ${100 - insiders} %</li></ul><p>Vesting: linear over 36 months after a cliff of 12 months.</p>`;
}

function team(asset: SandboxAsset): string {
  if (asset.traits.team === 'pseudonymous')
    return '<h1>Team</h1><ul><li>wren.eth, founder</li><li>0xmarl, engineering</li></ul>';
  const people = ['Ada Wrenfield, founder', 'Tomas Okonjo, engineering', 'Mira Solvang, operations'];
  const logins = membersOf(asset);
  return `<h1>Team</h1><ul>${people
    .map((person, index) => {
      const handle = person.split(',')[0]?.toLowerCase().replaceAll(' ', '-');
      return `<li>${person} (<a href="https://github.com/${logins[index]}">GitHub</a>, <a href="https://www.linkedin.com/in/${handle}-example">LinkedIn</a>)</li>`;
    })
    .join('')}</ul>`;
}

function security(asset: SandboxAsset): string {
  const reports = asset.traits.audits.map(
    (firm) => `<li><a href="${auditReportUrl(firm, asset.slug)}">Audit report by ${firm}</a></li>`,
  );
  const bounty = asset.traits.bounty
    ? `<p><a href="https://immunefi.com/bug-bounty/${asset.slug}/">Bug bounty</a> of up to $1,000,000.</p>`
    : '';
  return `<h1>Security</h1><ul>${reports.join('')}</ul>${bounty}`;
}

function reserves(scene: Scene, asset: SandboxAsset): string {
  const month = iso(scene.world.anchor - 21 * DAY_MS).slice(0, 10);
  const ratio = asset.kind === 'depegged' ? '0.94' : '1.01';
  return `<h1>Reserves</h1><p>Monthly attestation by Ledgerlight, dated ${month}: reserves over liabilities ${ratio}.</p><p><a href="https://ledgerlight.example/reports/${asset.slug}-reserves.pdf">Attestation report</a>. Redemption at par for verified customers.</p>`;
}
