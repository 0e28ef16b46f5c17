import { auditReportUrl } from '../firms.ts';
import type { AssetSpec } from '../types.ts';
import { list, manual, member, project } from './project.ts';

/** Projects without a token that a careful reader would rate well, best first. */
export const GOOD_PROJECTS: readonly AssetSpec[] = [
  project({
    name: 'Alderline',
    note: 'everything is disclosed and most of it can be looked up elsewhere: expect BBB, held by the cap for all without a token',
    grade: 'strong',
    category: 'l1',
    ageDays: 1_500,
    listedTvlUsd: 0,
    raisedMillions: 24,
    commits90d: 640,
    contributors: 24,
    audits: ['Hacken', 'Zellic'],
    pages: {
      '/': {
        title: 'Settlement that can be checked',
        body: '<h1>Alderline</h1><p>Alderline is a settlement network for clearing houses. The public testnet is live since March. More than 140,000 unique testnet wallets have used it.</p><p><a href="https://testnet.alderline.example/">Open testnet</a></p><p>We have no token yet, and we do not sell one.</p>',
      },
      '/team': {
        title: 'Team',
        body: `<h1>Team</h1>${list(
          member(
            'Ada Wrenfield',
            'founder and chief executive',
            'Previously a maintainer of the <a href="https://github.com/wrenfield/ledger-core">ledger-core client</a>.',
          ),
          member(
            'Tomas Okonjo',
            'chief engineer',
            'Formerly led storage at <a href="https://fernhollow-systems.example/people">Fernhollow Systems</a>.',
          ),
          member(
            'Mira Solvang',
            'cryptographer',
            'Author of <a href="https://eprint.example/2024/118">a paper on threshold signatures</a>.',
          ),
          member(
            'Iris Calderon',
            'head of operations',
            'Previously at <a href="https://clearing.example/annual-report">the Meridian clearing house</a>.',
          ),
          member(
            'Jonas Reinholt',
            'protocol engineer',
            'Worked on <a href="https://github.com/reinholt/consensus-bench">consensus-bench</a>.',
          ),
        )}<h2>Advisors</h2>${list(
          member('Petra Lindqvist', 'advisor, market structure'),
          member('Samuel Adeyemi', 'advisor, law'),
        )}`,
      },
      '/docs': {
        title: 'Docs',
        body: `<h1>Alderline documentation</h1>${manual('Alderline', ['Consensus', 'Accounts', 'Fees', 'Bridges', 'Clients', 'Checkpoints', 'Recovery', 'Operators'])}`,
      },
      '/tokenomics': {
        title: 'Tokenomics',
        body: `<h1>Tokenomics</h1><p>The total supply is 1,000,000,000 tokens, fixed at genesis.</p>${list(
          'Team 14 %',
          'Investors 12 %',
          'Community and validators 44 %',
          'Treasury 20 %',
          'Public launch and liquidity 10 %',
        )}<p>Tokens of the team and of investors vest over 48 months after a cliff of 12 months.</p><p>The token is used to pay fees and to stake for validators.</p><p>The TGE is not before Q3 2027.</p>`,
      },
      '/security': {
        title: 'Security and audits',
        body: `<h1>Security</h1>${list(
          `<a href="${auditReportUrl('Hacken', 'alderline')}">Audit report by Hacken</a>`,
          `<a href="${auditReportUrl('Zellic', 'alderline')}">Audit report by Zellic</a>`,
        )}<p>Our <a href="https://immunefi.com/bug-bounty/alderline/">bug bounty</a> pays up to $500,000.</p>`,
      },
      '/investors': {
        title: 'Investors',
        body: '<h1>Backing</h1><p>Alderline raised $24 million in a Series A led by Fernhollow Capital with participation from Pebble Ventures (<a href="https://ledger-post.example/alderline-series-a">report</a>).</p>',
      },
      '/terms': {
        title: 'Terms',
        body: '<h1>Terms of use</h1><p>This site is operated by Alderline Stiftung, incorporated in Switzerland, company number CHE-114.283.775. These terms are governed by the laws of Switzerland.</p>',
      },
      '/privacy': { title: 'Privacy', body: '<h1>Privacy</h1><p>We keep request logs for seven days.</p>' },
    },
  }),
  project({
    name: 'Corvid Ledger',
    note: 'live with value locked, registries agree, the token plan is thin: expect BB or better',
    grade: 'healthy',
    ageDays: 760,
    listedTvlUsd: 14e6,
    feesPerDayUsd: 3_100,
    raisedMillions: 7,
    commits90d: 310,
    contributors: 11,
    audits: ['Dedaub'],
    pages: {
      '/': {
        title: 'Loans against inventory',
        body: '<h1>Corvid Ledger</h1><p>Warehouses borrow against what they store. The mainnet beta is live.</p><p><a href="https://app.corvid-ledger.example/">Launch app</a></p><p>There is no token.</p>',
      },
      '/about': {
        title: 'About us',
        body: `<h1>Our team</h1><h3>Helena Marsh</h3><p>Co-founder and CEO. Previously at <a href="https://harbourbank.example/alumni">Harbour Bank</a>.</p><p><a href="https://www.linkedin.com/in/helena-marsh-example">LinkedIn</a></p><h3>Deniz Yaman</h3><p>Co-founder, engineering</p><p><a href="https://github.com/deniz-yaman-example">GitHub</a></p><h3>Ruth Abara</h3><p>Risk lead</p><p><a href="https://www.linkedin.com/in/ruth-abara-example">LinkedIn</a></p>`,
      },
      '/docs': {
        title: 'Docs',
        body: `<h1>Documentation</h1>${manual('Corvid Ledger', ['Vaults', 'Oracles', 'Liquidation', 'Interest'])}`,
      },
      '/security': {
        title: 'Security',
        body: `<h1>Security</h1><p>The contracts were audited by Dedaub: <a href="${auditReportUrl('Dedaub', 'corvid-ledger')}">audit report</a>.</p><p>A bug bounty is offered by mail.</p>`,
      },
      '/press': {
        title: 'Press',
        body: '<h1>Press</h1><p>Corvid Ledger closed a $7 million seed round led by Fernhollow Capital.</p>',
      },
      '/terms': {
        title: 'Terms',
        body: '<h1>Terms</h1><p>Corvid Ledger is a product of Corvid Warehousing Ltd, registered in England and Wales.</p>',
      },
    },
  }),
  project({
    name: 'Bramblegate',
    note: 'well disclosed, in no registry: the site and its repository are all there is, expect lower trust than Alderline; an explorer shows its test network in use',
    grade: 'healthy',
    ageDays: 620,
    commits90d: 280,
    contributors: 9,
    testnet: { network: 'base_sepolia', address: '0x51c7a0f2d3b84e96a1d05c3f7b2e8849d6170ab3', transactions: 41_300 },
    pages: {
      '/': {
        title: 'Private voting',
        body: '<h1>Bramblegate</h1><p>Bramblegate counts votes without seeing them. Our public testnet is open to everybody; 8,200 testnet users cast a vote so far.</p><p><a href="https://testnet.bramblegate.example/">Try the testnet</a></p><p>Every vote is cast through <a href="https://sepolia.basescan.org/address/0x51C7a0f2D3b84E96a1D05c3F7b2E8849d6170aB3">our ballot contract on Base Sepolia</a>.</p>',
      },
      '/team': {
        title: 'Team',
        body: `<h1>The team</h1>${list(
          member(
            'Leonor Vasconcelos',
            'founder',
            'Previously at <a href="https://uni-braga.example/staff">the University of Braga</a>.',
          ),
          member('Kofi Mensah', 'engineering'),
          member(
            'Anneke de Vries',
            'research',
            'Author of <a href="https://eprint.example/2023/902">a paper on mix nets</a>.',
          ),
        )}`,
      },
      '/docs': {
        title: 'Docs',
        body: `<h1>Docs</h1>${manual('Bramblegate', ['Ballots', 'Tallying', 'Keys', 'Audits'])}`,
      },
      '/tokenomics': {
        title: 'Token',
        body: `<h1>Token distribution</h1><p>Total supply: 100 million tokens.</p>${list('Team 18%', 'Investors 15%', 'Community 47%', 'Treasury 20%')}<p>Team and investor tokens vest linearly over 36 months.</p><p>Tokens are used for governance and to pay tally fees.</p>`,
      },
      '/security': {
        title: 'Security',
        body: `<h1>Security</h1><p><a href="${auditReportUrl('Halborn', 'bramblegate')}">Audit report by Halborn</a></p>`,
      },
      '/imprint': {
        title: 'Imprint',
        body: '<h1>Imprint</h1><p>Bramblegate Unipessoal Lda and Bramblegate Foundation, registered in Portugal, registration number 514-882-110.</p>',
      },
    },
  }),
  project({
    name: 'Kiefernwald',
    note: 'a site in German and Chinese: fewer facts are found, none wrong',
    grade: 'healthy',
    ageDays: 540,
    commits90d: 190,
    contributors: 6,
    testnet: { network: 'sepolia', address: '0x8e2f6b1c94d03a75e8b6c1f0a27d9350be46c18d', transactions: 2_750 },
    pages: {
      '/': {
        title: 'Energie, ehrlich abgerechnet',
        body: '<h1>Kiefernwald</h1><p>Kiefernwald rechnet Strom zwischen Nachbarn ab. Das öffentliche Testnet ist offen.</p><p>松林网络让邻居之间结算电力。测试网已经上线。</p><p><a href="https://testnet.kiefernwald.example/">Testnet</a></p><p><a href="https://eth-sepolia.blockscout.com/address/0x8e2f6b1c94d03a75e8b6c1f0a27d9350be46c18d">Abrechnungsvertrag</a></p>',
      },
      '/team': {
        title: 'Team',
        body: `<h1>Team</h1>${list(
          'Jörg Bäßler, Gründer (<a href="https://www.linkedin.com/in/joerg-baessler-example">LinkedIn</a>)',
          '王小明，创始人 (<a href="https://www.linkedin.com/in/wang-xiaoming-example">LinkedIn</a>)',
          'Élodie Lefèvre, Forschung (<a href="https://orcid.org/0000-0000-0000-0000">ORCID</a>)',
        )}`,
      },
      '/docs': {
        title: 'Docs',
        body: `<h1>Dokumentation</h1>${'<p>Der Zähler meldet jede Viertelstunde. Die Abrechnung prüft die Summe, schreibt sie in das Buch und meldet Abweichungen an beide Seiten.</p>'.repeat(24)}<p>${'每十五分钟上报一次读数，结算合约核对总和并写入账本。'.repeat(20)}</p>`,
      },
      '/impressum': {
        title: 'Impressum',
        body: '<h1>Impressum</h1><p>Kiefernwald Energie GmbH, registered in Germany, registration number HRB-218-664.</p>',
      },
    },
  }),
];
