import { decodeTokenAccount } from '../../chains/index.ts';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { readRaw, sharePctOf } from '../amounts.ts';
import { classifyRpc, rpcCall } from '../json-rpc.ts';
import { type Endpoint, endpoint, type Facts, type Params } from '../source.ts';
import { LARGEST, MANY_ACCOUNTS, type RawAccount, readAccount } from './accounts.ts';
import { classifyOwner } from './classify.ts';
import { fromOperator, mintOf, type Operators } from './mint-endpoints.ts';

/** The node's own limit of getTokenLargestAccounts. */
const MOST_ACCOUNTS = 20;

/** Params `{base, mint}`. Observes nothing: these are token accounts, and one owner may have several. */
export function largestAccountsEndpoint(operators: Operators): Endpoint {
  return endpoint({
    name: 'largest_accounts',
    doc: 'getTokenLargestAccounts: the 20 largest token accounts, without owners. Some nodes refuse it for large mints (-32010). https://solana.com/docs/rpc/http/gettokenlargestaccounts',
    critical: true,
    plan: (facts) => plan(operators, facts, () => ({})),
    request: (params) =>
      rpcCall(String(params.base), 'getTokenLargestAccounts', [params.mint ?? null, { commitment: 'confirmed' }]),
    reply: LARGEST,
    classify: (reply) => {
      const verdict = classifyRpc(reply);
      return verdict.outcome === 'ok' && reply.result?.value.length === 0 ? { outcome: 'empty' as const } : verdict;
    },
    learn: (reply): Readonly<Record<string, Json>> => {
      const accounts = (reply.result?.value ?? [])
        .filter((row) => (readRaw(row.amount) ?? 0n) > 0n)
        .map((row) => row.address);
      return accounts.length === 0 ? {} : { 'solana_rpc.largestAccounts': accounts.slice(0, MOST_ACCOUNTS) };
    },
  });
}

/** Params `{base, mint, accounts}`: reads the owners of those token accounts and sums by owner. */
export function largestOwnersEndpoint(operators: Operators): Endpoint {
  return endpoint({
    name: 'largest_owners',
    doc: 'getMultipleAccounts of the largest token accounts (first 165 bytes): owner and amount of each. Layout: src/chains/decoders.',
    critical: true,
    plan: (facts) =>
      plan(operators, facts, (learned) => {
        const accounts = learned['solana_rpc.largestAccounts'];
        return Array.isArray(accounts) ? { accounts } : null;
      }),
    request: (params) =>
      rpcCall(String(params.base), 'getMultipleAccounts', [
        params.accounts ?? null,
        { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: 165 } },
      ]),
    reply: MANY_ACCOUNTS,
    classify: (reply) => classifyRpc(reply),
    learn: (reply, params): Readonly<Record<string, Json>> => {
      const holders = owners(reply.result?.value ?? [], params);
      return holders.length === 0
        ? {}
        : {
            'solana_rpc.largestOwners': holders.map((row) => ({
              owner: row.owner,
              amount: row.amount.toString(),
              tokenAccount: row.tokenAccount,
            })),
          };
    },
  });
}

/** Params `{base, mint, supply, holders}`: what each owner is, and from that the list of top holders. */
export function ownerAccountsEndpoint(operators: Operators): Endpoint {
  return endpoint({
    name: 'owner_accounts',
    doc: 'getMultipleAccounts of the owners: pools, lockers, multisigs, burn addresses, wallets by the program that owns each.',
    critical: true,
    plan: (facts) =>
      plan(operators, facts, (learned) => {
        const holders = learned['solana_rpc.largestOwners'];
        const supply = field(learned['solana_rpc.mint'], 'supply');
        return Array.isArray(holders) && typeof supply === 'string' ? { holders, supply } : null;
      }),
    // The whole account, up to a multisig's 355 bytes: a classification reads the length too.
    request: (params) =>
      rpcCall(String(params.base), 'getMultipleAccounts', [
        holdersOf(params).map((row) => row.owner),
        { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: 355 } },
      ]),
    reply: MANY_ACCOUNTS,
    classify: (reply) => classifyRpc(reply),
    observe: (reply, params) => fromOperator(operators, params, topHolders(reply.result?.value ?? [], params)),
  });
}

function plan(
  operators: Operators,
  facts: Facts,
  more: (learned: Facts['learned']) => Params | null,
): readonly Params[] {
  const mint = mintOf(facts);
  const extra = mint === null ? null : more(facts.learned);
  const base = operators.bases[0];
  return mint === null || extra === null || base === undefined ? [] : [{ base, mint, ...extra }];
}

interface Owner {
  readonly owner: string;
  readonly amount: bigint;
  /** The largest of the owner's token accounts. */
  readonly tokenAccount: string;
}

/** Sums by owner; accounts of another mint or that are none are left out. Largest first, then by address. */
function owners(accounts: readonly (RawAccount | null)[], params: Params): readonly Owner[] {
  const names = Array.isArray(params.accounts) ? params.accounts : [];
  const byOwner = new Map<string, Owner>();
  const read = accounts.flatMap((raw, at) => {
    const account = readAccount(raw);
    const token = account === null ? null : decodeTokenAccount(account.owner, account.data);
    const name = names[at];
    return token !== null && token.mint === params.mint && token.amount > 0n && typeof name === 'string'
      ? [{ ...token, name }]
      : [];
  });
  for (const row of read.sort((a, b) => largestFirst(a, b, (one) => one.name))) {
    const known = byOwner.get(row.owner);
    byOwner.set(row.owner, {
      owner: row.owner,
      amount: (known?.amount ?? 0n) + row.amount,
      tokenAccount: known?.tokenAccount ?? row.name,
    });
  }
  return [...byOwner.values()].sort((a, b) => largestFirst(a, b, (one) => one.owner));
}

function largestFirst<Row extends { readonly amount: bigint }>(a: Row, b: Row, name: (row: Row) => string): number {
  if (a.amount !== b.amount) return a.amount > b.amount ? -1 : 1;
  return name(a) < name(b) ? -1 : 1;
}

function topHolders(accounts: readonly (RawAccount | null)[], params: Params): readonly ObservationDraft[] {
  const supply = readRaw(params.supply);
  const holders = holdersOf(params);
  // A node that leaves accounts out would shift every owner after it.
  if (supply === null || accounts.length !== holders.length) return [];
  const rows = holders.flatMap((holder, at) => {
    const sharePct = sharePctOf(holder.amount, supply);
    if (sharePct === null) return [];
    const { kind, label } = classifyOwner(holder.owner, readAccount(accounts[at]));
    const row = {
      owner: holder.owner,
      tokenAccount: holder.tokenAccount,
      sharePct,
      kind,
      ...(label === null ? {} : { label }),
      isContract: kind !== 'wallet',
      isLocked: kind === 'locker' || kind === 'vesting' || kind === 'burn',
    };
    return [row];
  });
  if (rows.length === 0) return [];
  const labels = rows.flatMap(({ owner, kind, label }) =>
    label === undefined ? [] : [{ address: owner, kind, label }],
  );
  return [
    {
      quantity: 'top_holders',
      value: rows,
      meaning: 'owners of the 20 largest token accounts, summed by owner, share of total supply',
    },
    ...(labels.length === 0
      ? []
      : [{ quantity: 'holder_labels' as const, value: labels, meaning: 'named by the program that owns the account' }]),
  ];
}

function holdersOf(params: Params): readonly Owner[] {
  const rows: readonly Json[] = Array.isArray(params.holders) ? params.holders : [];
  return rows.flatMap((row) => {
    const owner = field(row, 'owner');
    const amount = readRaw(field(row, 'amount'));
    const tokenAccount = field(row, 'tokenAccount');
    return typeof owner === 'string' && amount !== null && typeof tokenAccount === 'string'
      ? [{ owner, amount, tokenAccount }]
      : [];
  });
}

function field(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Json>>)[name]
    : undefined;
}
