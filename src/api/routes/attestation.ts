import canonicalize from 'canonicalize';
import { type Attestations, SCHEMA, type SolanaAttestation } from '../../attestation/index.ts';
import {
  AttestationQuery,
  AttestationView,
  problems,
  type Reply,
  RevocationList,
  RevocationQuery,
} from '../../contract/index.ts';
import type { ApiContext } from '../context.ts';
import { type Problem, refuse } from '../replies/problems.ts';
import { keyed, unkeyed } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetOf, assetPaths, pinnedRating, type RmsRouting } from '../rms/choose-rating.ts';

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

/** GET /v1/rms/{asset}/attestation. */
export function attestationRoutes(server: Routes, routing: RmsRouting, attestations: Attestations): void {
  for (const { path, about } of assetPaths('/attestation'))
    server.get(
      path,
      keyed('rms:read', 'transparency', {
        ...about,
        operationId: 'getAttestation',
        summary: 'The newest rating as a record that a contract checks',
        description:
          'An EAS off-chain attestation for an EVM chain, or an Ed25519 message for a cluster of Solana: for one chain and one asset, with an end. 409 where nothing is signed: no score, expired, corrected, or replaced by a newer rating that the plan is not served yet.',
        querystring: AttestationQuery,
        response: { 200: AttestationView, ...problems(400, 401, 403, 404, 409, 429) },
      }),
      async (request, reply) => {
        const assetId = await assetOf(routing, request, reply);
        if (assetId === null) return reply;
        const { chain } = request.query;
        const rating = await pinnedRating(routing, request, assetId, { asOf: null, methodology: null });
        const signed = await attestations.attest(rating, chain);
        if (signed.kind === 'refused') return refuse(NOT_SIGNED[signed.reason]);
        const { claim } = signed;
        return reply.header('cache-control', 'private, no-store').send({
          asset_id: assetId,
          chain,
          as_of: iso(claim.asOf),
          expires_at: iso(claim.expiresAt * 1000),
          claim: {
            asset: hex(claim.asset),
            band: claim.band,
            score: claim.score,
            trust: claim.trust,
            record_sha256: Buffer.from(claim.record).toString('hex'),
          },
          schema: SCHEMA,
          eas:
            signed.kind === 'eas'
              ? {
                  ...signed.attestation,
                  sig: {
                    ...signed.attestation.sig,
                    types: { Attest: signed.attestation.sig.types.Attest.map((field) => ({ ...field })) },
                  },
                }
              : null,
          solana: signed.kind === 'solana' ? shownEd25519(signed.attestation) : null,
          data_mode: routing.context.dataMode,
        } satisfies Reply<typeof AttestationView>);
      },
    );
}

/** GET /v1/log/revocations. Open: the updater of a contract needs no key. */
export function revocationRoutes(
  server: Routes,
  { dataMode, now }: Pick<ApiContext, 'dataMode' | 'now'>,
  attestations: Attestations,
): void {
  server.get(
    '/v1/log/revocations',
    unkeyed('transparency', {
      operationId: 'listRevocations',
      summary: 'Signed records that no longer hold',
      description:
        'Assets with a newer rating, without one, in default, or whose newest rating was corrected: records of earlier ratings (of a corrected one its own too) are void. Only assets whose earlier records may not be expired yet. Open to everybody; the operator of a contract, or any other party, submits each line to it.',
      querystring: RevocationQuery,
      response: { 200: RevocationList, ...problems(400) },
    }),
    async (request, reply) => {
      const { chain, limit, cursor } = request.query;
      const at = iso(now());
      const found = await attestations.revocations(chain, { after: cursor ?? '', limit: limit + 1 });
      const page = found.slice(0, limit);
      const list = {
        data: page.map(({ assetId, asset, notBefore, reason, revokedAt, eas, solana }) => ({
          asset_id: assetId,
          asset: hex(asset),
          not_before: notBefore,
          reason,
          revoked_at: revokedAt,
          eas,
          solana: solana && shownEd25519(solana),
        })),
        chain,
        as_of: at,
        after: cursor ?? null,
        next_cursor: found.length > limit ? (page.at(-1)?.assetId ?? null) : null,
        data_mode: dataMode,
      };
      const signature = attestations.sign(Buffer.from(canonicalize(list) ?? ''));
      return reply
        .header('cache-control', 'public, max-age=10')
        .send({ ...list, signature } satisfies Reply<typeof RevocationList>);
    },
  );
}

function shownEd25519({ message, signature, keyId, publicKey }: SolanaAttestation) {
  return {
    message: base64(message),
    signature: base64(signature),
    key_id: keyId,
    public_key: base64(publicKey),
  };
}

const NOT_SIGNED: Readonly<Record<'not_rated' | 'expired' | 'revoked' | 'corrected', Problem>> = {
  not_rated: {
    status: 409,
    code: 'nothing_to_sign',
    title: 'The rating has no band or no score',
    detail: 'A record for contracts holds a band and a score; this rating has none (NR, or a project without a token).',
    retry: 'no',
  },
  expired: {
    status: 409,
    code: 'rating_too_old',
    title: 'The newest rating is too old to be signed',
    detail:
      'The record would already be expired. Request a newer rating with fresh=true where the plan has fresh ratings.',
    retry: 'after',
    headers: { 'retry-after': '3600' },
  },
  revoked: {
    status: 409,
    code: 'rating_replaced',
    title: 'A newer rating replaced this one',
    detail:
      'The rating that the plan gets now is revoked for contracts. The plan gets the newer one at the next point of its freshness grid.',
    retry: 'after',
    headers: { 'retry-after': '60' },
  },
  corrected: {
    status: 409,
    code: 'rating_corrected',
    title: 'The newest rating was corrected',
    detail:
      'It was shown to be wrong (GET /v1/restatements), so that nothing is signed until the asset is rated again.',
    retry: 'after',
    headers: { 'retry-after': '3600' },
  },
};
