import Type, { type Static } from 'typebox';
import { DAY_MS, type Json, median, type ObservationDraft } from '../domain/index.ts';
import { observed } from './observations.ts';
import { amount, fields, fieldsOf, LooseOptional, Maybe, TextOptional } from './read.ts';
import { post } from './requests.ts';
import { countedAsset, planSpaces } from './snapshot.ts';
import { defineSource, endpoint, type Facts, type Params, type ReplyMeta } from './source.ts';

/**
 * Snapshot's votes: participation, and the weight of the largest voters.
 *
 * Lineage: signed votes as the hub counts them; family `snapshot`. A proposal counts when its own strategies read the balance of the asset
 * and the hub has closed and counted it. Participation earns no points, because off-chain votes are not binding and voters cost nothing to
 * create. No feature reads it, so it is off by default; two calls a rating. Limits: 100 a minute without a key, two million a month with a key
 * (docs.snapshot.box/tools/api/api-keys, read in a copy of 2026); we send 20. Quirks: power is in units of the strategies, which are
 * tokens only if the strategies read nothing but balances; hidden votes have no power until the end.
 */
const PROPOSALS =
  'query Proposals($spaces: [String]!) { proposals(first: 20, where: { space_in: $spaces, state: "closed" }, orderBy: "created", orderDirection: desc) { id end votes scores_total scores_state quorum space { id } strategies { name params } } }';
const VOTES =
  'query Votes($proposal: String!) { votes(first: 10, where: { proposal: $proposal }, orderBy: "vp", orderDirection: desc) { voter vp } }';
const PROPOSAL = /^(?:0x[0-9a-f]{64}|Qm[1-9A-HJ-NP-Za-km-z]{44})$/i;
const MOST = 10;
const YEAR_MS = 365 * DAY_MS;

const Proposal = Type.Object({
  id: Type.String(),
  ...fields(LooseOptional, 'end', 'votes', 'scores_total'),
  scores_state: TextOptional,
  space: Maybe(Type.Object({ id: Type.String() })),
  strategies: Maybe(Type.Array(Type.Object({ params: Type.Optional(Type.Unknown()) }))),
});
const Proposals = Type.Object({ data: Type.Object({ proposals: Type.Array(Proposal) }) });
const Votes = Type.Object({
  data: Type.Object({ votes: Type.Array(Type.Object({ voter: Type.String(), vp: LooseOptional })) }),
});

interface Counted {
  readonly id: string;
  readonly endedAt: number;
  readonly voters: number;
  readonly power: number;
}

/** Counted proposals in which the asset has votes, newest first. */
function countedIn(reply: Static<typeof Proposals>, params: Params, now: number): readonly Counted[] {
  const spaces = Array.isArray(params.spaces) ? params.spaces : [];
  return reply.data.proposals
    .filter(({ id, space, strategies, scores_state }) => {
      const isAsked = PROPOSAL.test(id) && spaces.includes(space?.id.toLowerCase() ?? '');
      return isAsked && (scores_state ?? 'final') === 'final' && countedAsset(strategies ?? [], params) !== null;
    })
    .flatMap((row) => {
      const [ended, voters, power] = [amount(row.end), amount(row.votes), amount(row.scores_total)];
      const isRead = ended !== null && voters !== null && power !== null && ended * 1_000 <= now;
      return isRead ? [{ id: row.id, endedAt: ended * 1_000, voters, power }] : [];
    })
    .sort((a, b) => b.endedAt - a.endedAt || a.id.localeCompare(b.id))
    .slice(0, MOST);
}

function observeProposals(
  reply: Static<typeof Proposals>,
  params: Params,
  meta: ReplyMeta,
): readonly ObservationDraft[] {
  const now = Date.parse(meta.fetchedAt);
  const counted = countedIn(reply, params, now);
  if (counted.length === 0) return [];
  const of = `median of the last ${counted.length} counted proposals`;
  const inYear = counted.filter(({ endedAt }) => now - endedAt <= YEAR_MS).length;
  const voted = counted.filter(({ voters }) => voters > 0);
  return [
    ...observed('governance_proposals_365d', inYear, `${MOST} at most are counted`),
    ...observed('governance_voters', median(voted.map(({ voters }) => voters)), of),
    ...observed('governance_votes_cast', median(voted.map(({ power }) => power)), `${of}, in units of the space`),
  ];
}

/** The newest proposal with voting power, whose votes are then requested. */
function learnProposal(
  reply: Static<typeof Proposals>,
  params: Params,
  meta: ReplyMeta,
): Readonly<Record<string, Json>> {
  const newest = countedIn(reply, params, Date.parse(meta.fetchedAt)).find(({ power }) => power > 0);
  return newest === undefined ? {} : { 'snapshot_votes.proposal': { id: newest.id, power: newest.power } };
}

function planVotes(facts: Facts): readonly Params[] {
  const { id, power } = fieldsOf(facts.learned['snapshot_votes.proposal']);
  return typeof id === 'string' && typeof power === 'number' ? [{ proposal: id, power }] : [];
}

/** Null if the ten largest voters have more than the total power: one of the two figures must be wrong. */
function observeVotes(reply: Static<typeof Votes>, { power }: Params): readonly ObservationDraft[] {
  const top = reply.data.votes.slice(0, MOST).reduce((sum, { vp }) => sum + (amount(vp) ?? 0), 0);
  const share = typeof power === 'number' && power > 0 ? top / power : Number.NaN;
  return observed(
    'governance_top10_share',
    share > 0 && share <= 1 + 1e-6 ? Math.min(1, share) : null,
    'power of the ten largest voters over all that was cast in the newest counted proposal',
  );
}

export const snapshotVotes = defineSource({
  name: 'snapshot_votes',
  title: 'Snapshot’s votes',
  doc: 'https://docs.snapshot.box/tools/api',
  family: 'snapshot',
  tier: 'registry',
  reliability: 0.8,
  bases: { main: 'https://hub.snapshot.org' },
  key: {
    required: false,
    header: 'x-api-key',
    adds: 'requests: 2,000,000 a month',
    from: 'https://docs.snapshot.box/tools/api/api-keys',
  },
  disabledReason: 'no feature uses it: participation in votes is shown as evidence only',
  terms: { redistribute: true, keepBodyDays: 90, note: 'public proposals and votes' },
  budget: { perMinute: 20, burst: 4, concurrency: 2, shareSeconds: 3_600 },
  timeoutMs: 10_000,
  endpoints: [
    endpoint({
      name: 'proposals',
      doc: 'POST /graphql `proposals(where: {space_in, state})`: end, votes, scores_total, strategies (snapshot-labs/snapshot-hub, src/graphql/schema.gql)',
      maxBytes: 2 * 1024 * 1024,
      plan: planSpaces,
      request: ({ spaces = [] }) => post('/graphql', { query: PROPOSALS, variables: { spaces } }),
      reply: Proposals,
      classify: ({ data }) => (data.proposals.length === 0 ? { outcome: 'empty' } : { outcome: 'ok' }),
      observe: observeProposals,
      learn: learnProposal,
    }),
    endpoint({
      name: 'votes',
      doc: 'POST /graphql `votes(where: {proposal}, orderBy: "vp")`: the ten largest votes (the same schema)',
      maxBytes: 256 * 1024,
      plan: planVotes,
      request: ({ proposal = null }) => post('/graphql', { query: VOTES, variables: { proposal } }),
      reply: Votes,
      classify: ({ data }) => (data.votes.length === 0 ? { outcome: 'empty' } : { outcome: 'ok' }),
      observe: observeVotes,
    }),
  ],
});
