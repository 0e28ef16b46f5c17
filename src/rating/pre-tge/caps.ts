import type { Flag } from '../../domain/index.ts';
import type { CapCandidate } from '../arithmetic/caps.ts';
import { type Context, consensusOf } from '../context.ts';
import { auditsOf } from './legal.ts';
import { hasPublicCode } from './product.ts';
import type { SiteRecord, Statement } from './site-record.ts';

/** Flags that cap a project without a token as they cap one with it (methodology 3.4). */
const BY_FLAG: Readonly<Record<string, string>> = {
  IMPERSONATION: 'IMPERSONATION',
  EXPLOIT_UNRESOLVED: 'EXPLOIT_UNRESOLVED',
  REGULATORY_ACTION: 'REGULATORY_ACTION',
  SANCTIONS_EXPOSURE: 'SANCTIONS',
};
const HIDDEN_SALE = 'PRE_TGE_HIDDEN_SALE';

/** Caps of methodology 3.5, and those of 3.4 that need no token. */
export function preTgeCaps(context: Context, site: SiteRecord, flags: readonly Flag[]): readonly CapCandidate[] {
  const fromFlags = flags.flatMap((flag) => {
    const code = BY_FLAG[flag.code];
    return code !== undefined && flag.confidence >= context.methodology.capConfidence.enough
      ? [{ code, flag: flag.code, detail: flag.detail }]
      : [];
  });
  const sale = hiddenSale(context, site);
  return [
    { code: 'PRE_TGE', flag: null, detail: 'there is no market record before the token' },
    ...(isUnproven(context, site)
      ? [
          {
            code: 'PRE_TGE_UNPROVEN_CODE',
            flag: null,
            detail: 'neither public code that names the project nor an audit that its firm confirms',
          },
        ]
      : []),
    ...(flags.some((flag) => flag.code === 'TEAM_ANONYMOUS') && consensusOf(context, 'raises') === null
      ? [
          {
            code: 'PRE_TGE_ANONYMOUS',
            flag: 'TEAM_ANONYMOUS',
            detail: 'nobody is named and no independent list has a raise',
          },
        ]
      : []),
    ...(sale === null ? standingSale(context, site) : [{ code: HIDDEN_SALE, flag: null, detail: sale.detail }]),
    ...fromFlags,
  ];
}

function isUnproven(context: Context, site: SiteRecord): boolean {
  return !hasPublicCode(context) && auditsOf(context, site).confirmed.length === 0;
}

/** Once seen, a hidden sale stands while pages of the site are not shown: that it cannot be checked does not make it false. */
function standingSale(context: Context, site: SiteRecord): readonly CapCandidate[] {
  const stood = context.input.standingCaps?.includes(HIDDEN_SALE) === true;
  return stood && (site.lost > 0 || !site.isRead)
    ? [{ code: HIDDEN_SALE, flag: null, detail: 'seen before; the pages it was seen on are not shown now' }]
    : [];
}

/** The site claims that there is no token, and sells one or shows where it trades. Both sentences are its own. */
export function hiddenSale(
  context: Context,
  site: SiteRecord,
): { readonly detail: string; readonly statements: readonly Statement[] } | null {
  const [claim] = site.of('no_token');
  const [sale] = site.of('token_sale');
  if (claim === undefined) return null;
  const traded = tradedAddress(context);
  if (sale === undefined)
    return traded === null
      ? null
      : { detail: `the site states “${short(claim)}” and links to where ${traded} trades`, statements: [claim] };
  return {
    detail: `the site states “${short(claim)}” and “${short(sale)}”`,
    statements: [claim, sale],
  };
}

/** An address of a token on the site's links to exchanges. */
function tradedAddress(context: Context): string | null {
  const { value } = consensusOf(context, 'site_contract_addresses') ?? { value: null };
  for (const row of Array.isArray(value) ? (value as readonly unknown[]) : []) {
    const { via, address } = (typeof row === 'object' && row !== null ? row : {}) as Readonly<Record<string, unknown>>;
    if (via === 'dex' && typeof address === 'string') return address;
  }
  return null;
}

function short({ fact }: Statement): string {
  return fact.sentence.length > 90 ? `${fact.sentence.slice(0, 89)}…` : fact.sentence;
}
