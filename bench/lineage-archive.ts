import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPast, unpackedPast } from '../sandbox/past/load.ts';
import { PAST_END } from '../sandbox/past/story.ts';
import { type PlantedArchive, type PlantSettings, plantCopies, thingOf, unitOf } from '../sandbox/planted-copies.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { agree } from '../src/consensus/agree.ts';
import { type Collection, LINEAGE_RULES } from '../src/consensus/lineage/claims.ts';
import { type LineageReport, lineageOf } from '../src/consensus/lineage/report.ts';
import { canonicalScope, consensusKey, type EvidenceRecord } from '../src/domain/index.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { newestEvidence } from '../src/store/archive.ts';
import { connect } from '../src/store/database.ts';
import { openDatabase } from '../src/store/embedded.ts';
import { noObjectStore } from '../src/store/moved.ts';
import { type Counts, f1, short, summed, type Together } from './lineage.ts';

/**
 * The check of lineage groups on the archive of the sandbox's past (30 days): its report on the archive as it is, how many planted copies it finds among the
 * archive's own sources, and the error of the consensus while a third of them is wrong together, with the pairs learned on the
 * first half and without, on the second (docs/lineage.md).
 */
const methodology = loadMethodology();
/** Fewer than half of the sources of any subject: more would be the consensus, and nothing in the archive could show the error. */
const MINORITY = 0.45;
const ANY: Omit<PlantSettings, 'seed'> = {
  mostOfThing: MINORITY,
  density: 0.4,
  errors: 0.15,
  copied: [0.4, 0.9],
  graph: 'any',
  common: 0.2,
};
const TOGETHER: Omit<PlantSettings, 'seed'> = { ...ANY, density: 0.28, graph: 'one', copied: [0.85, 0.95] };

async function archiveOfPast(): Promise<readonly Collection[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-lineage-'));
  await chmod(folder, 0o755);
  const database = await openDatabase({ databaseUrl: null, dataDir: folder, role: 'service', log: () => undefined });
  try {
    const sandboxClockSeconds = Math.round((PAST_END - Date.now()) / 1_000);
    const settings = serviceOnSandbox({ url: 'http://127.0.0.1:1' }, { dataDir: folder, sandboxClockSeconds });
    await loadPast(settings, database.url, await unpackedPast(settings.dataDir));
    const store = connect(database.url);
    const collections: Collection[] = [];
    for await (const record of newestEvidence(store.db, 100_000, noObjectStore)) {
      const { identification, asOf, observations } = JSON.parse(new TextDecoder().decode(record)) as EvidenceRecord;
      collections.push({ assetId: identification.asset.id, asOf, observations });
    }
    await store.close();
    return collections.sort((a, b) => (a.asOf < b.asOf ? -1 : 1));
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Found extends Counts {
  /** Missed copies with fewer copied wrong figures than the check requires. */
  readonly tooFew: number;
}

/** Edges of a report compared with the planted ones. */
function found({ planted }: PlantedArchive, { edges }: LineageReport): Found {
  const key = (a: string, b: string) => [a, b].sort().join(' ');
  const wanted = new Set(planted.map(({ copy, of }) => key(copy, of)));
  const right = edges.filter(({ units: [a, b] }) => wanted.has(key(a, b))).length;
  const seen = new Set(edges.map(({ units: [a, b] }) => key(a, b)));
  const tooFew = planted.filter(
    ({ copy, of, wrongCopied }) => !seen.has(key(copy, of)) && wrongCopied < LINEAGE_RULES.leastShared,
  ).length;
  return { right, wrong: edges.length - right, missed: wanted.size - right, tooFew };
}

/** Subjects of the second half about which at least a third of the sources state one wrong figure. */
function wrongTogether({ collections, planted, truthOf }: PlantedArchive): Together {
  const half = Math.floor(collections.length / 2);
  const { copying } = lineageOf(collections.slice(0, half), methodology);
  const third = new Set(planted.flatMap(({ copy, of }) => [copy, of]));
  const sums = { items: 0, wrong: [0, 0] as [number, number], distance: [0, 0] as [number, number] };
  for (const [at, { observations, asOf }] of collections.entries()) {
    if (at < half) continue;
    const sets = [agree(observations, methodology, asOf, []), agree(observations, methodology, asOf, copying)] as const;
    for (const [thing, rows] of Map.groupBy(observations, thingOf)) {
      const [first] = rows;
      const truth = truthOf(at, thing);
      const scope = first === undefined ? null : canonicalScope(first.scope);
      if (first === undefined || scope === null || Number.isNaN(truth)) continue;
      const noise = methodology.consensus.classes[methodology.consensus.classOf[first.quantity]]?.noise ?? 1;
      const apart = (value: unknown) => Math.abs(Math.log(Number(value) / truth)) / noise;
      const sources = new Set(rows.map(unitOf));
      const wrong = rows.filter((row) => third.has(unitOf(row)) && apart(row.value) > 3);
      const together = new Set(wrong.map(unitOf)).size;
      if (together < 2 || 3 * together < sources.size || new Set(wrong.map(({ value }) => value)).size > 1) continue;
      sums.items += 1;
      for (const which of [0, 1] as const) {
        const value = sets[which][consensusKey(first.quantity, scope)]?.value;
        const distance = typeof value === 'number' && value > 0 ? apart(value) : 50;
        if (distance > 3) sums.wrong[which] += 1;
        sums.distance[which] += Math.min(50, distance);
      }
    }
  }
  return sums;
}

const collections = await archiveOfPast();
const asItIs = lineageOf(collections, methodology);
const first = Number(process.env.ASSAY_BENCH_SEED ?? 3_001);
const seeds = Array.from({ length: Number(process.env.ASSAY_BENCH_REPEATS ?? 10) }, (_, index) => first + index);
const kinds = [
  { errors: 0.15 },
  { errors: 0.3 },
  { errors: 0.15, copied: [0.85, 0.95] as const },
  { errors: 0.3, copied: [0.85, 0.95] as const },
  { errors: 0.15, mostOfThing: 1 },
  { errors: 0.3, mostOfThing: 1 },
].map((own) => {
  const rows = seeds.map((seed) => {
    const planted = plantCopies(collections, methodology, { ...ANY, ...own, seed });
    return found(planted, lineageOf(planted.collections, methodology));
  });
  const sum = (key: keyof Found) => rows.reduce((all, row) => all + row[key], 0);
  const all = { right: sum('right'), wrong: sum('wrong'), missed: sum('missed'), tooFew: sum('tooFew') };
  return { ...own, ...all, f1: short(f1(all)), f1_by_seed: rows.map((row) => short(f1(row))) };
});
const none = seeds.map((seed) => {
  const planted = plantCopies(collections, methodology, { ...ANY, density: 0, seed });
  return lineageOf(planted.collections, methodology).edges.length;
});
const together = [0.1, 0.2, 0.3].flatMap((errors) =>
  [MINORITY, 1].map((mostOfThing) => {
    const rows = seeds.map((seed) =>
      wrongTogether(plantCopies(collections, methodology, { ...TOGETHER, errors, mostOfThing, seed })),
    );
    return {
      errors,
      mostOfThing,
      ...summed(rows),
      ratio_by_seed: rows.map((row) => short(row.distance[1] / row.distance[0])),
    };
  }),
);
const { archive, edges, copying } = asItIs;
console.log(
  JSON.stringify({ seeds, as_it_is: { archive, edges, copying }, kinds, without_copies: none, together }, null, 1),
);
