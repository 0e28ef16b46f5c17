import { decodeTokenAccount, SOLANA_BURN_ADDRESSES } from '../../chains/index.ts';
import type { ObservationDraft } from '../../domain/index.ts';
import { Refusal, rpcEndpoint } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { fieldsOf, listIn, readRaw, sharePctOf } from '../read.ts';
import { holderOfPower } from '../regulated-issuers.ts';
import { fact, type Params } from '../source.ts';
import {
  accountsCall,
  atEach,
  atFirst,
  classifyAuthority,
  classifyOwner,
  LARGEST,
  MANY_ACCOUNTS,
  type RawAccount,
  readAccount,
} from './accounts.ts';

/** The node's own limit of getTokenLargestAccounts. */
const MOST_ACCOUNTS = 20;

/** Params `{base, mint}`. Observes nothing, because one owner may have several of these token accounts. */
export const largestAccountsEndpoint = rpcEndpoint({
  name: 'largest_accounts',
  doc: 'getTokenLargestAccounts: the 20 largest token accounts, without owners. Some nodes refuse it for large mints (-32010). https://solana.com/docs/rpc/http/gettokenlargestaccounts',
  critical: true,
  plan: (facts) => atFirst(facts),
  call: (params) => ['getTokenLargestAccounts', [params.mint ?? null, { commitment: 'confirmed' }]],
  result: LARGEST,
  read: ({ value }) => (value.length === 0 ? new Refusal('empty') : value),
  learn: (rows) => {
    const accounts = rows.filter((row) => (readRaw(row.amount) ?? 0n) > 0n).map((row) => row.address);
    return fact('solana_rpc.largestAccounts', accounts.length === 0 ? null : accounts.slice(0, MOST_ACCOUNTS));
  },
});

/** Params `{base, mint, accounts}`: reads the owners of those token accounts and sums by owner. */
export const largestOwnersEndpoint = rpcEndpoint({
  name: 'largest_owners',
  doc: 'getMultipleAccounts of the largest token accounts (first 165 bytes): owner and amount of each. Layout: src/chains/decoders.',
  critical: true,
  plan: (facts) => {
    const accounts = facts.learned['solana_rpc.largestAccounts'];
    return atFirst(facts, Array.isArray(accounts) ? { accounts } : null);
  },
  call: (params) => accountsCall(params.accounts ?? null, 165),
  result: MANY_ACCOUNTS,
  read: ({ value }, params) => owners(value, params),
  learn: (holders) => {
    const rows = holders.map((row) => ({ ...row, amount: row.amount.toString() }));
    return fact('solana_rpc.largestOwners', rows.length === 0 ? null : rows);
  },
});

/** Params `{base, mint, supply, holders}`: the kind of each owner, and from these the list of top holders. */
export const ownerAccountsEndpoint = rpcEndpoint({
  name: 'owner_accounts',
  doc: 'getMultipleAccounts of the owners: pools, lockers, multisigs, burn addresses, wallets by the program that owns each.',
  critical: true,
  plan: (facts) => {
    const holders = facts.learned['solana_rpc.largestOwners'];
    const { supply } = fieldsOf(facts.learned['solana_rpc.mint']);
    return atFirst(facts, Array.isArray(holders) && typeof supply === 'string' ? { holders, supply } : null);
  },
  // Up to the 355 bytes of a multisig, because the length of an account also shows its kind.
  call: (params) =>
    accountsCall(
      holdersOf(params).map((row) => row.owner),
      355,
    ),
  result: MANY_ACCOUNTS,
  read: ({ value }) => value,
  observe: topHolders,
});

interface Owner {
  readonly owner: string;
  readonly amount: bigint;
  /** The largest of the owner's token accounts. */
  readonly tokenAccount: string;
}

/** Sums by owner, without malformed accounts and accounts of other mints. Largest first, then by address. */
function owners(accounts: readonly (RawAccount | null)[], params: Params): readonly Owner[] {
  const names = listIn(params.accounts);
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
    return [
      {
        owner: holder.owner,
        tokenAccount: holder.tokenAccount,
        sharePct,
        kind,
        ...(label === null ? {} : { label }),
        isContract: kind !== 'wallet',
        isLocked: kind === 'locker' || kind === 'vesting' || kind === 'burn',
      },
    ];
  });
  const labels = rows.flatMap(({ owner, kind, label }) =>
    label === undefined ? [] : [{ address: owner, kind, label }],
  );
  return [
    ...observed(
      'top_holders',
      rows.length === 0 ? null : rows,
      'owners of the 20 largest token accounts, summed by owner, share of total supply',
    ),
    ...observed('holder_labels', labels.length === 0 ? null : labels, 'named by the program that owns the account'),
  ];
}

function holdersOf(params: Params): readonly Owner[] {
  return listIn(params.holders).flatMap((row) => {
    const { owner, amount: raw, tokenAccount } = fieldsOf(row);
    const amount = readRaw(raw);
    return typeof owner === 'string' && amount !== null && typeof tokenAccount === 'string'
      ? [{ owner, amount, tokenAccount }]
      : [];
  });
}

const ROLES = ['mint', 'freeze'] as const;

/** Params `{base, mint, authorities: {mint?, freeze?}}`: kind of the keys that may mint and freeze. Requested only if an authority is active. */
export const authorityAccountsEndpoint = rpcEndpoint({
  name: 'authority_accounts',
  doc: 'getMultipleAccounts of the mint and freeze authorities: plain key, multisig (Squads v4, token multisig) or program. A named issuer is recognised by registers/issuers.json.',
  critical: true,
  plan: (facts) => {
    const authorities = liveAuthorities(facts.learned['solana_rpc.authorities']);
    return atEach(facts, Object.keys(authorities).length === 0 ? null : { authorities });
  },
  call: (params) => accountsCall(addresses(params)),
  result: MANY_ACCOUNTS,
  read: ({ value }) => value,
  observe: states,
});

function liveAuthorities(learned: unknown): Readonly<Record<string, string>> {
  const found = fieldsOf(learned);
  return Object.fromEntries(
    ROLES.flatMap((role) => {
      const address = found[role];
      return typeof address === 'string' && !SOLANA_BURN_ADDRESSES.includes(address) ? [[role, address]] : [];
    }),
  );
}

function addresses(params: Params): string[] {
  return [...new Set(Object.values(liveAuthorities(params.authorities)))].sort();
}

function states(accounts: readonly (RawAccount | null)[], params: Params): readonly ObservationDraft[] {
  const requested = addresses(params);
  if (accounts.length !== requested.length) return [];
  const live = liveAuthorities(params.authorities);
  return ROLES.flatMap((role): readonly ObservationDraft[] => {
    const address = live[role];
    if (address === undefined) return [];
    const quantity = `${role}_authority_state` as const;
    const issuer = holderOfPower('solana', String(params.mint), role);
    if (issuer !== null) {
      const meaning = `live key of a disclosed issuer: ${issuer.issuer}, ${issuer.source}`;
      return observed(quantity, 'regulated_issuer', meaning);
    }
    const { state, why } = classifyAuthority(address, readAccount(accounts[requested.indexOf(address)]));
    return observed(quantity, state, why);
  });
}
