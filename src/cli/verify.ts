import { parseArgs } from 'node:util';
import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { type Expected, type Judged, judgeEas, judgeSolana } from '../attestation/index.ts';
import { AttestationView, RatingProofList, RevocationList } from '../contract/index.ts';
import { BANDS } from '../domain/index.ts';
import { isSignedBy } from '../signing/index.ts';
import { signedBytes, whyNotLogged } from '../transparency/index.ts';
import type { Command } from './context.ts';
import { readDocument } from './export.ts';
import { MANUAL } from './manual.ts';

const HOUR_MS = 3_600_000;
const Keys = Type.Object({
  keys: Type.Array(
    Type.Object({
      kid: Type.String(),
      x: Type.String({ pattern: '^[\\w-]{43}$' }),
      retired_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
  attestation_keys: Type.Optional(Type.Array(Type.Object({ address: Type.String() }))),
});
const Signature = Type.Object({ algorithm: Type.Literal('Ed25519'), key_id: Type.String(), value: Type.String() });
/** A published rating, with the fields that this command reads. */
const RatingShown = Type.Object({
  asset: Type.Object({ id: Type.String() }),
  band: Type.String(),
  score: Type.Union([Type.Number(), Type.Null()]),
  as_of: Type.String(),
  data_mode: Type.Union([Type.Literal('live'), Type.Literal('sandbox')]),
  signature: Signature,
  correction: Type.Optional(Type.Object({ band: Type.String() })),
});
type Keyset = Static<typeof Keys>;
type Json = Readonly<Record<string, unknown>>;

/** Result for a file: its content if it is valid, otherwise the reason. */
type Found = { readonly holds: true; readonly said: Json } | { readonly holds: false; readonly reason: string };

/** The file has none of the forms that this command reads. */
class Unreadable extends Error {}

export const verifyCommand: Command = {
  ...MANUAL.verify,
  async run(args, { terminal }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        keys: { type: 'string' },
        asset: { type: 'string' },
        chain: { type: 'string' },
        'worst-band': { type: 'string', default: 'NR' },
        'max-age': { type: 'string' },
        proof: { type: 'string' },
        revocations: { type: 'string' },
        at: { type: 'string' },
        sandbox: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const [file, ...more] = positionals;
    const worstBand = BANDS.findIndex((band) => band === values['worst-band']);
    const now = values.at === undefined ? Date.now() : Date.parse(values.at);
    const maxAge = values['max-age'] === undefined ? Number.POSITIVE_INFINITY : Number(values['max-age']);
    if (
      file === undefined ||
      more.length > 0 ||
      values.keys === undefined ||
      worstBand < 0 ||
      !(now >= 0 && maxAge > 0)
    ) {
      terminal.err(`usage: ${verifyCommand.usage}`);
      return 64;
    }
    const mode = values.sandbox ? 'sandbox' : 'live';
    let found: Found;
    try {
      const shown = await readJson(file);
      const keys = read(Keys, await readJson(values.keys), `${values.keys}: expected {"keys": [{"kid", "x"}]}`);
      const revocations = values.revocations === undefined ? null : await readJson(values.revocations);
      const proofs = values.proof === undefined ? null : await readJson(values.proof);
      const judge = { ...values, mode, worstBand, now, maxAgeMs: maxAge * HOUR_MS, revocations, proofs, keys } as const;
      if (Value.Check(AttestationView, shown)) found = await ofAttestation(shown, judge);
      else
        found = ofRecord(
          shown,
          read(RatingShown, shown, `${file}: neither a rating nor a record for contracts`),
          judge,
        );
    } catch (error) {
      terminal.err(error instanceof Error ? error.message : String(error));
      return error instanceof Unreadable ? 65 : 66;
    }
    if (values.json) terminal.out(JSON.stringify(found));
    else if (found.holds)
      terminal.out(
        `holds: ${Object.entries(found.said)
          .map(([name, value]) => `${name} ${value}`)
          .join(', ')}`,
      );
    else terminal.err(`does not hold: ${found.reason}`);
    return found.holds ? 0 : 1;
  },
};

interface Judge {
  readonly asset?: string | undefined;
  readonly chain?: string | undefined;
  readonly mode: Expected['mode'];
  readonly worstBand: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly maxAgeMs: number;
  readonly revocations: unknown;
  readonly proofs: unknown;
  readonly keys: Keyset;
}

/** Checks a published rating against its signature, the log, and the caller's requirements. */
function ofRecord(shown: unknown, record: Static<typeof RatingShown>, judge: Judge): Found {
  const { keys, now, mode } = judge;
  const all = shown as Json;
  const { signature, as_of, band, score, asset, correction } = record;
  const key = keys.keys.find(({ kid }) => kid === signature.key_id);
  if (key === undefined) return refused('unknown_key');
  if (!isSignedBy(keys.keys, Buffer.from(signedBytes(all)), signature)) return refused('wrong_signature');
  const asOf = Date.parse(as_of);
  if (key.retired_at && asOf > Date.parse(key.retired_at)) return refused('key_retired_before');
  if (record.data_mode !== mode) return refused('other_mode');
  if (judge.asset !== undefined && judge.asset !== asset.id) return refused('other_asset');
  if (!(asOf <= now)) return refused('not_yet_valid');
  if (now - asOf > judge.maxAgeMs) return refused('too_old');
  const revoked = notBeforeOf(asset.id, null, judge);
  if (typeof revoked === 'string') return refused(revoked);
  if (revoked !== null && asOf < revoked) return refused('revoked');
  // A correction is not signed, so that it can only make the rating worse.
  const places = [band, correction?.band ?? band].map((name) => BANDS.findIndex((one) => one === name));
  if (places.some((place) => place < 0 || place > judge.worstBand)) return refused('band_too_low');
  const said = { asset: asset.id, band, score, as_of, ...(correction && { corrected_to: correction.band }) };
  if (judge.proofs === null) return { holds: true, said };
  const { data } = read(RatingProofList, judge.proofs, '--proof: expected the reply of /v1/rms/{asset}/proofs');
  const tried = data.map((proof) => whyNotLogged(all, proof, keys.keys));
  const logged = tried.find((one) => typeof one === 'object');
  if (logged !== undefined) return { holds: true, said: { ...said, log: logged.origin, logged_before: logged.at } };
  return refused(tried.find((one) => typeof one === 'string' && one !== 'other_record') ?? 'other_record');
}

/** Checks a record for contracts as the contract would, and against the list of revocations. */
async function ofAttestation(shown: Static<typeof AttestationView>, judge: Judge): Promise<Found> {
  const { keys } = judge;
  const assetId = judge.asset ?? shown.asset_id;
  const chain = judge.chain ?? shown.chain;
  const revoked = notBeforeOf(assetId, chain, judge);
  if (typeof revoked === 'string') return refused(revoked);
  const expected = { ...judge, assetId, chain, notBefore: revoked };
  const judged: Judged | null =
    shown.eas !== null
      ? await judgeEas(shown.eas, expected, keys.attestation_keys?.map(({ address }) => address) ?? [])
      : shown.solana !== null
        ? judgeSolana(shown.solana, expected, keys.keys)
        : null;
  if (judged === null) throw new Unreadable('the record has neither `eas` nor `solana`');
  if (!judged.holds) return judged;
  if (judge.now - judged.asOf > judge.maxAgeMs) return refused('too_old');
  const { band, score, trust, asOf, expiresAt, record } = judged;
  const [as_of, expires_at] = [asOf, expiresAt].map((at) => new Date(at).toISOString());
  // The reply repeats the signed bytes as text, which must agree with them.
  const { claim } = shown;
  const isSame =
    claim.band === band && claim.score === score && claim.trust === trust && claim.record_sha256 === record;
  if (!isSame || shown.as_of !== as_of || shown.expires_at !== expires_at) return refused('claim_differs');
  return {
    holds: true,
    said: { asset: assetId, chain, band: BANDS[band], score: score / 10, trust: trust / 10, as_of, expires_at },
  };
}

/**
 * Time from which records of the asset are valid according to the signed list; null if all are. A string gives the
 * reason why the list proves nothing.
 */
function notBeforeOf(
  assetId: string,
  chain: string | null,
  { revocations, keys, mode }: Judge,
): number | null | string {
  if (revocations === null) return null;
  const list = read(RevocationList, revocations, '--revocations: expected the reply of /v1/log/revocations');
  const signature = read(Signature, list.signature, '--revocations: the list has no signature');
  if (!isSignedBy(keys.keys, Buffer.from(signedBytes(revocations as Json)), signature)) return 'revocations_not_signed';
  if (list.data_mode !== mode || (chain !== null && list.chain !== chain)) return 'revocations_of_another_place';
  const line = list.data.find((one) => one.asset_id === assetId);
  if (line === undefined && (list.after !== null || list.next_cursor !== null)) return 'revocations_not_whole';
  return line?.not_before ?? null;
}

async function readJson(place: string): Promise<unknown> {
  const text = await readDocument(place);
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreadable(`${place} is not JSON`);
  }
}

function read<Schema extends TSchema>(schema: Schema, value: unknown, complaint: string): Static<Schema> {
  if (!Value.Check(schema, value)) throw new Unreadable(complaint);
  return value;
}

const refused = (reason: string): Found => ({ holds: false, reason });
