import { type Share, ShareBar } from '../charts/share-bar.tsx';
import { count, looksAs, minute, percent, shortAddress, words } from '../format.ts';
import { Address } from '../parts/address.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Column, columnBy, columnsOf, NUMBER, Table } from '../parts/table.tsx';
import type { HoldersSnapshot } from '../types.ts';
import { type Facts, isBeforeToken } from './facts.ts';
import { hasManySevere, hasTooManySevere } from './flag-banner.tsx';
import { ReceiptedFeature } from './receipts.tsx';
import { SnapshotOf } from './snapshots.tsx';
import { valueWords } from './words.ts';

interface Part {
  readonly name: string;
  readonly address: string | null;
  readonly raw: number;
  /** Null: left out of the adjusted view. */
  readonly adjusted: number | null;
  readonly colour: string;
  /** Why it is left out. */
  readonly why: string | null;
}

/** The ten largest as one bar, twice: of the whole supply, and without addresses that are not single holders. */
export function HoldersBar({ facts }: { readonly facts: Facts }) {
  return (
    <Panel title="Holders">
      <SnapshotOf rating={facts.rating} kind="holders" nothing={<WithoutList facts={facts} />}>
        {(snapshot) => (
          <Bars
            snapshot={snapshot}
            singles={SINGLES.length - (hasManySevere(facts) ? 1 : 0) - (hasTooManySevere(facts) ? 1 : 0)}
          />
        )}
      </SnapshotOf>
    </Panel>
  );
}

/** Without a list of holders: the shares that sources state. */
function WithoutList({ facts }: { readonly facts: Facts }) {
  const features = (facts.breakdown?.factors ?? [])
    .filter(({ code }) => code === 'HD')
    .flatMap((factor) => factor.features)
    .filter(({ status }) => status !== 'not_applicable');
  return (
    <>
      <p className="q">
        {isBeforeToken(facts)
          ? 'It has no token yet, so there are no holders.'
          : facts.rating.asset.chain === null || facts.rating.asset.address === null
            ? 'No list of holders: the coin is not a token on a chain that is read here.'
            : 'What sources state of its holders:'}
      </p>
      <ul className="pairs">
        {features.map((feature) => (
          <li key={feature.id}>
            <span>{feature.name}</span>{' '}
            <ReceiptedFeature facts={facts} of={feature}>
              <b>{feature.value === null ? 'not known' : valueWords(feature.value, feature.unit, feature.id)}</b>
            </ReceiptedFeature>
          </li>
        ))}
      </ul>
    </>
  );
}

const column = columnsOf<Part>();
const COLUMNS: readonly Column<Part>[] = [
  columnBy(
    'Holder',
    ({ name, address, colour }) => (
      <>
        <i className="swatch" style={looksAs(colour)} aria-hidden="true" />
        {address === null ? <span title={name}>{name}</span> : <Address of={address} />}
      </>
    ),
    { width: '50%' },
  ),
  column('raw', 'Raw', (share) => percent(share, 1), { ...NUMBER, unsorted: true }),
  columnBy(
    'Adjusted',
    ({ adjusted, why }) => (adjusted === null ? <span title={why ?? ''}>left out</span> : percent(adjusted, 1)),
    NUMBER,
  ),
];

function Bars({ snapshot, singles }: { readonly snapshot: HoldersSnapshot; readonly singles: number }) {
  const parts = partsOf(snapshot, singles);
  const { raw, adjusted } = snapshot;
  return (
    <>
      <div className="bar-rows">
        <span title="Of the whole supply">Raw</span>
        <ShareBar label="Ten largest of all addresses" parts={parts.map((part) => shareOf(part, part.raw))} />
        <b>{percent(raw.top_10_pct, 1)}</b>
        <span title="Without pools, exchanges, locks and bridges: independent holders alone">Adjusted</span>
        <ShareBar
          label="Without pools, exchanges, locks and bridges"
          parts={parts.flatMap((part) => (part.adjusted === null ? [] : [shareOf(part, part.adjusted)]))}
        />
        <b>{adjusted.top_10_pct === null ? 'not known' : percent(adjusted.top_10_pct, 1)}</b>
      </div>
      <Table
        name="The largest holders, raw and adjusted"
        tools={false}
        columns={COLUMNS}
        rows={parts}
        keyOf={({ name, address }) => `${name} ${address}`}
      />
      <p
        className="corner"
        title={`Holders; the share of the supply whose holders were read. ${minute(snapshot.as_of)}`}
      >
        ten largest of {count(snapshot.holder_count)},{' '}
        {snapshot.status === 'complete' ? 'all read' : `${percent((snapshot.supply.coverage ?? 0) * 100, 0)} seen`}
      </p>
    </>
  );
}

function shareOf({ name, address, colour }: Part, share: number): Share {
  return { key: `${name} ${address}`, name, share, colour };
}

/** Excluded kinds that have a row; smaller ones are added to the others. */
const MOST_KINDS = 2;
const SINGLES = ['var(--band-c)', 'var(--band-cc)', 'var(--band-ccc)'];
const ASIDE = ['var(--band-bb)', 'var(--s2)'];

/** Excluded kinds, the largest independent holders, the next ones, and all others. */
function partsOf(snapshot: HoldersSnapshot, most: number): readonly Part[] {
  const { supply, top_holders: top, set_aside: aside } = snapshot;
  const left = Number(supply.adjusted_raw) / Math.max(1, Number(supply.total_raw));
  const own = (share: number) => (left > 0 ? share / left : 0);
  const kinds = aside
    .filter(({ share_pct: share }) => share >= 0.5)
    .toSorted((a, b) => b.share_pct - a.share_pct)
    .slice(0, MOST_KINDS)
    .map(({ kind, holders, share_pct: share }, index): Part => {
      const name = `${words(kind)}${holders > 1 ? `, ${holders} addresses` : ''}`;
      return {
        name,
        address: null,
        raw: share,
        adjusted: null,
        colour: ASIDE[index] ?? 'var(--line-2)',
        why: `${words(kind)}: no single holder’s`,
      };
    });
  const independent = top.filter(({ set_aside: why }) => why === null);
  const singles = independent.slice(0, most).map(({ address, share_pct: share, labels }, index): Part => {
    const name = labels[0]?.name ?? `unlabelled ${shortAddress(address)}`;
    return {
      name,
      address: labels[0] ? null : address,
      raw: share,
      adjusted: own(share),
      colour: SINGLES[index] ?? 'var(--line-2)',
      why: null,
    };
  });
  const next = independent.slice(most, 10);
  const nextShare = next.reduce((sum, { share_pct: share }) => sum + share, 0);
  const followers: Part = {
    name: `next ${next.length}`,
    address: null,
    raw: nextShare,
    adjusted: own(nextShare),
    colour: 'var(--band-b)',
    why: null,
  };
  const shown = [...kinds, ...singles, ...(next.length > 0 ? [followers] : [])];
  const rest = Math.max(0, 100 - shown.reduce((sum, { raw }) => sum + raw, 0));
  const ownRest = Math.max(0, 100 - shown.reduce((sum, { adjusted }) => sum + (adjusted ?? 0), 0));
  return [
    ...shown,
    { name: 'all others', address: null, raw: rest, adjusted: ownRest, colour: 'var(--band-bbb)', why: null },
  ];
}
