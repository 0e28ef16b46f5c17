import type { FacadeReply } from './facade.ts';

/** A project of other people: the repository of the sandbox's busiest asset. */
export const BUSY_REPOSITORY = 'tidewell-labs/tidewell-core';

/** Firms to whose hosts anyone can link. */
const FIRM_PAGES: readonly string[] = [
  'https://www.certik.com/audits/best',
  'https://hacken.io/audits/fictional-report-of-tidewell',
  'https://www.openzeppelin.com/security-audits',
  'https://www.trailofbits.com/reports/',
  'https://halborn.com/audits/fictional-report-of-tidewell',
  'https://quantstamp.com/audits',
  'https://zellic.io/audits/fictional-report-of-tidewell',
  'https://dedaub.com/audits/fictional-report-of-tidewell',
];

/** Links that a page can copy without cost. */
export const BORROWED = {
  repository: `<a href="https://github.com/${BUSY_REPOSITORY}">Source code</a>`,
  audits: FIRM_PAGES.map((url) => `<a href="${url}">Audit report</a>`).join(' '),
  team: '<a href="https://www.linkedin.com/in/jane-doe-example">Jane</a> <a href="https://www.linkedin.com/in/john-doe-example">John</a>',
  governance: '<a href="https://snapshot.box/#/s:lumenfall.eth">Governance: vote on Snapshot</a>',
} as const;

/** The same page with borrowed links at its end; a missing page stays missing. */
export function withBorrowedLinks(reply: FacadeReply, links: readonly string[]): FacadeReply {
  const text = reply.text;
  return text === undefined || reply.status === 404 || !text.includes('</main>')
    ? reply
    : { ...reply, text: text.replace('</main>', `<p>${links.join(' ')}</p></main>`) };
}

/** A team page of two strangers, and a way to it. */
export const TEAM_LINK = '<a href="/team">Team</a>';
export function borrowedTeam(): FacadeReply {
  return {
    contentType: 'text/html; charset=utf-8',
    text: `<!doctype html><title>Team</title><main><h1>Team</h1><p>Meet the people who build it every day.</p>${BORROWED.team}</main>`,
  };
}
