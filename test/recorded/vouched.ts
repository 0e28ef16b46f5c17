import { assetId, findChain } from '../../src/chains/index.ts';
import { createEngine } from '../../src/compose/engine.ts';
import type { Identification, ScoreRequest } from '../../src/domain/asset.ts';
import { NO_KEYS } from '../../src/domain/asset.ts';
import type { ScoreReport } from '../../src/domain/evidence.ts';
import { assemble } from '../../src/evidence/assemble.ts';
import { collect } from '../../src/evidence/collect.ts';
import { createJobRequester } from '../../src/evidence/requester.ts';
import { buildReport } from '../../src/jobs/pipeline.ts';
import { nowhere, type Replaying } from './replay-service.ts';
import type { RecordedToken } from './tokens.ts';

/**
 * What the recordings alone say of a token whose identity a person vouches for, by the service's own parts and without
 * identity: how far trust falls for the missing sources only. Never an answer of the service.
 */
export async function rateVouched(
  { config }: Replaying,
  token: RecordedToken,
  clock: string | null,
): Promise<ScoreReport | null> {
  const shift = clock === null ? 0 : Date.parse(clock) - Date.now();
  const now = () => Date.now() + shift;
  const engine = createEngine(config, nowhere, now);
  try {
    const startedAt = now();
    const requester = createJobRequester({
      book: engine.book,
      upstream: engine.upstream,
      bulk: engine.bulk,
      now,
      ticks: () => performance.now(),
      deadlineAt: performance.now() + 20_000,
      signal: AbortSignal.timeout(20_000),
      traceparent: null,
      onReply: () => undefined,
    });
    const request = requestOf(token);
    const identification = vouched(token);
    await collect(requester, engine.book, {
      project: request.project,
      symbol: token.symbol,
      chain: findChain(token.chain ?? ''),
      address: token.address,
      websiteUrl: request.projectUrl,
      registrableDomain: identification.registrableDomain,
      keys: identification.keys,
      learned: {},
    });
    const { isUnanswered, ...parts } = assemble(requester.replies(), engine.book);
    if (isUnanswered) return null;
    return buildReport(
      {
        ...parts,
        schema: 'assay.evidence/1',
        jobId: 'vouched',
        dataMode: 'sandbox',
        request,
        startedAt: new Date(startedAt).toISOString(),
        asOf: new Date(now()).toISOString(),
        executionSeconds: 0,
        methodologyVersion: engine.methodology.version,
        methodologyHash: engine.methodology.hash,
        identification,
        peers: [],
        previous: null,
        warnings: [],
      },
      engine.methodology,
    );
  } finally {
    await engine.close();
  }
}

function requestOf({ title, body, symbol, chain, address }: RecordedToken): ScoreRequest {
  return {
    type: 'posttge',
    project: title,
    projectUrl: body.project_url ?? '',
    tokenSymbol: symbol,
    category: null,
    blockchain: chain,
    tokenAddress: address,
  };
}

function vouched(token: RecordedToken): Identification {
  const chain = findChain(token.chain ?? '');
  const domain = new URL(token.body.project_url ?? '').hostname;
  return {
    asset: {
      id: chain && token.address ? assetId(chain, token.address) : `project:${domain}`,
      chain: chain?.name ?? null,
      address: token.address,
      symbol: token.symbol,
      name: token.title,
      category: null,
      website: token.body.project_url ?? null,
    },
    stage: 'post_tge',
    registrableDomain: domain,
    keys: {
      ...NO_KEYS,
      coingeckoId: token.coingeckoId ?? null,
      deployments: chain && token.address ? [{ chain: chain.name, address: token.address }] : [],
    },
    match: 1,
    links: [],
    contradictions: [],
    rejected: [],
    notes: ['a person vouches for the identity; nothing in the evidence does'],
  };
}
