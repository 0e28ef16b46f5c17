import type { Asset, Stage } from '../domain/asset.ts';
import type { CanonicalRecord } from '../domain/canonical.ts';
import { findChain } from '../domain/chains.ts';
import type { Identification, ScoreRequest } from '../domain/identification.ts';
import { asciiDomain } from '../identity/domains.ts';

/** Stands in a canonical request for the website of an asset that has none (RFC 6761: `.invalid` never resolves). */
export const NO_WEBSITE = 'https://no-website.invalid/';

/** What is known of an asset without any caller. */
interface Subject {
  readonly assetId: string;
  readonly chain: string | null;
  /** `native` for a chain's own coin. */
  readonly address: string | null;
  readonly name: string;
  readonly symbol: string | null;
  readonly website: string | null;
}

/** The request by which an asset is collected: made of its canonical record, so that no caller's words are in it. */
export function canonicalRequest(record: CanonicalRecord): ScoreRequest {
  return requestOf({
    assetId: record.assetId,
    chain: record.chain,
    address: record.address,
    name: record.name.value,
    symbol: record.symbol.value,
    website: record.website.value,
  });
}

/** The same from an identification: of its canonical record, else of the asset it found and the domain that ties it. */
export function requestOfIdentified({ canonical, asset, registrableDomain: domain }: Identification): ScoreRequest {
  if (canonical !== undefined) return canonicalRequest(canonical);
  return requestOf({ ...plain(asset), website: domain === null ? null : landingPage(domain) });
}

/** The same for an asset of which no record is kept (rated before records were): of its id, its token and its domain. */
export function requestOfAsset(asset: Asset): ScoreRequest {
  return requestOf({ ...plain(asset), website: websiteOf(asset) });
}

/** What a project has: a token, or none yet. Only projects without one have an id by domain and no symbol. */
function stageOf({ assetId, symbol }: Subject): Stage {
  return assetId.startsWith('project:') && symbol === null ? 'pre_tge' : 'post_tge';
}

function requestOf(subject: Subject): ScoreRequest {
  const chain = subject.chain === null ? null : findChain(subject.chain);
  return {
    type: stageOf(subject) === 'pre_tge' ? 'pretge' : 'posttge',
    project: subject.name,
    projectUrl: subject.website ?? NO_WEBSITE,
    tokenSymbol: subject.symbol,
    category: null,
    blockchain: chain?.name ?? null,
    tokenAddress: chain === null || subject.address === 'native' ? null : subject.address,
  };
}

function plain(asset: Asset): Omit<Subject, 'website'> {
  return { assetId: asset.id, chain: asset.chain, address: asset.address, name: asset.name, symbol: asset.symbol };
}

/** The domain alone: path, query and subdomain of a stored address may be a caller's. */
function websiteOf(asset: Asset): string | null {
  if (asset.id.startsWith('project:') && asset.symbol === null) return landingPage(asset.id.slice('project:'.length));
  if (asset.website === null || !URL.canParse(asset.website)) return null;
  const domain = asciiDomain(asset.website);
  return domain === null ? null : landingPage(domain);
}

const landingPage = (domain: string) => `https://${domain}/`;
