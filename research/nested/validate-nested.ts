import type { Result } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import { methodologyVersions } from '../../src/methodology/index.ts';
import { membersOf } from '../members.ts';
import { sampleOf, seededRandom } from '../random.ts';
import { scoreMember } from '../score-member.ts';
import type { Mapping, Member, Refusal, Table } from '../types.ts';
import { type Candidate, meanOf, placesOf } from './choose.ts';
import { nestedOf } from './nested.ts';
import type { AcrossFiles, NestedReport } from './types.ts';
import { type Variant, variantsOf } from './variants.ts';

const FOLDS = { outer: 5, inner: 5 };
const SHUFFLES = 20;
/** Members that are rated by every variant; more are sampled. */
const MOST_MEMBERS = 50_000;

/** The nested report of one file with known outcomes; null without outcomes. Seeded: the same bytes each time. */
export function validateNested(
  { mapping, table }: { readonly mapping: Mapping; readonly table: Table },
  methodology: Methodology,
  settings: { readonly seed: number; readonly bootstrap: number },
  onProgress: (done: number) => void,
): Result<NestedReport | null, { refusal: Refusal }> {
  if (mapping.outcome === null) return { ok: true, value: null };
  const read = membersOf(table, mapping);
  if (!read.ok) return read;
  const random = seededRandom(settings.seed);
  const members = sampleOf(read.value.members, MOST_MEMBERS, random);
  const variants = variantsOf(methodology, keptBefore(methodology));
  const candidates = variants.map((variant, at) => {
    onProgress(at / variants.length);
    return candidateOf(variant, members, mapping);
  });
  const plan = { ...FOLDS, bootstrap: settings.bootstrap, shuffles: SHUFFLES, random };
  return { ok: true, value: nestedOf(candidates, members, plan) };
}

/** What each file gets when the other files choose: the best mean AUC of the variants there. Empty for a single file. */
export function acrossFiles(
  reports: readonly { readonly name: string; readonly nested: NestedReport }[],
): readonly AcrossFiles[] {
  if (reports.length < 2) return [];
  return reports.map(({ name, nested }) => {
    const others = reports.filter((row) => row.name !== name).map((row) => row.nested);
    const means = nested.variants.map((_, at) => meanOf(others.map((own) => own.variants[at]?.auc ?? null)) ?? 0.5);
    const best = means.reduce((least, auc, at) => (auc > (means[least] ?? 0) ? at : least), 0);
    return {
      dataSet: name,
      chosen: nested.variants[best]?.name ?? '',
      auc: nested.variants[best]?.auc ?? 0.5,
      inForce: nested.variants[0]?.auc ?? 0.5,
    };
  });
}

/** Older versions, newest first. */
function keptBefore(methodology: Methodology): readonly Methodology[] {
  return methodologyVersions()
    .filter((row) => row.hash !== methodology.hash)
    .map((row) => ({ ...(JSON.parse(row.json) as Omit<Methodology, 'hash'>), hash: row.hash }));
}

/** Members with the same facts at the same moment have the same score: each such set is rated once. */
function candidateOf({ name, methodology }: Variant, members: readonly Member[], mapping: Mapping): Candidate {
  const known = new Map<string, { readonly published: number; readonly ranked: number }>();
  const scores = members.map((member) => {
    const key = JSON.stringify([member.features, member.quantities, member.featureAt]);
    const found = known.get(key);
    if (found !== undefined) return found;
    const { score, uncapped } = scoreMember(member, mapping, methodology);
    const own = { published: score, ranked: Math.round(score * 10) * 1_000 + uncapped };
    known.set(key, own);
    return own;
  });
  return {
    name,
    published: placesOf(scores.map((row) => row.published)),
    ranked: placesOf(scores.map((row) => row.ranked)),
  };
}
