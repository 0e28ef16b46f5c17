import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../replies/problems.ts';
import { FIXED_WORDS, type RmsRouting } from './context.ts';
import { ratedProblem } from './problems.ts';

interface AssetPath {
  readonly path: string;
  readonly isRaw: boolean;
}

/** Paths under which the routes of one asset are reached: its name in one segment, or a CAIP-19 id with its slash as it is. */
export function assetPaths(rest: string): readonly [AssetPath, AssetPath] {
  return [
    { path: `/v1/rms/:asset${rest}`, isRaw: false },
    { path: `/v1/rms/:namespace/:reference${rest}`, isRaw: true },
  ];
}

/** Id of the asset that the path names; null when the reply was sent already, saying why not. */
export async function assetOf(
  routing: RmsRouting,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | null> {
  const { asset, namespace, reference } = request.params as Readonly<Record<string, string>>;
  const isNoAsset = asset === undefined ? !namespace?.includes(':') : FIXED_WORDS.includes(asset);
  if (isNoAsset) {
    reply.callNotFound();
    return null;
  }
  const text = asset ?? `${namespace}/${reference}`;
  const outcome = routing.lookup.peek(text) ?? (reply.mayWait() ? await routing.lookup.find(text) : null);
  if (outcome === null) return null;
  if (outcome.ok) return outcome.assetId;
  sendProblem(reply, ratedProblem(outcome, routing.context.scoringPath));
  return null;
}
