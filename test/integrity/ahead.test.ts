import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { serviceOnSandbox } from '../../sandbox/service-settings.ts';
import { sandboxResolver } from '../../sandbox/settings.ts';
import type { SandboxAsset } from '../../sandbox/world/types.ts';
import { createEngine, type Engine } from '../../src/compose/engine.ts';
import type { Identification, ScoreRequest } from '../../src/domain/asset.ts';
import type { EvidenceRecord } from '../../src/domain/evidence.ts';
import { requestOfFound } from '../../src/jobs/attach.ts';
import { createListedPeers } from '../../src/jobs/peers.ts';
import { createJobWork } from '../../src/jobs/score.ts';

/**
 * Evidence is requested ahead, of the asset that the first replies point to (decision 0054). Over the sandbox's world, its impostors and misleading
 * requests included: the evidence is the same as without, and few calls are in vain.
 */
const AT = Date.parse('2026-06-01T12:00:00Z');
const DEADLINE_MS = 60_000;
/** Of all calls, the share that may be made for an asset that turned out not to be meant. */
const MOST_IN_VAIN = 0.05;

let sandbox: Sandbox;
const engines: Engine[] = [];
before(async () => {
  sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: () => AT });
});
after(async () => {
  for (const engine of engines) await engine.close();
  await sandbox.close();
});

/** A collection by a caller's request, as the runner makes it: find the asset, collect it by its record. */
function openTrial(isAhead: boolean) {
  const engine = createEngine(serviceOnSandbox(sandbox, {}), sandboxResolver(sandbox), () => AT);
  engines.push(engine);
  let calls = 0;
  const work = createJobWork({
    book: engine.book,
    upstream: engine.upstream,
    bulk: engine.bulk,
    methodology: engine.methodology,
    dataMode: 'sandbox',
    now: () => AT,
    ticks: () => performance.now(),
    peers: async () => [],
    listedPeers: createListedPeers(engine.bulk, engine.methodology),
    ratedCalled: async () => [],
    driverDays: async () => [],
    previous: async () => null,
    lastScore: async () => null,
    published: async () => null,
    holderScan: async () => null,
    launch: async () => null,
    history: async () => null,
    onRequest: () => {
      calls += 1;
    },
  });
  const tools = { deadlineMs: DEADLINE_MS, signal: new AbortController().signal, emit: () => undefined };
  const ahead = { isWanted: async () => true, mostMs: DEADLINE_MS };
  const collected = async (
    identification: Identification,
    before: Pick<Parameters<typeof work.collect>[1], 'known' | 'early' | 'isBackground'>,
  ) => {
    const job = { id: 'j', request: requestOfFound(identification), assetId: identification.asset.id };
    const outcome = await work.collect(job, { ...tools, ...before, onFound: () => undefined });
    return outcome.ok ? outcome.evidence : outcome.failure.code;
  };
  return {
    calls: () => calls,
    async collect(request: ScoreRequest): Promise<EvidenceRecord | string> {
      const found = await work.find({ id: 'j', request }, isAhead ? { ...tools, early: ahead } : tools);
      if (!found.ok) return found.failure.code;
      return collected(found.identification, { known: found.replies(), early: found.early });
    },
    /** Collects an asset by its record alone, for a caller who waits for it or (without evidence ahead) for nobody. */
    again: (identification: Identification) =>
      collected(identification, { known: [], early: null, isBackground: !isAhead }),
  };
}

/** Lists come in the background: with them in place from the start, when a row is looked up decides nothing. */
async function haveLists({ book, bulk }: Engine): Promise<void> {
  const lists = [...book.values()].flatMap(({ enabled, source }) =>
    enabled
      ? source.endpoints.filter(({ role }) => role === 'bulk').map(({ name }) => [source.name, name] as const)
      : [],
  );
  await Promise.all(lists.map(([source, name]) => bulk.get(source, name, DEADLINE_MS)));
}

const TIMES: ReadonlySet<string> = new Set(['milliseconds', 'executionSeconds', 'waitedMs', 'fromCache']);

/**
 * Without what differs from run to run: how long it took, which of two requests for a shared reply came first, and whether a host that fails was
 * asked once more or left alone after the last failures.
 */
function comparable(evidence: EvidenceRecord | string): unknown {
  return JSON.parse(
    JSON.stringify(evidence, (key, value) => {
      if (TIMES.has(key)) return 0;
      if (key === 'outcome' && value === 'circuit_open') return 'http_error';
      if (key === 'status' && value === 503) return null;
      return key === 'detail' && /the host /.test(value) ? 'the host failed' : value;
    }),
  );
}

function requestsOf(asset: SandboxAsset, index: number, all: readonly SandboxAsset[]): readonly ScoreRequest[] {
  const isToken = asset.chain !== null;
  const plain: ScoreRequest = {
    type: isToken ? 'posttge' : 'pretge',
    project: asset.name,
    projectUrl: asset.url,
    tokenSymbol: asset.symbol === '' ? null : asset.symbol,
    category: null,
    blockchain: null,
    tokenAddress: null,
  };
  // Another asset's address under this one's name and site: what the words point to first need not be what they mean.
  const stranger = all[(index + 7) % all.length];
  const misleading = { ...plain, blockchain: stranger?.chain ?? null, tokenAddress: stranger?.address ?? null };
  const isMisled = index % 5 === 0 && stranger?.chain != null;
  // Sound assets are alike: of them a fifth is enough.
  if (asset.kind === 'healthy' || asset.kind === 'mediocre') return isMisled ? [plain, misleading] : [];
  return isMisled ? [plain, misleading] : [plain];
}

test('the evidence is the same as without, and few requests are useless', async () => {
  const { assets } = sandbox.world;
  const requests = assets.flatMap(requestsOf);
  assert.ok(requests.length >= 35, String(requests.length));
  const [plain, ahead] = [openTrial(false), openTrial(true)];
  await Promise.all(engines.map(haveLists));
  let collected = 0;
  for (const request of requests) {
    const [without, with_] = await Promise.all([plain.collect(request), ahead.collect(request)]);
    assert.deepEqual(comparable(with_), comparable(without), JSON.stringify(request));
    if (typeof without === 'string') continue;
    collected += 1;
    if (collected % 4 !== 0) continue;
    const { identification } = without;
    const [scheduled, waited] = await Promise.all([plain.again(identification), ahead.again(identification)]);
    assert.notEqual(typeof scheduled, 'string', String(scheduled));
    assert.deepEqual(comparable(waited), comparable(scheduled), `${identification.asset.id} again`);
  }
  assert.ok(collected >= 25, `${collected} of ${requests.length}`);
  const inVain = ahead.calls() - plain.calls();
  assert.ok(inVain <= MOST_IN_VAIN * plain.calls(), `${inVain} of ${plain.calls()} calls in vain`);
});
