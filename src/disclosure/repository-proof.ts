import { consensusKey, DAY_MS, type Result, type ScoreReport, type Tie, tiesIn } from '../domain/index.ts';
import {
  type Certificate,
  readCertificate,
  readSignature,
  signerOf,
  signerOfText,
  signingKeys,
} from '../openpgp/index.ts';
import { type Challenge, challengeText, type Proved } from './control.ts';

/** The repository that the evidence of a rating ties to the asset. */
export interface TiedRepository {
  /** `owner/name`. */
  readonly name: string;
  /** Creation time in the same evidence, null if unknown. It differs if another owner has since taken the name. */
  readonly createdAt: string | null;
}

/** Data of the repository host, read when a proof is given; none of it comes from the party. */
export interface RepositoryHost {
  /** The repository with exactly this name; a moved one does not count. */
  repository(name: string): Promise<ProofResult<{ readonly ownerIsPerson: boolean; readonly createdAt: string }>>;
  isPublicMember(organisation: string, login: string): Promise<ProofResult<boolean>>;
  /** Armoured public keys of an account that the host does not mark as revoked. */
  keysOf(login: string): Promise<ProofResult<readonly string[]>>;
  /**
   * The newest 100 commits of the default branch between two times whose committer is the account and whose signature
   * the host has verified.
   */
  commitsOf(name: string, login: string, since: string, until: string): Promise<ProofResult<readonly SignedCommit[]>>;
}
type ProofResult<Value> = Result<Value, { readonly detail: string }>;

export interface SignedCommit {
  readonly payload: string;
  /** Armoured OpenPGP signature. */
  readonly signature: string;
  /** First verification by the host, by its clock; RFC 3339. */
  readonly verifiedAt: string;
}

export interface RepositorySignature {
  /** Account of the signer. It proves nothing; it selects whose keys are read. */
  readonly account: string;
  /** Armoured OpenPGP signature of the text of the challenge. */
  readonly signature: string;
}

const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/;
/** A younger repository may have taken over the name of another. */
const LEAST_AGE_DAYS = 90;
/**
 * Required commits of the last year that the key has signed, and the days before the appeal by which the host must have
 * verified them.
 */
const LEAST_COMMITS = 3;
const LEAST_DAYS = 30;
const COMMIT_DAYS = 365;
/** Tolerated difference between the signer's clock and ours, milliseconds. */
const SKEW_MS = 600_000;
/** Accounts of software that commits on behalf of any user. */
const MACHINES = /^web-flow$|\[bot\]$/i;

/**
 * The repository in the ties of a rating's evidence; null if there is none, or several that cannot be distinguished.
 */
export function tiedRepository(report: Pick<ScoreReport, 'consensus'> | null): TiedRepository | null {
  const rows = Object.entries(report?.consensus ?? {}).filter(([key]) => key.split('@')[0] === 'ties');
  const ties = rows.flatMap(([, row]) => tiesIn(row.value)).filter((tie: Tie) => tie.kind === 'repository');
  const confirmed = new Set(
    ties.filter(({ state }) => state === 'confirmed').map(({ subject }) => subject.toLowerCase()),
  );
  // A register may name a whole organisation.
  const named = ties.filter(
    ({ subject }) =>
      REPOSITORY.test(subject) &&
      (confirmed.has(subject.toLowerCase()) || confirmed.has(subject.toLowerCase().split('/')[0] ?? '')),
  );
  const [first, ...others] = new Map(named.map(({ subject }) => [subject.toLowerCase(), subject])).values();
  if (first === undefined || others.length > 0) return null;
  const created = report?.consensus[consensusKey('repo_created_at')];
  const isKnown = created?.status === 'agreed' || created?.status === 'single_source';
  return { name: first, createdAt: isKnown && typeof created.value === 'string' ? created.value : null };
}

/**
 * Checks an OpenPGP signature of the challenge by a person in charge of the repository: its owner, or a public member
 * of the organisation that owns it. The account must list the key at the host, and the key must have signed commits of
 * the repository for some time, so that neither a merged contribution nor a recently hijacked account is enough. Cheap
 * checks come first.
 */
export async function proveByRepository(
  repository: TiedRepository | null,
  challenge: Challenge & { readonly openedAt: string },
  { account, signature: armored }: RepositorySignature,
  host: RepositoryHost,
  now: number,
): Promise<Proved> {
  if (repository === null) return refused('the evidence of the rating ties no repository to the asset');
  if (repository.createdAt === null)
    return refused('the evidence of the rating does not say when the repository was made, so its name proves nothing');
  const signature = readSignature(armored);
  if (signature === null)
    return refused('expected one armoured OpenPGP signature (version 4), detached or below a clear-signed text');
  const openedAt = Date.parse(challenge.openedAt);
  const signedAt = signature.createdAt * 1_000;
  if (signedAt < openedAt - SKEW_MS || signedAt > now + SKEW_MS)
    return refused('expected a signature that was made after the appeal was opened');
  if (signature.expiresAfter !== 0 && signedAt + signature.expiresAfter * 1_000 <= now)
    return refused('the signature is over');
  if (MACHINES.test(account)) return refused('an account of a machine controls nothing');

  const entitled = await roleOf(repository, account, host, openedAt);
  if (!entitled.ok) return entitled;
  const shown = await host.keysOf(account);
  if (!shown.ok) return shown;
  const signer = keyOfText(shown.value, signature, challengeText(challenge), now);
  if (!signer.ok) return signer;
  const since = new Date(openedAt - COMMIT_DAYS * DAY_MS).toISOString();
  const until = new Date(openedAt - LEAST_DAYS * DAY_MS).toISOString();
  const commits = await host.commitsOf(repository.name, account, since, until);
  if (!commits.ok) return commits;
  const { certificate } = signer.value;
  const span = { from: Date.parse(since), until: Date.parse(until) };
  const count = witnessed(certificate, commits.value, span, now);
  if (count < LEAST_COMMITS)
    return refused(
      `expected a key that signed at least ${LEAST_COMMITS} commits of ${repository.name} in the year before the appeal, ${LEAST_DAYS} days before it or more; this one signed ${count}`,
    );
  return {
    ok: true,
    value: {
      method: 'repository',
      role: entitled.value,
      subject: `${repository.name}, ${account}, key ${certificate.primary.fingerprint.toUpperCase()}`,
    },
  };
}

/** Role of the account in the repository, if it may act for the repository. */
async function roleOf(
  { name, createdAt }: TiedRepository,
  account: string,
  host: RepositoryHost,
  openedAt: number,
): Promise<ProofResult<string>> {
  const found = await host.repository(name);
  if (!found.ok) return found;
  if (Date.parse(found.value.createdAt) !== Date.parse(createdAt ?? ''))
    return refused(`${name} is not the repository that was rated: it was made at another time`);
  if (openedAt - Date.parse(found.value.createdAt) < LEAST_AGE_DAYS * DAY_MS)
    return refused(`expected a repository that is at least ${LEAST_AGE_DAYS} days old`);
  const [owner = ''] = name.split('/');
  if (found.value.ownerIsPerson)
    return owner.toLowerCase() === account.toLowerCase()
      ? { ok: true, value: 'owner of the repository' }
      : refused(`expected the account that owns ${name}; a contributor does not speak for it`);
  const member = await host.isPublicMember(owner, account);
  if (!member.ok) return member;
  return member.value
    ? { ok: true, value: 'public member of the organisation that owns the repository' }
    : refused(
        `expected a public member of ${owner} (membership is made public on its page of people); a contributor does not speak for ${name}`,
      );
}

/** The key that signed the text; it must be valid now. */
function keyOfText(
  armored: readonly string[],
  signature: NonNullable<ReturnType<typeof readSignature>>,
  text: string,
  now: number,
): ProofResult<{ readonly certificate: Certificate }> {
  let why = 'the signature is not of this challenge, or not by a key that the account shows';
  for (const one of armored) {
    const certificate = readCertificate(one);
    if (certificate === null) continue;
    const usable = signingKeys(certificate, now / 1_000, { expired: 'refused' });
    if (usable.ok) {
      if (signerOfText(usable.value, signature, text) !== null) return { ok: true, value: { certificate } };
    } else if (signature.issuer !== null && certificate.primary.fingerprint.endsWith(signature.issuer))
      why = usable.detail;
  }
  return refused(why);
}

/**
 * Number of commits with a valid signature by this key that the host first verified between two times (milliseconds).
 */
function witnessed(
  certificate: Certificate,
  commits: readonly SignedCommit[],
  { from, until }: { readonly from: number; readonly until: number },
  now: number,
): number {
  const keys = signingKeys(certificate, now / 1_000, { expired: 'taken' });
  if (!keys.ok) return 0;
  // A commit that is listed several times counts once.
  return [...new Map(commits.map((one) => [one.payload, one])).values()].filter((one) => {
    const at = Date.parse(one.verifiedAt);
    const signature = at >= from && at <= until ? readSignature(one.signature) : null;
    return signature !== null && signerOf(keys.value, signature, Buffer.from(one.payload)) !== null;
  }).length;
}

const refused = (detail: string) => ({ ok: false, detail }) as const;
