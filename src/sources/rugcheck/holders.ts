import { isLaunchpadKey } from '../../chains/index.ts';
import type { ObservationDraft } from '../../domain/index.ts';
import { DAY_MS } from '../../domain/index.ts';
import { amount, positive, text } from '../read.ts';
import { address, type Report } from './reply.ts';

const MOST_LABELS = 600;

/** Kinds of our own for RugCheck's account types. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['AMM', 'amm'],
  ['LOCKER', 'locker'],
  ['CREATOR', 'creator'],
  ['CEX', 'exchange'],
  ['EXCHANGE', 'exchange'],
]);

/** Holders summed by owner (rows are token accounts), the accounts RugCheck knows by name, insiders and the creator. */
export function holderDrafts(report: Report): readonly ObservationDraft[] {
  const labels = labelsOf(report);
  const rows = ownersOf(report, labels);
  const holders = positive(report.totalHolders);
  return [
    ...(rows.length === 0
      ? []
      : [
          {
            quantity: 'top_holders' as const,
            value: rows,
            meaning: 'owners of the 20 largest token accounts, summed by owner, share of total supply',
          },
        ]),
    ...(labels.size === 0
      ? []
      : [
          {
            quantity: 'holder_labels' as const,
            value: [...labels].map(([account, row]) => ({ address: account, ...row })).slice(0, MOST_LABELS),
            meaning: 'knownAccounts',
          },
        ]),
    ...(holders === null
      ? []
      : [
          {
            quantity: 'holder_count' as const,
            value: holders,
            reliability: 0.7,
            meaning: 'totalHolders; whether owners or accounts is not documented',
          },
        ]),
    ...insiderDrafts(report),
    ...creatorDrafts(report),
  ];
}

interface Label {
  readonly kind: string;
  readonly label: string;
}

function labelsOf(report: Report): ReadonlyMap<string, Label> {
  const known = Object.entries(report.knownAccounts ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(
    known.flatMap(([account, row]): readonly (readonly [string, Label])[] => {
      const kind = KINDS.get((row.type ?? '').toUpperCase());
      const curve = kind === 'amm' && row.name === 'Pump Fun' ? 'curve' : kind;
      return curve === undefined || address(account) === null
        ? []
        : [[account, { kind: curve, label: text(row.name, 60) ?? curve }]];
    }),
  );
}

function ownersOf(report: Report, labels: ReadonlyMap<string, Label>) {
  const supply = positive(report.token?.supply);
  const sums = new Map<
    string,
    { sharePct: number; tokenAccount: string | null; label: Label | undefined; insider: boolean }
  >();
  for (const row of (report.topHolders ?? []).slice(0, 100)) {
    const owner = address(row.owner);
    const raw = amount(row.amount);
    const pct = supply !== null && raw !== null ? (raw / supply) * 100 : amount(row.pct);
    if (owner === null || pct === null || pct > 100.001) continue;
    const known = sums.get(owner);
    sums.set(owner, {
      sharePct: Math.min(100, (known?.sharePct ?? 0) + pct),
      tokenAccount: known?.tokenAccount ?? address(row.address),
      label: known?.label ?? labels.get(owner) ?? labels.get(row.address ?? ''),
      insider: known?.insider === true || row.insider === true,
    });
  }
  return [...sums]
    .sort(([a, one], [b, other]) => other.sharePct - one.sharePct || (a < b ? -1 : 1))
    .map(([owner, row]) => ({
      owner,
      sharePct: row.sharePct,
      ...(row.tokenAccount === null ? {} : { tokenAccount: row.tokenAccount }),
      ...(row.label ? { kind: row.label.kind, label: row.label.label } : row.insider ? { kind: 'insider' } : {}),
    }));
}

/** Tokens of the wallet networks RugCheck finds by transfers among early buyers. */
function insiderDrafts(report: Report): readonly ObservationDraft[] {
  const supply = positive(report.token?.supply);
  const networks = report.insiderNetworks;
  const found = amount(report.graphInsidersDetected);
  if (supply === null || (!networks && found !== 0)) return [];
  const tokens = (networks ?? []).reduce((sum, row) => sum + (amount(row.tokenAmount) ?? 0), 0);
  return [
    {
      quantity: 'insider_share',
      value: Math.min(1, tokens / supply),
      reliability: 0.5,
      meaning: 'tokenAmount of all insider networks over supply',
    },
  ];
}

/** A token below this capitalisation, a day or more after its launch, has no market left. */
const DEAD_BELOW_USD = 1_000;

function creatorDrafts(report: Report): readonly ObservationDraft[] {
  const creator = address(report.creator);
  const supply = positive(report.token?.supply);
  const balance = amount(report.creatorBalance);
  return [
    ...(creator === null ? [] : [{ quantity: 'creator_address' as const, value: creator, meaning: 'creator' }]),
    ...(creator === null || isLaunchpadKey(creator) || supply === null || balance === null || balance > supply
      ? []
      : [
          {
            quantity: 'creator_share' as const,
            value: balance / supply,
            meaning: "creatorBalance: the creator's own wallet only",
          },
        ]),
  ];
}

/**
 * Other tokens of the creator; null in the reply is "not looked up", not "none", and a launchpad's own key is nobody's. How many died is only said when every
 * older one has a market cap and a date to judge by. `now` is when the reply was fetched.
 */
export function creatorTokenDrafts(report: Report, now: number): readonly ObservationDraft[] {
  if (!report.creatorTokens || isLaunchpadKey(address(report.creator) ?? '')) return [];
  const others = report.creatorTokens.filter((row) => row.mint !== report.mint);
  const ages = others.map((row) => now - Date.parse(row.createdAt ?? ''));
  const judged = others.every((row, at) => amount(row.marketCap) !== null && !Number.isNaN(ages[at]));
  const dead = others.filter(
    (row, at) => (ages[at] ?? 0) > DAY_MS && (amount(row.marketCap) ?? Number.POSITIVE_INFINITY) < DEAD_BELOW_USD,
  );
  return [
    { quantity: 'creator_tokens_count', value: others.length, meaning: 'creatorTokens without this one' },
    ...(judged
      ? [
          {
            quantity: 'creator_dead_tokens_count' as const,
            value: dead.length,
            meaning: `creatorTokens older than a day with a market cap below ${DEAD_BELOW_USD} USD`,
          },
        ]
      : []),
  ];
}
