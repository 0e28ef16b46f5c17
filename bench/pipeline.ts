import { driveSource, factsOf } from '../sandbox/drive.ts';
import { createScene } from '../sandbox/scene.ts';
import { createWorld } from '../sandbox/world/world.ts';
import { agree } from '../src/consensus/agree.ts';
import type { Identification, ScoreRequest } from '../src/domain/asset.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { rate } from '../src/rating/rate.ts';
import { SOURCES } from '../src/sources/index.ts';

/**
 * Evidence to rating in one thread, compared with the time of JSON.parse for the same observations: the limit for any code
 * that has to read them.
 */
const NOW = Date.UTC(2026, 5, 1, 12);
const ROUNDS = 200;
const world = createWorld({ seed: 1, anchor: NOW });
const scene = createScene(world, NOW, () => 1);
const asset = world.assets.find((row) => row.slug === 'tidewell');
if (!asset) throw new Error('the world has no tidewell');
const facts = factsOf(asset);
const observations = SOURCES.filter((source) => source.enabledByDefault && source.name !== 'tls')
  .flatMap((source) => driveSource(source, facts, scene))
  .flatMap((reply) => reply.observations);
const text = JSON.stringify(observations);
const methodology = loadMethodology();
const asOf = new Date(NOW).toISOString();
const request: ScoreRequest = {
  type: 'posttge',
  project: asset.name,
  projectUrl: asset.url,
  tokenSymbol: null,
  category: null,
  blockchain: null,
  tokenAddress: null,
};
const identification: Identification = {
  asset: {
    id: 'bench',
    chain: asset.chain,
    address: asset.address,
    symbol: asset.symbol,
    name: asset.name,
    category: null,
    website: asset.url,
  },
  stage: 'post_tge',
  registrableDomain: asset.domain,
  keys: facts.keys,
  match: 0.9,
  links: [],
  contradictions: [],
  rejected: [],
  notes: [],
};

const parse = measure(() => JSON.parse(text));
const consensus = measure(() => agree(observations, methodology, asOf));
const agreed = agree(observations, methodology, asOf);
const rating = measure(() =>
  rate({ request, identification, consensus: agreed, sources: [], peers: [], previous: null, asOf }, methodology),
);
console.log(`${observations.length} observations, ${Math.round(text.length / 1024)} KiB, median of ${ROUNDS} rounds`);
console.log(`JSON.parse  ${parse.toFixed(3)} ms (limit)`);
console.log(`consensus   ${consensus.toFixed(3)} ms, ${(consensus / parse).toFixed(1)} x the limit`);
console.log(`rating      ${rating.toFixed(3)} ms, ${(rating / parse).toFixed(1)} x the limit`);

function measure(work: () => unknown): number {
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}
