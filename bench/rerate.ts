import { buildReport, encodeReport } from '../src/jobs/pipeline.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { worldEvidence } from './world-evidence.ts';

/** Ratings a second from archived evidence on one core: consensus, rating, technical view, publication; and with its bytes. */
const SECONDS = 8;
const methodology = loadMethodology();
const evidence = await worldEvidence();
const observations = evidence.reduce((sum, one) => sum + one.observations.length, 0) / evidence.length;
for (const one of evidence) buildReport(one, methodology);
const rated = perSecond(() => {
  for (const one of evidence) buildReport(one, methodology);
});
const written = perSecond(() => {
  for (const one of evidence) encodeReport(buildReport(one, methodology));
});
console.log(
  JSON.stringify({
    assets: evidence.length,
    observations_each: Math.round(observations),
    ratings_per_second: rated.clock,
    ratings_per_cpu_second: rated.cpu,
    with_bytes_per_cpu_second: written.cpu,
    encoded_bytes: Math.round(
      evidence.reduce((sum, one) => sum + encodeReport(buildReport(one, methodology)).length, 0) / evidence.length,
    ),
  }),
);
process.exit(0);

function perSecond(round: () => void): { readonly clock: number; readonly cpu: number } {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let ratings = 0;
  while (performance.now() < startedAt + SECONDS * 1000) {
    round();
    ratings += evidence.length;
  }
  const { user } = process.cpuUsage(cpu);
  const seconds = (performance.now() - startedAt) / 1000;
  return { clock: Math.round(ratings / seconds), cpu: Math.round((ratings * 1e6) / user) };
}
