import fc from 'fast-check';
import type { WorldName } from '../../sandbox/world/world.ts';
import type { EvidenceRecord } from '../../src/domain/evidence.ts';
import type { Rating } from '../../src/domain/rating.ts';
import { archivedEvidence } from './archived-evidence.ts';
import { testService } from './service.ts';
import { MANNERS, ownReplies } from './withheld.ts';

interface Listed {
  readonly name: string;
  readonly url: string;
  readonly symbol: string | null;
  readonly kind: string;
}

/** What a service of its own collects of every asset of a world. */
export async function collectedIn(name: WorldName): Promise<readonly EvidenceRecord[]> {
  const world = await testService({}, name);
  const score = ({ name: project, url, symbol, kind }: Listed) => {
    const type = kind === 'pre_tge' ? 'pretge' : 'posttge';
    const token = symbol && type === 'posttge' ? { token_symbol: symbol } : {};
    return world.call('/v1/score', {
      json: { type, project, project_url: url, ...token },
      headers: { prefer: 'wait=60' },
    });
  };
  try {
    const listed = (await (await fetch(`${world.sandbox.url}/__control/world`)).json()) as readonly Listed[];
    const jobs: string[] = [];
    for (let i = 0; i < listed.length; i += 4)
      await Promise.all(
        listed.slice(i, i + 4).map(async (asset) => {
          const reply = await score(asset);
          if (reply.status === 200) jobs.push(String(((await reply.json()) as { job_id: string }).job_id));
        }),
      );
    return await archivedEvidence(world.dataDir, jobs);
  } finally {
    await world.close();
  }
}

/** Any set of the replies a party decides on, each kept back in a manner of its own. */
export function keptBack(evidence: EvidenceRecord) {
  const own = ownReplies(evidence);
  const manner = fc.constantFrom(...MANNERS);
  const all = manner.map((one) => own.map((records) => ({ records, manner: one })));
  const one = fc.tuple(fc.constantFrom(...own), manner).map(([records, chosen]) => [{ records, manner: chosen }]);
  const some = fc
    .subarray([...own], { minLength: 1 })
    .chain((chosen) => fc.tuple(...chosen.map((records) => manner.map((how) => ({ records, manner: how })))));
  return fc.oneof(all, one, some);
}

/** Caps of a rating that another one has nothing as low in place of. */
export function liftedCaps(
  before: Pick<Rating, 'caps'>,
  now: readonly { readonly code: string; readonly cap: number }[],
): readonly string[] {
  return before.caps
    .filter(({ code, cap }) => !now.some((one) => one.code === code || one.cap <= cap))
    .map(({ code }) => code);
}
