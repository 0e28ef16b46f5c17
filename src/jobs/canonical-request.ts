import type { Asset, CanonicalRecord, Identification, ScoreRequest, Stage } from '../domain/index.ts';
import { asciiDomain, canonicalRequest, NO_WEBSITE } from '../identity/index.ts';

/** The request by which an asset is collected that an identification found: of its canonical record. */
export function requestOfFound({ canonical, asset, stage }: Identification): ScoreRequest {
  return canonical === undefined ? requestOfAsset(asset) : canonicalRequest(canonical, stage);
}

/** The same by a record that was kept. */
export function requestOfRecord(record: CanonicalRecord): ScoreRequest {
  return canonicalRequest(record, stageOf(record.assetId, record.symbol.value));
}

/** The same for an asset of which no record is kept (rated before records were): of its id, its token and its domain. */
export function requestOfAsset(asset: Asset): ScoreRequest {
  const stage = stageOf(asset.id, asset.symbol);
  // The domain alone: path, query and subdomain of a stored address may be a caller's.
  const domain = stage === 'pre_tge' ? asset.id.slice('project:'.length) : asciiDomain(asset.website ?? '');
  return {
    type: stage === 'pre_tge' ? 'pretge' : 'posttge',
    project: asset.name,
    projectUrl: domain === null ? NO_WEBSITE : `https://${domain}/`,
    tokenSymbol: asset.symbol,
    category: null,
    blockchain: asset.chain,
    tokenAddress: asset.address === 'native' ? null : asset.address,
  };
}

/** Only a project without a token has an id by its domain and no symbol. */
function stageOf(assetId: string, symbol: string | null): Stage {
  return assetId.startsWith('project:') && symbol === null ? 'pre_tge' : 'post_tge';
}
