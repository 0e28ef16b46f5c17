import { chance, count, many, minute, percent, sourceName, withShortAddresses } from '../../format.ts';
import { Address } from '../../parts/address.tsx';
import type { HolderClusters } from '../../types.ts';
import { FundedWallets } from './funded-wallets.tsx';
import { Limits, Proof } from './proof.tsx';
import { SearchOf } from './search-of.tsx';
import { SupplyBar } from './supply-bar.tsx';

type Cluster = HolderClusters['clusters'][number];

/** The largest holders, grouped by the first payer of their wallets. */
export function Clusters({ assetId }: { readonly assetId: string }) {
  return (
    <div className="grid forensics">
      <SearchOf
        of="GET /v1/rms/{asset}/clusters"
        assetId={assetId}
        what="The first payments of the largest holders are being read"
      >
        {(found) => (
          <>
            <Summary found={found} />
            <Limits limits={found.limits} />
            {found.clusters.map((cluster, index) => (
              <Members key={cluster.members[0]?.address ?? ''} cluster={cluster} place={index + 1} />
            ))}
            <Proof found={found} />
          </>
        )}
      </SearchOf>
    </div>
  );
}

function Summary({ found }: { readonly found: HolderClusters }) {
  const { owners, clusters, services, insider_network: insiders } = found;
  return (
    <section className="panel">
      <h2>
        {clusters.length === 0
          ? 'No two of the largest holders are tied by their first payments'
          : `${percent(found.clustered_share_pct, 1)} of the supply lies in ${count(clusters.length)} ${clusters.length === 1 ? 'cluster' : 'clusters'} of wallets`}
      </h2>
      <p>
        Wallets that one wallet paid first, or that paid each other first, may belong to one person. That is a hint, not
        a proof. A payer links nobody if it is an exchange or pays very many wallets, or if random groups of the same
        size have a common payer as often.
      </p>
      <SupplyBar found={found} />
      <dl className="verdict-figures">
        <Fact title="Largest holders looked at" value={`${count(owners.looked_at)} of ${count(owners.listed)}`}>
          They hold {percent(owners.share_looked_at_pct, 1)} of the supply; pools, exchanges and programs are not among
          them.
        </Fact>
        <Fact title="First payment known" value={count(owners.first_payment_known)}>
          {count(owners.paid_by_services)} of them were paid first by an exchange or the like.
        </Fact>
        <Fact
          title="Insiders by a source’s own graph"
          value={insiders === null ? 'Not stated' : percent(insiders.share_pct, 1)}
        >
          {insiders === null
            ? 'No source states it for this asset.'
            : `Of the supply, by ${insiders.sources.map(sourceName).join(', ')}; confidence ${insiders.confidence.toFixed(2)} of 1. It does not name the wallets.`}
        </Fact>
      </dl>
      <p className="q">
        List of holders from: {owners.source === null ? 'no source' : sourceName(owners.source)}
        {owners.as_of === null ? '' : `, ${minute(owners.as_of)}`}.
      </p>
      {found.by_chance.length > 0 && (
        <p className="q">
          Explained by chance:{' '}
          {found.by_chance
            .map((row) => `${many(row.members.length, 'holder')} of one payer, chance ${chance(row.p_value)}`)
            .join('; ')}
          .
        </p>
      )}
      {services.length > 0 && (
        <details>
          <summary>Payers that link nobody ({services.length})</summary>
          <ul>
            {services.map((service) => (
              <li key={service}>{service}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Fact({
  title,
  value,
  children,
}: {
  readonly title: string;
  readonly value: string;
  readonly children: React.ReactNode;
}) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <strong>{value}</strong>
        <span className="under">{children}</span>
      </dd>
    </div>
  );
}

function Members({ cluster, place }: { readonly cluster: Cluster; readonly place: number }) {
  return (
    <section className="panel">
      <h2>
        Cluster {place}: {percent(cluster.share_pct, 1)} of the supply in {count(cluster.members.length)} wallets
      </h2>
      <p>
        {withShortAddresses(cluster.reasons.join('; '))}. Confidence {cluster.confidence.toFixed(2)} of 1
        {cluster.p_value === null
          ? ''
          : `; random groups show such a payer with a chance of ${chance(cluster.p_value)}`}
        .{' '}
        {cluster.funder === null ? (
          'They paid one another.'
        ) : (
          <>
            First paid by <Address of={cluster.funder} />
          </>
        )}
      </p>
      <FundedWallets name={`Wallets of cluster ${place}`} wallets={cluster.members} />
    </section>
  );
}
