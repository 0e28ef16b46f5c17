import { auditReportUrl } from '../firms.ts';
import type { AssetSpec } from '../types.ts';
import { NIGHTJAR_PAPER } from './paper.ts';
import { list, manual, member, project } from './project.ts';

/** Projects without a token that lack something essential, each something else. */
export const MIDDLING_PROJECTS: readonly AssetSpec[] = [
  project({
    name: 'Elmsworth',
    note: 'pseudonyms of three years, public code, no raise: named enough not to be anonymous would be wrong; expect the cap for anonymous teams',
    ageDays: 1_000,
    commits90d: 95,
    contributors: 3,
    pages: {
      '/': {
        title: 'A name service',
        body: '<h1>Elmsworth</h1><p>Names that nobody can take away. The testnet is live and open to all.</p><p><a href="https://app.elmsworth.example/">Open app</a></p>',
      },
      '/team': {
        title: 'Team',
        body: `<h1>Team</h1>${list('wren.eth, founder', '0xmarl, engineering', 'tallow.eth, design')}`,
      },
      '/docs': { title: 'Docs', body: `<h1>Docs</h1>${manual('Elmsworth', ['Names', 'Leases', 'Resolvers'])}` },
      '/audits': {
        title: 'Audit',
        body: `<h1>Audit</h1><p><a href="${auditReportUrl('Zellic', 'elmsworth')}">Audit report by Zellic</a></p>`,
      },
    },
  }),
  project({
    name: 'Fallowby',
    note: 'named team and a listed raise, no public code, an audit that is only claimed: expect the cap for unproven code',
    ageDays: 410,
    listedTvlUsd: 0,
    raisedMillions: 3,
    pages: {
      '/': {
        title: 'Insurance for harvests',
        body: '<h1>Fallowby</h1><p>Fallowby pays when it does not rain. A closed beta runs with two cooperatives; join the waitlist.</p><p>Our contracts have been audited by Hacken.</p>',
      },
      '/team': {
        title: 'Team',
        body: `<h1>Team</h1>${list(member('Graham Tolliver', 'founder'), member('Nadia Rahimi', 'product'), 'Owen Pritchard, operations')}<h2>Advisors</h2>${list(member('Ellen Brandt', 'advisor'))}`,
      },
      '/tokenomics': {
        title: 'Tokenomics',
        body: `<h1>Tokenomics</h1><p>Max supply 500,000,000.</p>${list('Team and founders 22 %', 'Investors 28 %', 'Community 50 %')}<p>Insider tokens vest over 24 months.</p>`,
      },
      '/terms': {
        title: 'Terms',
        body: '<h1>Terms</h1><p>Fallowby Labs Pte. Ltd. is incorporated in Singapore.</p>',
      },
      '/news': {
        title: 'News',
        body: '<h1>News</h1><p>Fallowby raised $3 million in a seed round led by Pebble Ventures.</p>',
      },
    },
  }),
  project({
    name: 'Gannet Works',
    note: 'working code by nobody in particular and no raise: expect the cap for anonymous teams; it links a contract that nobody uses',
    ageDays: 260,
    commits90d: 120,
    contributors: 2,
    testnet: { network: 'sepolia', address: '0x2b90d4f7a6e135c8806f2d1b47ce95a3f0d81e62', transactions: 0 },
    pages: {
      '/': {
        title: 'Order matching',
        body: '<h1>Gannet Works</h1><p>An order book in a rollup. Testnet is live.</p><p><a href="https://testnet.gannet-works.example/">Open testnet</a></p><p>Orders settle in <a href="https://sepolia.etherscan.io/address/0x2b90d4f7a6e135c8806f2d1b47ce95a3f0d81e62#code">this contract</a>.</p>',
      },
      '/about': {
        title: 'About',
        body: '<h1>About</h1><p>We are a group of engineers who prefer to let the code speak. Nobody here wants to be famous.</p>',
      },
      '/docs': { title: 'Docs', body: `<h1>Docs</h1>${manual('Gannet Works', ['Orders', 'Matching'])}` },
      '/security': { title: 'Security', body: '<h1>Security</h1><p>Mail us when you find something.</p>' },
    },
  }),
  project({
    name: 'Nightjar',
    note: 'sells its token openly and says so: no hidden sale, no cap for one; what the token is for and when it comes stands in a paper in PDF',
    ageDays: 330,
    commits90d: 60,
    contributors: 4,
    pages: {
      '/': {
        title: 'Streaming for radio',
        body: '<h1>Nightjar</h1><p>Stations are paid by the minute. The public testnet is live.</p><p><a href="https://testnet.nightjar.example/">Testnet</a></p>',
      },
      '/team': {
        title: 'Team',
        body: `<h1>Team</h1>${list(member('Yusuf Demir', 'founder'), member('Clara Whitcombe', 'engineering'))}`,
      },
      '/sale': {
        title: 'Token sale',
        body: '<h1>Token sale</h1><p>The public sale is open until the end of the month. Read the terms before you take part.</p>',
      },
      '/tokenomics': {
        title: 'Tokenomics',
        body: `<h1>Tokenomics</h1><p>Total supply 250,000,000.</p>${list('Team 20 %', 'Public sale 30 %', 'Community 40 %', 'Treasury 10 %')}<p>The team's tokens vest over 24 months.</p>`,
      },
      '/terms': {
        title: 'Terms',
        body: '<h1>Terms</h1><p>Nightjar Audio OÜ, registered in Estonia, company number 16-448-201.</p>',
      },
      '/whitepaper.pdf': { title: 'Whitepaper', body: '', paper: NIGHTJAR_PAPER },
    },
  }),
  project({
    name: 'Larkspur Mint',
    note: 'an honest site with one page of ten megabytes: that page is left out, the others are read',
    ageDays: 480,
    commits90d: 80,
    contributors: 4,
    pages: {
      '/': {
        title: 'Coupons',
        body: '<h1>Larkspur Mint</h1><p>Coupons that a shop can honour offline. The public testnet is live.</p><p><a href="https://testnet.larkspur-mint.example/">Testnet</a></p>',
      },
      '/team': {
        title: 'Team',
        body: `<h1>Team</h1>${list(member('Beatriz Fontes', 'founder'), member('Oskar Nyberg', 'engineering'))}`,
      },
      '/tokenomics': {
        title: 'Tokenomics',
        body: '<h1>Tokenomics</h1><p>Total supply 1,000,000.</p>',
        bytes: 10_000_000,
      },
      '/docs': { title: 'Docs', body: `<h1>Docs</h1>${manual('Larkspur Mint', ['Coupons', 'Shops'])}` },
    },
  }),
  project({
    name: 'Mossgrave',
    note: 'a site that scripts fill in: next to nothing can be read, and its silence counts for nothing',
    ageDays: 300,
    commits90d: 45,
    contributors: 2,
    pages: {
      '/': { title: 'App', body: '<div id="root"></div><script>render("Team: Ada Wrenfield, founder")</script>' },
      '/team': { title: 'Team', body: '<div id="root"></div>' },
      '/docs': { title: 'Docs', body: '<div id="root"></div>' },
    },
  }),
];
