import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startSandbox } from '../sandbox/server.ts';
import { sandboxConfig, sandboxResolver } from '../sandbox/settings.ts';
import { CHAINS } from '../src/chains/index.ts';
import { NO_KEYS } from '../src/domain/asset.ts';
import { bindSources } from '../src/evidence/book.ts';
import { createBulkLists } from '../src/evidence/bulk.ts';
import { collect } from '../src/evidence/collect.ts';
import { createJobRequester } from '../src/evidence/requester.ts';
import { geckoterminal } from '../src/sources/geckoterminal.ts';
import { createUpstream } from '../src/upstream/client.ts';

/**
 * Requests to GeckoTerminal for assets of one chain that are collected at once, by jobs of their own, with its request budget
 * in force on both sides: requests, replies, and how long the requests waited for their slot. `--pace 20` runs twenty times
 * as fast; seconds are reported unscaled. `--seconds`: the time of a job; `--apart`: seconds between
 * the starts of two jobs.
 */
const { values } = parseArgs({
  options: {
    assets: { type: 'string', default: '16' },
    chain: { type: 'string', default: 'solana' },
    pace: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '900' },
    apart: { type: 'string', default: '0' },
  },
});
const pace = Number(values.pace);
const jobMs = (Number(values.seconds) * 1000) / pace;
const sandbox = await startSandbox({
  seed: 1,
  port: 0,
  host: '127.0.0.1',
  now: Date.now,
  copies: 200,
  limits: pace,
});
const chain = CHAINS.find((row) => row.name === values.chain) ?? null;
const wanted = sandbox.world.tokens.filter((asset) => asset.chain === chain?.name).slice(0, Number(values.assets));
const book = bindSources([geckoterminal], sandboxConfig(sandbox).sources);
const upstream = createUpstream({ resolver: sandboxResolver(sandbox), userAgent: 'assay-bench' });
upstream.setBudget('geckoterminal', { ...geckoterminal.budget, perMinute: geckoterminal.budget.perMinute * pace });
const bulk = createBulkLists({ book, upstream, now: Date.now });

const startedAt = performance.now();
const jobs = await Promise.all(
  wanted.map(async (asset, index) => {
    await sleep((index * Number(values.apart) * 1000) / pace);
    const requester = createJobRequester({
      book,
      upstream,
      bulk,
      now: Date.now,
      ticks: () => performance.now(),
      deadlineAt: performance.now() + jobMs,
      signal: AbortSignal.timeout(jobMs),
      traceparent: null,
      onReply: () => undefined,
    });
    await collect(requester, book, {
      project: asset.name,
      symbol: asset.symbol,
      chain,
      address: asset.address,
      websiteUrl: null,
      registrableDomain: null,
      keys: NO_KEYS,
      learned: {},
    });
    return requester.replies().map(({ record }) => record);
  }),
);
const tookMs = performance.now() - startedAt;

const rows = jobs.flat();
const questions = Object.fromEntries(
  [...new Set(rows.map((row) => row.endpoint))].sort().map((endpoint) => {
    const mine = rows.filter((row) => row.endpoint === endpoint);
    const answered = mine.filter((row) => row.outcome === 'ok');
    const waited = answered.map((row) => ((row.waitedMs ?? 0) / 1000) * pace).sort((a, b) => a - b);
    return [
      endpoint,
      {
        asked: mine.length,
        answered: answered.length,
        waitedSeconds: {
          median: Math.round(waited[(waited.length - 1) >> 1] ?? 0),
          most: Math.round(waited.at(-1) ?? 0),
        },
      },
    ];
  }),
);
const requests = sandbox.requests.get('geckoterminal') ?? 0;
const refused = sandbox.refused.get('geckoterminal') ?? 0;
const seconds = Math.round((tookMs / 1000) * pace);
console.log(
  JSON.stringify({ chain: chain?.name, assets: wanted.length, seconds, requests, refused, questions }, null, 1),
);
await upstream.close();
await sandbox.close();
process.exit(0);
