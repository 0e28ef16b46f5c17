import { decodeMetadata, decodeMint, type Mint, metadataAddress, SYSTEM_PROGRAM } from '../../chains/index.ts';
import type { AskOutcome, Json, ObservationDraft } from '../../domain/index.ts';
import { exactTokensOf, readRaw } from '../amounts.ts';
import { classifyRpc, rpcCall } from '../json-rpc.ts';
import { type Endpoint, endpoint, type Facts, type Params } from '../source.ts';
import { ONE_ACCOUNT, type RawAccount, readAccount, SUPPLY } from './accounts.ts';
import { mintObservations, nameDrafts } from './mint-observations.ts';

/** Which operators are asked and what their family is called. */
export interface Operators {
  readonly bases: readonly string[];
  family(base: string): string;
}

/** The mint of a Solana job, or null. The chain's own coin has none. */
export function mintOf(facts: Facts): string | null {
  return facts.chain?.kind === 'solana' && facts.address !== null && facts.address !== 'native' ? facts.address : null;
}

/** Puts the operator's family on every draft: two operators are two families. */
export function fromOperator(
  operators: Operators,
  params: Params,
  drafts: readonly ObservationDraft[],
): readonly ObservationDraft[] {
  const family = operators.family(String(params.base));
  return drafts.map((draft) => ({ ...draft, family }));
}

function perOperator(operators: Operators, facts: Facts): readonly Params[] {
  const mint = mintOf(facts);
  return mint === null ? [] : operators.bases.map((base) => ({ base, mint }));
}

/** Params `{base, mint}`. With `learnAs`, learns `<learnAs>.mint` and `<learnAs>.authorities`. */
export function mintEndpoint(operators: Operators, learnAs: string | null): Endpoint {
  return endpoint({
    name: 'mint',
    doc: 'getAccountInfo of the mint, base64: authorities, supply, decimals, Token-2022 extensions. Layouts: src/chains/decoders; checked on recorded mainnet accounts and on real programs.',
    critical: true,
    plan: (facts) => perOperator(operators, facts),
    request: (params) =>
      rpcCall(String(params.base), 'getAccountInfo', [
        params.mint ?? null,
        { encoding: 'base64', commitment: 'confirmed' },
      ]),
    reply: ONE_ACCOUNT,
    classify: (reply) => {
      const verdict = classifyRpc(reply);
      if (verdict.outcome !== 'ok') return verdict;
      if (!reply.result || reply.result.value === null)
        return { outcome: 'not_found' as AskOutcome, detail: 'there is no such account' };
      return readMint(reply.result.value) === null
        ? { outcome: 'not_found' as AskOutcome, detail: 'the account is no token mint' }
        : verdict;
    },
    observe: (reply, params, meta) => {
      const mint = readMint(reply.result?.value);
      if (mint === null || !reply.result) return [];
      return fromOperator(
        operators,
        params,
        mintObservations(mint, reply.result.context.slot, Date.parse(meta.fetchedAt) / 1_000),
      );
    },
    ...(learnAs === null
      ? {}
      : {
          learn: (reply: { result?: { value: RawAccount | null } }) =>
            learnMint(learnAs, readMint(reply.result?.value)),
        }),
  });
}

/** Params `{base, mint}`. */
export function supplyEndpoint(operators: Operators): Endpoint {
  return endpoint({
    name: 'supply',
    doc: 'getTokenSupply: raw amount and decimals, answered by a second code path of the node. https://solana.com/docs/rpc/http/gettokensupply',
    critical: true,
    plan: (facts) => perOperator(operators, facts),
    request: (params) =>
      rpcCall(String(params.base), 'getTokenSupply', [params.mint ?? null, { commitment: 'confirmed' }]),
    reply: SUPPLY,
    classify: (reply) => classifyRpc(reply),
    observe: (reply, params) => {
      const value = reply.result?.value;
      const raw = readRaw(value?.amount);
      const exact = value === undefined || raw === null ? null : exactTokensOf(raw, value.decimals);
      if (value === undefined || exact === null) return [];
      const tokens = Number(exact);
      const shown = Number(value.uiAmountString);
      // The node applies interest and display multipliers to the text only (agave `token_amount_to_ui_amount_v3`).
      const scaled =
        value.uiAmountString !== undefined &&
        Number.isFinite(shown) &&
        shown > 0 &&
        Math.abs(shown - tokens) > tokens * 1e-9;
      return fromOperator(operators, params, [
        {
          quantity: 'total_supply',
          value: scaled ? shown : tokens,
          ...(scaled ? {} : { exact }),
          meaning: scaled
            ? 'getTokenSupply as displayed, multiplier or interest applied'
            : 'getTokenSupply, burned tokens gone',
        },
        { quantity: 'decimals', value: value.decimals, meaning: 'getTokenSupply' },
      ]);
    },
  });
}

/** Params `{base, mint}`: the Metaplex metadata account of the mint. */
export function metadataEndpoint(operators: Operators): Endpoint {
  return endpoint({
    name: 'metadata',
    doc: 'getAccountInfo of the Metaplex metadata PDA: name, symbol, uri, update authority, isMutable. Layout: mpl-token-metadata; checked on recorded mainnet accounts.',
    plan: (facts) => perOperator({ ...operators, bases: operators.bases.slice(0, 1) }, facts),
    request: (params) =>
      rpcCall(String(params.base), 'getAccountInfo', [
        metadataAddress(String(params.mint)),
        { encoding: 'base64', commitment: 'confirmed' },
      ]),
    reply: ONE_ACCOUNT,
    classify: (reply, _meta, params) => {
      const verdict = classifyRpc(reply);
      if (verdict.outcome !== 'ok') return verdict;
      return readMetadata(reply.result?.value, params) === null
        ? { outcome: 'not_found' as AskOutcome, detail: 'the mint has no Metaplex metadata' }
        : verdict;
    },
    observe: (reply, params) => {
      const metadata = readMetadata(reply.result?.value, params);
      if (metadata === null) return [];
      return fromOperator(operators, params, [
        {
          quantity: 'metadata_mutable',
          value: metadata.isMutable && metadata.updateAuthority !== SYSTEM_PROGRAM,
          meaning: 'isMutable of the Metaplex metadata, and somebody can sign',
        },
        { quantity: 'update_authority', value: metadata.updateAuthority, meaning: 'Metaplex metadata' },
        ...nameDrafts(metadata),
      ]);
    },
  });
}

function readMint(raw: RawAccount | null | undefined): Mint | null {
  const account = readAccount(raw);
  return account === null ? null : decodeMint(account.owner, account.data);
}

/** The metadata, unless it speaks of another mint. */
function readMetadata(raw: RawAccount | null | undefined, params: Params) {
  const account = readAccount(raw);
  const metadata = account === null ? null : decodeMetadata(account.owner, account.data);
  return metadata !== null && metadata.mint === params.mint ? metadata : null;
}

function learnMint(prefix: string, mint: Mint | null): Readonly<Record<string, Json>> {
  if (mint === null) return {};
  return {
    [`${prefix}.mint`]: { supply: mint.supply.toString(), decimals: mint.decimals },
    [`${prefix}.authorities`]: { mint: mint.mintAuthority, freeze: mint.freezeAuthority },
  };
}
