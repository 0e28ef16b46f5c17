import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { factsOf, factsOfCoin } from '../../sandbox/drive.ts';
import type { FacadeReply } from '../../sandbox/facade.ts';
import { FACADES } from '../../sandbox/facades/index.ts';
import { KEPT_DAYS, writeRegisters } from '../../sandbox/registers.ts';
import { createScene, type Scene } from '../../sandbox/scene.ts';
import { createWorld, type World, type WorldName } from '../../sandbox/world/world.ts';
import { agree } from '../../src/consensus/agree.ts';
import type { SourceOutcome } from '../../src/domain/evidence.ts';
import type { Observation } from '../../src/domain/observation.ts';
import type { Rating } from '../../src/domain/rating.ts';
import type { Json } from '../../src/domain/result.ts';
import { DAY_MS } from '../../src/domain/statistics.ts';
import { keptHeaders, readReply } from '../../src/evidence/read-reply.ts';
import { loadMethodology } from '../../src/methodology/load.ts';
import { rate } from '../../src/rating/rate.ts';
import { useOwnRegisters } from '../../src/registers/load.ts';
import { SOURCES } from '../../src/sources/index.ts';
import type { Endpoint, Facts, Params, Source } from '../../src/sources/source.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
interface Played {
  readonly world: World;
  readonly scene: Scene;
  /** Registers of the world as they stand, and as they were when nobody looked at them again. */
  readonly registers: string | null;
  readonly expired: string | null;
}
const worlds = new Map<WorldName, Played>();

/** A world with its registers, made once. */
function worldOf(name: WorldName) {
  const known = worlds.get(name);
  if (known) return known;
  const world = createWorld({ seed: 1, anchor: NOW, name });
  const registersOf = (anchor: number) => {
    if (name === 'earth') return null;
    const folder = mkdtempSync(join(tmpdir(), 'assay-registers-'));
    writeRegisters({ anchor, assets: world.assets }, folder);
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };
  const made = {
    world,
    scene: createScene(world, NOW, () => 1),
    registers: registersOf(world.anchor),
    expired: registersOf(NOW - (KEPT_DAYS + 90) * DAY_MS),
  };
  worlds.set(name, made);
  return made;
}

const methodology = loadMethodology();
const ROUNDS = 8;

/** A request as the party that answers it sees it. */
export interface Asked {
  readonly source: string;
  readonly endpoint: string;
  readonly params: Params;
  readonly host: string;
  readonly base: string;
  readonly path: string;
}

export interface SandboxRating {
  readonly rating: Rating;
  readonly observations: readonly Observation[];
  readonly sources: readonly SourceOutcome[];
  /** Everything that was asked, in order. */
  readonly asked: readonly Asked[];
}

/** How a party bends what it answers; the honest reply comes along. Null: it does not answer at all. */
export type Bend = (asked: Asked, honest: FacadeReply) => FacadeReply | null;

/**
 * Rates an asset of the sandbox's world from the facades of all sources that are on, without sockets: every endpoint is planned
 * again when another one learned something, as a collection does. `bend` lets a party lie; `start` changes what identity knew; `rows`: with the
 * registers of the world, without, or when they expired.
 */
export function rateInSandbox(
  slug: string,
  bend: Bend = (_, honest) => honest,
  start: Partial<Facts> = {},
  name: WorldName = 'fiction',
  rows: boolean | 'expired' = true,
): SandboxRating {
  const { world, scene, registers, expired } = worldOf(name);
  useOwnRegisters(rows === 'expired' ? expired : rows ? registers : null, 'sandbox');
  const asset = world.assets.find((row) => row.slug === slug);
  if (!asset) throw new Error(`no asset ${slug}`);
  const coin = asset.chain === null && asset.isCoin ? factsOfCoin(asset.name, asset.coingeckoId) : null;
  const first = { ...factsOf(asset), ...coin, ...start };
  const done = new Set<string>();
  const asked: Asked[] = [];
  const observations: Observation[] = [];
  const outcomes = new Map<string, SourceOutcome>();
  let learned: Record<string, Json> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    const facts: Facts = { ...first, learned };
    const wanted = SOURCES.filter((source) => source.enabledByDefault && source.name !== 'tls').flatMap((source) =>
      source.endpoints
        .filter((endpoint) => endpoint.role === 'observe')
        .flatMap((endpoint) => endpoint.plan(facts).map((params) => ({ source, endpoint, params }))),
    );
    for (const { source, endpoint, params } of wanted) {
      const key = `${source.name} ${endpoint.name} ${JSON.stringify(params)}`;
      if (done.has(key)) continue;
      done.add(key);
      const read = ask({ source, endpoint, params, bend, asked, scene });
      observations.push(...(read?.observations ?? []));
      outcomes.set(
        source.name,
        counted(source.name, outcomes.get(source.name), endpoint.name, read?.outcome ?? 'timeout'),
      );
      learned = { ...learned, ...read?.learned };
    }
  }
  const asOf = new Date(NOW).toISOString();
  const rating = rate(
    {
      request: {
        type: 'posttge',
        project: asset.name,
        projectUrl: asset.url,
        tokenSymbol: asset.symbol,
        category: null,
        blockchain: asset.chain,
        tokenAddress: asset.address,
      },
      identification: {
        asset: {
          id: `${asset.chain}:${asset.address}`,
          chain: asset.chain,
          address: coin === null ? asset.address : null,
          symbol: asset.symbol,
          name: asset.name,
          category: asset.category,
          website: asset.url,
        },
        stage: 'post_tge',
        registrableDomain: asset.domain,
        keys: first.keys,
        match: 0.9,
        links: [],
        contradictions: [],
        rejected: [],
        notes: [],
      },
      consensus: agree(observations, methodology, asOf),
      sources: [...outcomes.values()],
      peers: [],
      driverDays: [],
      previous: null,
      history: null,
      asOf,
    },
    methodology,
  );
  return { rating, observations, sources: [...outcomes.values()], asked };
}

function counted(
  name: string,
  known: SourceOutcome | undefined,
  endpoint: string,
  outcome: SourceOutcome['outcome'],
): SourceOutcome {
  const isAnswer = outcome === 'ok' || outcome === 'empty' || outcome === 'not_found';
  return {
    name,
    outcome: known?.outcome === 'ok' ? 'ok' : outcome,
    milliseconds: 1,
    observations: 0,
    asked: (known?.asked ?? 0) + 1,
    answered: (known?.answered ?? 0) + (isAnswer ? 1 : 0),
    failures: [...(known?.failures ?? []), ...(isAnswer ? [] : [{ endpoint, outcome }])],
    detail: null,
  };
}

function ask({
  source,
  endpoint,
  params,
  bend,
  asked,
  scene,
}: {
  readonly source: Source;
  readonly endpoint: Endpoint;
  readonly params: Params;
  readonly bend: Bend;
  readonly asked: Asked[];
  readonly scene: Scene;
}) {
  const spec = endpoint.request(params);
  const url = new URL(spec.url ?? `http://sandbox.invalid${spec.path ?? '/'}`);
  for (const [name, value] of Object.entries(spec.query ?? {}))
    if (value !== undefined) url.searchParams.append(name, String(value));
  const host = spec.url === undefined ? '' : url.hostname;
  const name = host === 'rdap.registry.example' ? 'rdap' : host.endsWith('.example') ? 'website' : source.name;
  const question = {
    source: name,
    endpoint: endpoint.name,
    params,
    host,
    base: spec.base ?? 'main',
    path: url.pathname,
  };
  asked.push(question);
  // A kept list is no party that could bend what it answers.
  const honest = endpoint.made
    ? { json: endpoint.made(params) }
    : FACADES[name]?.(
        {
          source: name,
          base: question.base,
          method: spec.method ?? (spec.body === undefined ? 'GET' : 'POST'),
          path: url.pathname,
          query: url.searchParams,
          body: spec.body ?? null,
          host,
        },
        scene,
      );
  const reply = honest === undefined ? null : bend(question, honest);
  if (reply === null) return null;
  const meta = {
    status: reply.status ?? 200,
    headers: keptHeaders({ 'content-type': reply.contentType ?? 'application/json', ...reply.headers }),
    fetchedAt: new Date(NOW).toISOString(),
    url: url.href,
  };
  const body = Buffer.from(reply.text ?? JSON.stringify(reply.json ?? null));
  return readReply(source, endpoint, params, body, meta, `${source.name}.${endpoint.name}#${asked.length}`);
}

/** Features of a rating by id: points and state. */
export function featureOf(rating: Rating, id: string) {
  const found = rating.factors.flatMap((factor) => factor.features).find((row) => row.id === id);
  if (!found) throw new Error(`no feature ${id}`);
  return found;
}
