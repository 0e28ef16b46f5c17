import type { Hex } from '../../chains/index.ts';
import type { ClusterRecord } from '../../contract/index.ts';
import type { ConsensusSet, ForensicSubject, HoldersSnapshot } from '../../domain/index.ts';
import { mergeBooks } from '../../metrics/index.ts';
import { listedHolders } from '../indexer-holders.ts';
import { clusterByFunder, type HoldingOwner } from './clusters.ts';
import { evmFundingsOf } from './evm/investigate.ts';
import { provenanceOf } from './provenance.ts';
import { openSearch, type SearchTools } from './search.ts';
import { fundingsOf } from './solana/investigate.ts';
import { isServiceLabel, labelsOf } from './subject.ts';
import type { Limit } from './types.ts';

const OWNERS = { solana: 30, evm: 20 } as const;

/** Puts an asset's largest holders together by who first paid their wallets. `snapshot`: its newest holders, when they are kept. */
export async function searchClusters(
  tools: SearchTools,
  subject: ForensicSubject,
  snapshot: HoldersSnapshot | null,
  signal: AbortSignal,
): Promise<ClusterRecord> {
  const chain = subject.asset.chain ?? '';
  const isSolana = chain === 'solana';
  const search = openSearch(tools, chain);
  const listed = ownersOf(subject, snapshot);
  const owners = listed.owners.slice(0, isSolana ? OWNERS.solana : OWNERS.evm);
  const question = { isService: (address: string) => listed.labels.labelsOf(address).some(isServiceLabel) };
  const paid =
    owners.length === 0
      ? { fundings: new Map(), services: new Set<string>(), limits: [] }
      : isSolana
        ? await fundingsOf(
            search.solana().history,
            owners.map((owner) => owner.address),
            question,
            signal,
          )
        : await evmFundings(search.evm(), owners, question, signal);
  const clusters = clusterByFunder(owners, paid.fundings, paid.services);
  const known = owners.filter((owner) => paid.fundings.has(owner.address));
  const receipts = search.receipts();
  const work = search.work();
  return {
    asset: subject.asset,
    method: 'first_payment',
    clusters: clusters.map((cluster) => ({
      funder: cluster.funder,
      share_pct: rounded(cluster.sharePct),
      confidence: cluster.confidence,
      reasons: cluster.reasons,
      members: cluster.members.map(({ address, sharePct, funding }) => ({
        address,
        share_pct: rounded(sharePct),
        funder: funding?.funder ?? null,
        transaction: funding?.transaction ?? null,
        at: funding?.at ?? null,
      })),
    })),
    clustered_share_pct: rounded(clusters.reduce((sum, cluster) => sum + cluster.sharePct, 0)),
    owners: {
      listed: listed.owners.length,
      looked_at: owners.length,
      first_payment_known: known.length,
      share_looked_at_pct: rounded(owners.reduce((sum, owner) => sum + owner.sharePct, 0)),
      paid_by_services: known.filter((owner) => paid.services.has(paid.fundings.get(owner.address)?.funder ?? ''))
        .length,
      source: listed.source,
      as_of: listed.asOf,
    },
    services: [...paid.services].sort(),
    insider_network: insidersOf(subject.consensus),
    limits: limitsOf(paid.limits, owners.length, work.ended),
    work,
    ...provenanceOf(receipts, listed.source === null ? [] : [listed.source], tools.attributionOf),
    as_of: new Date(tools.now()).toISOString(),
  };
}

/** Holders that are persons as far as names tell, the largest first. */
function ownersOf(subject: ForensicSubject, snapshot: HoldersSnapshot | null) {
  const ownLabels = labelsOf(subject);
  if (snapshot !== null) {
    const byAddress = new Map(snapshot.top_holders.map((holder) => [holder.address, holder.labels]));
    const labels = mergeBooks([ownLabels, { labelsOf: (address) => byAddress.get(address) ?? [] }]);
    const owners = snapshot.top_holders
      .filter((holder) => holder.set_aside === null && !labels.labelsOf(holder.address).some(isServiceLabel))
      .map((holder): HoldingOwner => ({ address: holder.address, sharePct: holder.share_pct }));
    return { owners, labels, source: 'holders_snapshot', asOf: snapshot.as_of };
  }
  const listed = listedHolders(subject.consensus);
  const owners = (listed?.holders ?? [])
    .filter((holder) => !ownLabels.labelsOf(holder.owner).some(isServiceLabel))
    .map((holder): HoldingOwner => ({ address: holder.owner, sharePct: holder.sharePct }))
    .sort((a, b) => b.sharePct - a.sharePct || (a.address < b.address ? -1 : 1));
  return { owners, labels: ownLabels, source: listed?.source ?? null, asOf: null };
}

async function evmFundings(
  evm: ReturnType<ReturnType<typeof openSearch>['evm']>,
  owners: readonly HoldingOwner[],
  question: { readonly isService: (address: string) => boolean },
  signal: AbortSignal,
) {
  const latest = await evm.reader.block('latest', signal);
  const newest = latest.ok ? latest.value.number : 0;
  return evmFundingsOf(
    { ...evm, newest },
    owners.map((owner) => owner.address as Hex),
    question,
    signal,
  );
}

/** What RugCheck's graph of transfers among early buyers adds: a share, not its wallets. */
function insidersOf(consensus: ConsensusSet) {
  const found = consensus.insider_share;
  if (found === undefined || found.status === 'missing' || typeof found.value !== 'number') return null;
  const sources = found.voices.filter((voice) => voice.accepted).map((voice) => voice.source);
  return {
    share_pct: rounded(found.value * 100),
    sources: [...new Set(sources)].sort(),
    confidence: Math.round(found.confidence * 100) / 100,
  };
}

function limitsOf(found: readonly Limit[], owners: number, ended: string): readonly Limit[] {
  return [
    ...(owners === 0
      ? [
          {
            code: 'no_holders' as const,
            detail: 'nobody lists the holders, or all of them are pools, exchanges and programs',
          },
        ]
      : []),
    ...(ended === 'complete'
      ? []
      : [{ code: 'budget_spent' as const, detail: `the ${ended} of one search were used up before its end` }]),
    ...found,
    METHOD,
  ];
}

const METHOD: Limit = {
  code: 'method',
  detail:
    'wallets are put together when one wallet that is no service paid each of them first; one person can use many payers, and friends one: a cluster is a hint, no proof',
};

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
