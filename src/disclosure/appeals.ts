import { randomBytes } from 'node:crypto';
import type { APPEAL_STATES } from '../contract/index.ts';
import type { Asset, Band, Result, ScoreReport } from '../domain/index.ts';
import { sentPlace, writeCursor } from '../monitoring/index.ts';
import {
  type AppealRow,
  addAppeal,
  addAppealEvidence,
  appealById,
  appealByReference,
  assetOfRestatement,
  countAttempt,
  type Database,
  evidenceOfAppeal,
  listAppeals,
  noteProof,
  ratedHead,
  reviewAppeal,
  reviewsOfAppeal,
} from '../store/index.ts';
import { surplusChallenges } from './challenge-shares.ts';
import {
  type CallContract,
  type Challenge,
  type Control,
  challengeText,
  challengeTypedData,
  controlOf,
  type ProvedControl,
  proveByContract,
  proveByDns,
  proveBySignature,
  type ReadTxt,
  recordName,
  recordText,
} from './control.ts';
import {
  proveByRepository,
  type RepositoryHost,
  type RepositorySignature,
  tiedRepository,
} from './repository-proof.ts';

export type AppealState = (typeof APPEAL_STATES)[number];

/** An appeal as shown to holders of its reference. */
export interface Appeal {
  readonly id: string;
  readonly reference: string;
  readonly assetId: string;
  readonly rating: {
    readonly jobId: string;
    readonly asOf: string;
    readonly band: Band;
    readonly score: number | null;
  } | null;
  readonly state: AppealState;
  readonly openedAt: string;
  readonly expiresAt: string;
  readonly proof: {
    readonly method: ProvedControl['method'];
    readonly role: string;
    readonly subject: string;
    readonly provedAt: string;
  } | null;
  readonly evidenceCount: number;
  readonly reviewCount: number;
  readonly finding: string | null;
  readonly decidedAt: string | null;
  readonly restatementId: number | null;
}

/** Instructions for the party; returned only when the appeal is opened. */
export interface AppealTask {
  readonly text: string;
  readonly typedData: ReturnType<typeof challengeTypedData>;
  readonly dns: { readonly name: string; readonly type: 'TXT'; readonly value: string } | null;
  readonly signers: Control['signers'];
  /** `owner/name` of the repository whose maintainers may sign; null: no repository is tied to the asset. */
  readonly repository: string | null;
}

/** Additional fields for reviewers. */
export interface ReviewedAppeal extends Appeal {
  readonly evidence: readonly {
    readonly receivedAt: string;
    readonly statement: string;
    readonly links: readonly string[];
  }[];
  readonly reviews: readonly {
    readonly keyId: string;
    readonly decision: AppealDecision;
    readonly finding: string;
    readonly restatementId: number | null;
    readonly reviewedAt: string;
  }[];
}

export type AppealDecision = 'accepted' | 'rejected' | 'corrected';
export type AppealProof =
  | { readonly method: 'dns' }
  | { readonly method: 'eip191' | 'eip712' | 'eip1271' | 'ed25519'; readonly signature: string }
  | ({ readonly method: 'repository' } & RepositorySignature);
export type AppealFault =
  | 'no_such_rating'
  | 'cannot_be_proved'
  | 'no_such_appeal'
  | 'challenge_over'
  | 'not_proved'
  | 'too_much_evidence'
  | 'already_decided'
  | 'no_such_restatement';
type Outcome<Value> = Result<Value, { readonly reason: AppealFault; readonly detail: string }>;

export interface AppealBook {
  /** `openedFrom`: the part of the caller's address that identifies a subscriber. */
  open(assetId: string, openedFrom: string): Promise<Outcome<{ readonly appeal: Appeal; readonly task: AppealTask }>>;
  find(reference: string): Promise<Appeal | null>;
  prove(reference: string, proof: AppealProof): Promise<Outcome<Appeal>>;
  addEvidence(
    reference: string,
    evidence: { readonly statement: string; readonly links: readonly string[] },
  ): Promise<Outcome<Appeal>>;
  /** Newest first; unproven challenges are included only on request. `cursor`: of this list (`sentPlace`). */
  list(query: {
    readonly state: AppealState | null;
    readonly cursor: string | null;
    readonly limit: number;
  }): Promise<{ readonly appeals: readonly ReviewedAppeal[]; readonly nextCursor: string | null }>;
  /** Records one reviewer's opinion. The second account with the same opinion decides. */
  review(
    id: string,
    review: {
      readonly keyId: string;
      readonly decision: AppealDecision;
      readonly finding: string;
      readonly restatementId: number | null;
    },
  ): Promise<Outcome<ReviewedAppeal>>;
}

export interface AppealOptions {
  readonly db: Database;
  readonly now: () => number;
  readonly readTxt: ReadTxt;
  readonly callContract: CallContract;
  readonly repositoryHost: RepositoryHost;
  /** The record of a rating's job; null when it is not kept. */
  readonly reportOf: (jobId: string) => Promise<Pick<ScoreReport, 'consensus'> | null>;
  /** Id of the key that signs for this installation. */
  readonly installation: () => string;
}

/** Time after which an unproven challenge expires. */
const CHALLENGE_MS = 48 * 3_600_000;
/** Time after expiry for which an unproven challenge is kept. */
const KEPT_MS = 7 * 86_400_000;
/** Most open challenges of one asset; a further one ends the oldest of who holds most. */
const MOST_OPEN = 1_000;
const MOST_ATTEMPTS = 20;
const MOST_EVIDENCE = 5;
const REVIEWERS = 2;
/** States that each decision can follow. */
const BEFORE: Readonly<Record<AppealDecision, readonly AppealState[]>> = {
  accepted: ['under_review'],
  rejected: ['under_review'],
  corrected: ['under_review', 'accepted'],
};

/**
 * Appeals of rated parties. A party that proves control may send evidence, and two reviewers decide. An appeal by
 * itself never changes a rating.
 */
export function appealBook(options: AppealOptions): AppealBook {
  const { db, now, readTxt, callContract, repositoryHost, reportOf, installation } = options;
  const present = () => new Date(now()).toISOString();

  /** The party in control, according to the evidence of the rating in question. */
  async function controlAt(row: AppealRow) {
    const report = row.job_id === null ? null : await reportOf(row.job_id);
    return { ...controlOf({ website: null }, report), domain: row.domain, repository: tiedRepository(report) };
  }

  const challengeOf = (row: AppealRow): Challenge => {
    const [nonce = '', at = ''] = row.challenge.split(' ');
    return {
      assetId: row.asset_id,
      reference: row.reference,
      installation: at,
      nonce,
      expiresAt: new Date(row.expires_at).toISOString(),
    };
  };

  async function shown(row: AppealRow): Promise<Appeal> {
    const [evidence, reviews] = await Promise.all([evidenceOfAppeal(db, row.id), reviewsOfAppeal(db, row.id)]);
    return toAppeal(row, evidence.length, reviews.length, now());
  }

  async function reviewed(row: AppealRow): Promise<ReviewedAppeal> {
    const [evidence, reviews] = await Promise.all([evidenceOfAppeal(db, row.id), reviewsOfAppeal(db, row.id)]);
    return {
      ...toAppeal(row, evidence.length, reviews.length, now()),
      evidence: evidence.map(({ received_at, statement, links }) => ({ receivedAt: received_at, statement, links })),
      reviews: reviews.map((one) => ({
        keyId: one.key_id,
        decision: one.decision as AppealDecision,
        finding: one.finding,
        restatementId: one.restatement_id,
        reviewedAt: one.reviewed_at,
      })),
    };
  }

  return {
    async open(assetId, openedFrom) {
      const head = await ratedHead(db, assetId);
      if (head === null) return fault('no_such_rating', 'the asset was never rated');
      const report = await reportOf(head.job_id);
      const control = controlOf(JSON.parse(head.asset) as Asset, report);
      const repository = tiedRepository(report);
      if (control.domain === null && control.signers.length === 0 && repository === null)
        return fault(
          'cannot_be_proved',
          'the evidence of the rating ties no website, no key and no repository to the asset; anybody may object instead',
        );
      const id = `apl_${randomBytes(10).toString('hex')}`;
      const row = {
        id,
        reference: randomBytes(16).toString('hex'),
        asset_id: assetId,
        rating_id: head.rating_id,
        domain: control.domain,
        opened_at: present(),
        expires_at: new Date(now() + CHALLENGE_MS).toISOString(),
        challenge: `${randomBytes(16).toString('hex')} ${installation()}`,
        opened_from: openedFrom,
      };
      const keptFrom = new Date(now() - KEPT_MS).toISOString();
      await addAppeal(db, row, { mostOpen: MOST_OPEN, keptFrom, surplusOf: surplusChallenges });
      const stored = await appealById(db, id);
      if (stored === null) throw new Error(`appeal ${id} went away`);
      const challenge = challengeOf(stored);
      return {
        ok: true,
        value: {
          appeal: await shown(stored),
          task: {
            text: challengeText(challenge),
            typedData: challengeTypedData(challenge),
            dns:
              control.domain === null
                ? null
                : { name: recordName(control.domain), type: 'TXT', value: recordText(challenge) },
            signers: control.signers,
            repository: repository?.name ?? null,
          },
        },
      };
    },
    async find(reference) {
      const row = await appealByReference(db, reference);
      return row && shown(row);
    },
    async prove(reference, proof) {
      const row = await appealByReference(db, reference);
      if (row === null) return NO_APPEAL;
      if (!(await countAttempt(db, row.id, MOST_ATTEMPTS, present())))
        return fault(
          'challenge_over',
          `the challenge was met, is over, or was tried ${MOST_ATTEMPTS} times; open another appeal`,
        );
      const control = await controlAt(row);
      const proved = await provedBy(control, { ...challengeOf(row), openedAt: row.opened_at }, proof);
      if (!proved.ok) return fault('not_proved', proved.detail);
      if (!(await noteProof(db, row.id, { ...proved.value, at: present() })))
        return fault('challenge_over', 'the challenge was met meanwhile, or is over');
      return again(row.id);
    },
    async addEvidence(reference, { statement, links }) {
      const row = await appealByReference(db, reference);
      if (row === null) return NO_APPEAL;
      const added = await addAppealEvidence(db, row.id, { statement, links, at: present() }, MOST_EVIDENCE);
      if (added === 'full') return fault('too_much_evidence', `an appeal takes evidence ${MOST_EVIDENCE} times`);
      if (added === 'not_open')
        return row.state === 'awaiting_proof'
          ? fault('not_proved', 'evidence is taken once control is proved')
          : fault('already_decided', `the appeal is ${row.state}`);
      return again(row.id);
    },
    async list({ state, cursor, limit }) {
      const rows = await listAppeals(db, { state, after: sentPlace(cursor), limit: limit + 1 });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        appeals: await Promise.all(page.map(reviewed)),
        nextCursor: last && rows.length > limit ? writeCursor([last.opened_at, last.id]) : null,
      };
    },
    async review(id, { keyId, decision, finding, restatementId }) {
      const row = await appealById(db, id);
      if (row === null) return NO_APPEAL;
      if (restatementId !== null) {
        const about = await assetOfRestatement(db, restatementId);
        if (about === undefined || (about !== null && about !== row.asset_id))
          return fault('no_such_restatement', `there is no restatement ${restatementId} of this asset or of a day`);
      }
      const taken = await reviewAppeal(
        db,
        {
          appeal_id: id,
          key_id: keyId,
          decision,
          finding,
          restatement_id: restatementId,
          reviewed_at: present(),
        },
        BEFORE[decision],
        REVIEWERS,
      );
      if (taken === null) return fault('already_decided', `the appeal is ${row.state}`);
      const after = await appealById(db, id);
      return after === null ? NO_APPEAL : { ok: true, value: await reviewed(after) };
    },
  };

  function provedBy(
    control: Awaited<ReturnType<typeof controlAt>>,
    challenge: Challenge & { readonly openedAt: string },
    proof: AppealProof,
  ) {
    if (proof.method === 'repository')
      return proveByRepository(control.repository, challenge, proof, repositoryHost, now());
    if (proof.method === 'dns') return proveByDns(control, challenge, readTxt);
    if (proof.method === 'eip1271') return proveByContract(control, challenge, proof.signature, callContract);
    return proveBySignature(control, challenge, { method: proof.method, signature: proof.signature });
  }

  async function again(id: string): Promise<Outcome<Appeal>> {
    const row = await appealById(db, id);
    return row === null ? NO_APPEAL : { ok: true, value: await shown(row) };
  }
}

function fault(reason: AppealFault, detail: string) {
  return { ok: false, reason, detail } as const;
}
const NO_APPEAL = fault('no_such_appeal', 'no appeal has this reference');

function toAppeal(row: AppealRow, evidenceCount: number, reviewCount: number, now: number): Appeal {
  const { job_id: jobId, as_of: asOf, band, score } = row;
  const isOver = row.state === 'awaiting_proof' && Date.parse(row.expires_at) <= now;
  return {
    id: row.id,
    reference: row.reference,
    assetId: row.asset_id,
    rating: jobId === null || asOf === null || band === null ? null : { jobId, asOf, band: band as Band, score },
    state: isOver ? 'expired' : (row.state as AppealState),
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
    proof:
      row.proved_at === null
        ? null
        : {
            method: row.proof_method as ProvedControl['method'],
            role: row.proof_role ?? '',
            subject: row.proof_subject ?? '',
            provedAt: row.proved_at,
          },
    evidenceCount,
    reviewCount,
    finding: row.finding,
    decidedAt: row.decided_at,
    restatementId: row.restatement_id,
  };
}
