/**
 * Audit firms and the hosts of their reports. Real firms, because only links to hosts of known firms count as audits;
 * the reports are fiction (their address says so) and no link is ever followed.
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
