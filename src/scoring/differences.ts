import type { ScoreRequest } from '../domain/identification.ts';
import type { ScoreReport } from '../domain/report.ts';
import { NO_WEBSITE } from './canonical-request.ts';

const LONGEST = 120;

/**
 * What a caller said otherwise than the registries, the chain and the verified site do: one sentence each. None of it is used
 * for the rating; it only found the asset. Empty for evidence from before collections, which used all of it.
 */
export function differences(asked: ScoreRequest, { evidence }: ScoreReport): readonly string[] {
  if (evidence.purpose === undefined) return [];
  const { request } = evidence;
  const { asset } = evidence.identification;
  return [
    ...(isSame(asked.project, request.project)
      ? []
      : [`the registries call it ${short(request.project)}; the name you gave is not used`]),
    ...websiteDifference(asked.projectUrl, request.projectUrl),
    ...(asked.tokenSymbol === null || asset.symbol === null || isSame(asked.tokenSymbol, asset.symbol)
      ? []
      : [`its symbol is ${short(asset.symbol)}; the one you gave is not used`]),
    ...(asked.category === null ? [] : ['the category you gave is not used: registries and chain decide it']),
  ];
}

function websiteDifference(given: string, known: string): readonly string[] {
  if (known === NO_WEBSITE) return ['no registry names a website for it; the url you gave is not used'];
  return isSame(pageOf(given), pageOf(known))
    ? []
    : [`the website the registries name is ${short(known)}; the url you gave is not used`];
}

/** Host without `www` and path; scheme, query and a slash at the end make no other page. */
function pageOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, port, pathname, search } = new URL(url);
  return `${hostname.replace(/^www\./, '')}${port === '' ? '' : `:${port}`}${pathname.replace(/\/+$/, '')}${search}`;
}

function isSame(one: string, other: string): boolean {
  const fold = (text: string) => text.trim().replace(/^\$/, '').normalize('NFKC').toLowerCase();
  return fold(one) === fold(other);
}

function short(text: string): string {
  const plain = text.replace(/\p{C}/gu, '?');
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST)}...` : plain;
}
