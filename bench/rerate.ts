import { loadMethodology } from '../src/methodology/load.ts';
import { buildReport, encodeReport } from '../src/scoring/pipeline.ts';
import { worldEvidence } from './world-evidence.ts';

/** Ratings a second from archived evidence on one core: consensus, rating, technical view, publication. */
const SECONDS = 8;
const methodology = loadMethodology();
const evidence = await worldEvidence();
const observations = evidence.reduce((sum, one) => sum + one.observations.length, 0) / evidence.length;
for (const one of evidence) buildReport(one, methodology);
const until = performance.now() + SECONDS * 1000;
const startedAt = performance.now();
const cpu = process.cpuUsage();
let ratings = 0;
while (performance.now() < until) {
  for (const one of evidence) buildReport(one, methodology);
  ratings += evidence.length;
}
const { user } = process.cpuUsage(cpu);
const seconds = (performance.now() - startedAt) / 1000;
console.log(
  JSON.stringify({
    assets: evidence.length,
    observations_each: Math.round(observations),
    ratings_per_second: Math.round(ratings / seconds),
    ratings_per_cpu_second: Math.round((ratings * 1e6) / user),
    encoded_bytes: Math.round(
      evidence.reduce((sum, one) => sum + encodeReport(buildReport(one, methodology)).length, 0) / evidence.length,
    ),
  }),
);
process.exit(0);
