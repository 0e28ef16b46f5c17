import { findChain } from '../chains/index.ts';
import type { CanonicalRecord, ScoreRequest, Stage } from '../domain/index.ts';
import { landingPage, ownDomain, plainSymbol } from '../sources/index.ts';
import { NO_WEBSITE } from './domains.ts';
import { plainName } from './names.ts';

/**
 * The request that names an asset by its canonical record alone: what every rating for publication is identified and collected
 * by. Without a website the reserved address of `NO_WEBSITE` stands in its place. Identifying by it gives the same record.
 */
export function canonicalRequest(record: CanonicalRecord, stage: Stage): ScoreRequest {
  return {
    type: stage === 'pre_tge' ? 'pretge' : 'posttge',
    project: record.name.value,
    projectUrl: record.website.value ?? NO_WEBSITE,
    tokenSymbol: record.symbol.value,
    category: null,
    blockchain: record.chain,
    tokenAddress: record.address === 'native' ? null : record.address,
  };
}

/** True when two requests name an asset by the same words. */
export function sameRequest(left: ScoreRequest, right: ScoreRequest): boolean {
  const words = (request: ScoreRequest) =>
    JSON.stringify([
      request.type.toLowerCase(),
      request.project,
      request.projectUrl,
      request.tokenSymbol,
      request.blockchain,
      request.tokenAddress,
    ]);
  return words(left) === words(right);
}

/** Characters of a caller's word that are repeated. */
const LONGEST_WORD = 80;

/**
 * In plain words, which of a caller's words differ from the canonical record and what is used instead; [] when they agree.
 * Spellings that mean the same (letter case, `www.`, a path, a chain's alias) are no difference but for a path, which names a
 * page that is not read.
 */
export function differencesOf(request: ScoreRequest, record: CanonicalRecord): readonly string[] {
  const { name, symbol, website, chain, address, categories } = record;
  const differences: string[] = [];
  const differs = (field: string, sent: string, used: string | null) =>
    differences.push(
      used === null
        ? `${field}: ${quoted(sent)} was sent; none is confirmed for the asset, and none is used`
        : `${field}: ${quoted(sent)} was sent; ${quoted(used)} is used, from registries, the chain and the project's own site`,
    );
  if (plainName(request.project) !== plainName(name.value)) differs('project', request.project, name.value);
  if (request.projectUrl !== NO_WEBSITE && !isSameSite(request.projectUrl, website.value))
    differs('project_url', request.projectUrl, website.value);
  const sentSymbol = plainSymbol(request.tokenSymbol);
  if (request.tokenSymbol !== null && sentSymbol !== plainSymbol(symbol.value))
    differs('token_symbol', request.tokenSymbol, symbol.value);
  if (request.category !== null && !categories.value.includes(request.category.trim().toLowerCase()))
    differs('category', request.category, categories.value.length === 0 ? null : categories.value.join(', '));
  const sentChain = request.blockchain === null ? null : (findChain(request.blockchain)?.name ?? request.blockchain);
  if (sentChain !== null && sentChain !== chain) differs('blockchain', request.blockchain ?? '', chain);
  const sentAddress = request.tokenAddress?.trim() ?? null;
  if (sentAddress !== null && sentAddress.toLowerCase() !== address?.toLowerCase())
    differs('token_address', sentAddress, address);
  return differences;
}

/** The same owner's landing page: what differs in scheme, `www.` or letter case is the same page. */
function isSameSite(sent: string, website: string | null): boolean {
  if (website === null || ownDomain(sent) === null) return false;
  const bare = (url: string) => landingPage(url)?.replace('://www.', '://') ?? url;
  if (bare(sent) !== bare(website)) return false;
  const { pathname, search, hash, port } = new URL(sent);
  return pathname === '/' && search === '' && hash === '' && port === '';
}

function quoted(word: string): string {
  const short = word.length > LONGEST_WORD ? `${word.slice(0, LONGEST_WORD)}…` : word;
  return `"${short.toWellFormed().replace(/[\p{Cc}\p{Cf}"]/gu, '')}"`;
}
