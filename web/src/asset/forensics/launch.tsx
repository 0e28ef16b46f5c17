import { chance, count, many, percent } from '../../format.ts';
import type { Forensics } from '../../types.ts';
import { FundedWallets } from './funded-wallets.tsx';

type Found = NonNullable<Forensics['launch']>;
type Bundle = Found['bundles'][number];

const LINKS: Readonly<Record<Bundle['links'][number], string>> = {
  same_transaction: 'bought in one transaction',
  same_signer: 'one signer',
  funded_by_creator: 'paid by the creator',
  common_funder: 'one first payer',
  equal_payments: 'paid the same odd amount',
  consecutive: 'in a row behind the opening',
};

/** Who bought in the first block. */
export function Launch({ launch }: Pick<Forensics, 'launch'>) {
  if (launch === null) return null;
  const { bundles, by_chance: byChance } = launch;
  return (
    <section className="panel">
      <h2>
        {bundles.length === 0
          ? 'Launch: no linked wallets bought in the first block'
          : `Launch: ${percent(launch.bundled_pct, 1)} of the supply went to ${count(bundles[0]?.members.length ?? 0)} linked wallets`}
      </h2>
      {launch.buyers === 0 ? (
        <p>Nobody bought in the first block, {count(launch.first_block)}.</p>
      ) : (
        <p>
          {many(launch.buyers, 'wallet')} bought {percent(launch.bought_pct, 1)} of the supply in block{' '}
          {count(launch.first_block)}: the creator {percent(launch.dev_pct, 1)}, wallets that it paid before{' '}
          {percent(launch.insiders_pct, 1)}, others in no bundle {percent(launch.snipers_pct, 1)}. Who first paid them
          is known of {count(launch.payers_known)}.
        </p>
      )}
      {bundles.map((bundle, index) => (
        <Members key={bundle.members[0]?.address ?? ''} bundle={bundle} place={index + 1} />
      ))}
      {byChance.length > 0 && (
        <p className="q">
          {count(byChance.length)} payers of several buyers are explained by chance:{' '}
          {byChance.map((row) => `${many(row.wallets, 'wallet')}, chance ${chance(row.p_value)}`).join('; ')}.
        </p>
      )}
    </section>
  );
}

function Members({ bundle, place }: { readonly bundle: Bundle; readonly place: number }) {
  return (
    <>
      <p>
        Bundle {place}: {percent(bundle.share_pct, 1)} of the supply;{' '}
        {bundle.links.map((link) => LINKS[link]).join(', ')}. Confidence {bundle.confidence.toFixed(2)} of 1
        {bundle.p_value === null ? '' : `; random groups show such a payer with a chance of ${chance(bundle.p_value)}`}.
      </p>
      <FundedWallets
        name={`Wallets of bundle ${place}`}
        wallets={bundle.members.map(({ funded_at: at, ...member }) => ({ ...member, at }))}
      />
    </>
  );
}
