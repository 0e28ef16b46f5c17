import type { FastifyRequest } from 'fastify';
import type { ApiKey } from '../../access/index.ts';
import type { Result } from '../../domain/index.ts';
import type { RatedAsset } from '../../monitoring/index.ts';
import { readRatedText } from '../../monitoring/index.ts';
import { type Problem, validationFailed } from '../replies/problems.ts';
import { ratedProblem } from '../rms/problems.ts';

/** The key of a route that has a scope. */
export function keyOf(request: FastifyRequest): ApiKey {
  if (!request.apiKey) throw new Error('a route of an account needs a scope');
  return request.apiKey;
}

/** Whose data a request may see. */
export function accountOf(request: FastifyRequest): string {
  return keyOf(request).accountId;
}

/** A time that was read as RFC 3339, as the store takes it (UTC, milliseconds). Times before 1970 become 1970. */
export function storeTime(text: string): string {
  return new Date(Math.max(0, Date.parse(text))).toISOString();
}

/** Id of the asset that a text means: any id, rated or not, or what rated assets are called. */
export async function assetNamed(
  text: string,
  find: (text: string) => Promise<readonly RatedAsset[]>,
  scoringPath: string,
): Promise<Result<string, { readonly problem: Problem }>> {
  const read = readRatedText(text);
  if (!read.ok)
    return {
      ok: false,
      problem: validationFailed([{ pointer: '/asset', code: 'malformed_asset', detail: read.detail }]),
    };
  if (read.value.kind === 'id') return { ok: true, value: read.value.assetId };
  const candidates = await find(text);
  const [only] = candidates;
  if (only && candidates.length === 1) return { ok: true, value: only.asset.id };
  return {
    ok: false,
    problem: ratedProblem(
      only ? { ok: false, code: 'ambiguous', candidates } : { ok: false, code: 'not_rated', read: read.value },
      scoringPath,
    ),
  };
}
