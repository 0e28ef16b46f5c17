/**
 * Audit firms and the hosts of their reports. Real firms, because only known firms' hosts get requests to confirm an
 * audit; the reports are fictional (as their URL states), and the sandbox itself serves the hosts: no request leaves
 * the machine.
 */
export const AUDIT_FIRMS: readonly { readonly name: string; readonly host: string }[] = [
  { name: 'Hacken', host: 'hacken.io' },
  { name: 'Halborn', host: 'halborn.com' },
  { name: 'Zellic', host: 'zellic.io' },
  { name: 'Dedaub', host: 'dedaub.com' },
];

/** Address of a fictional report. */
export function auditReportUrl(firm: string, slug: string): string {
  const host = AUDIT_FIRMS.find((row) => row.name === firm)?.host ?? 'ledgerlight.example';
  return `https://${host}/audits/fictional-report-of-${slug}`;
}

/** Location of fictional bounty programmes. */
export const BOUNTY_HOST = 'immunefi.com';

/** Hosts of firms and platforms that the sandbox answers for. */
export const THIRD_PARTY_HOSTS: readonly string[] = [...AUDIT_FIRMS.map((row) => row.host), BOUNTY_HOST];
