import { SOLANA_BURN_ADDRESSES } from '../../chains/index.ts';
import type { ObservationDraft } from '../../domain/index.ts';
import { classifyRpc, rpcCall } from '../json-rpc.ts';
import { regulatedIssuer } from '../regulated_issuers.ts';
import { type Endpoint, endpoint, type Params } from '../source.ts';
import { MANY_ACCOUNTS, type RawAccount, readAccount } from './accounts.ts';
import { classifyAuthority } from './classify.ts';
import { fromOperator, mintOf, type Operators } from './mint-endpoints.ts';

const ROLES = ['mint', 'freeze'] as const;

/** Params `{base, mint, authorities: {mint?, freeze?}}`: what kind of key may mint and freeze. Asked only when one is live. */
export function authorityAccountsEndpoint(operators: Operators): Endpoint {
  return endpoint({
    name: 'authority_accounts',
    doc: 'getMultipleAccounts of the mint and freeze authorities: plain key, multisig (Squads v4, token multisig) or program. A disclosed regulated issuer is named by regulated_issuers.json.',
    critical: true,
    plan: (facts) => {
      const mint = mintOf(facts);
      const authorities = liveAuthorities(facts.learned['solana_rpc.authorities']);
      if (mint === null || Object.keys(authorities).length === 0) return [];
      return operators.bases.map((base) => ({ base, mint, authorities }));
    },
    request: (params) =>
      rpcCall(String(params.base), 'getMultipleAccounts', [
        addresses(params),
        { encoding: 'base64', commitment: 'confirmed' },
      ]),
    reply: MANY_ACCOUNTS,
    classify: (reply) => classifyRpc(reply),
    observe: (reply, params) => fromOperator(operators, params, states(reply.result?.value ?? [], params)),
  });
}

function liveAuthorities(learned: unknown): Readonly<Record<string, string>> {
  const found = (typeof learned === 'object' && learned !== null ? learned : {}) as Readonly<Record<string, unknown>>;
  const live: Record<string, string> = {};
  for (const role of ROLES) {
    const address = found[role];
    if (typeof address === 'string' && !SOLANA_BURN_ADDRESSES.includes(address)) live[role] = address;
  }
  return live;
}

function addresses(params: Params): string[] {
  return [...new Set(Object.values(liveAuthorities(params.authorities)))].sort();
}

function states(accounts: readonly (RawAccount | null)[], params: Params): readonly ObservationDraft[] {
  const asked = addresses(params);
  if (accounts.length !== asked.length) return [];
  const issuer = regulatedIssuer('solana', String(params.mint));
  const live = liveAuthorities(params.authorities);
  return ROLES.flatMap((role): readonly ObservationDraft[] => {
    const address = live[role];
    if (address === undefined) return [];
    const quantity = role === 'mint' ? 'mint_authority_state' : 'freeze_authority_state';
    if (issuer)
      return [
        {
          quantity,
          value: 'regulated_issuer',
          meaning: `live key of a disclosed issuer: ${issuer.issuer}, ${issuer.source}`,
        },
      ];
    const { state, why } = classifyAuthority(address, readAccount(accounts[asked.indexOf(address)]));
    return [{ quantity, value: state, meaning: why }];
  });
}
