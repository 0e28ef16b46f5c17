import Type, { type Static } from 'typebox';
import type { Json } from '../domain/index.ts';
import {
  asListed,
  assetName,
  citedLicence,
  type ListedIssuer,
  labelsOf,
  observeRegisters,
  type RegisterRows,
  RegisterTermsSchema,
  registerTerms,
  rowsOf,
} from '../registers/index.ts';
import { observed } from './observations.ts';
import { textsIn } from './read.ts';
import { defineSource, endpoint, type Facts, type Params } from './source.ts';

/**
 * Kept registers: facts that are recorded with their source because no API states them (who issues a token and under which
 * licence, who may produce the blocks of a chain, what a holder is owed). The files are part of this version (`registers/`); an operator may add
 * rows. The rows, and the terms by which they are read, are archived as the reply, so that old evidence can be replayed after a row has changed.
 *
 * Lineage: family `register`; the operator's own rows are a separate lineage group.
 */
const Row = Type.Union([Type.Null(), Type.Record(Type.String(), Type.Unknown())]);
const Rows = Type.Record(Type.String(), Row);
const Reply = Type.Object({ shipped: Rows, own: Rows, terms: RegisterTermsSchema });

/** Names under which registers may list the asset. Only a chain's own coin is listed by its registry id. */
function namesOf(facts: Facts): readonly string[] {
  const { chain, address, keys } = facts;
  if (chain !== null && address !== null) return [assetName(chain.caip2, address)];
  const isNative = address === null || address === 'native';
  return isNative && keys.coingeckoId !== null ? [`registry:${keys.coingeckoId}`] : [];
}

/** The rows of kept registers about the asset. */
export const rowsOfAsset = (facts: Facts): ReturnType<typeof rowsOf> => rowsOf(namesOf(facts));

/** Rows of the public registers for the issuers that the asset's rows cite. */
function listedIssuers({ learned }: Facts, rows: ReturnType<typeof rowsOf>): readonly Json[] {
  const leis = [rows.shipped.issuer, rows.own.issuer].flatMap((row) => citedLicence(row)?.lei ?? []);
  return [...new Set(leis)].flatMap((lei) => learned[`esma.issuer:${lei}`] ?? []);
}

/** Observations from the rows; rows of issuers are updated from the newest public register. */
function stated(rows: RegisterRows, params: Params, fetchedAt: string, terms: Static<typeof RegisterTermsSchema>) {
  const { issuer } = rows;
  const listed = (Array.isArray(params.licences) ? params.licences : []) as unknown as readonly ListedIssuer[];
  if (!issuer || listed.length === 0) return observeRegisters(rows, fetchedAt, terms);
  const held = asListed(issuer, listed);
  const found = listed.find(({ lei }) => lei === issuer.lei);
  return observeRegisters({ ...rows, issuer: held }, fetchedAt, terms).map((draft) =>
    held !== issuer && found && LICENCE_QUANTITIES.includes(draft.quantity)
      ? {
          ...draft,
          meaning: `${draft.meaning}; ESMA’s register of ${found.day} ${found.papers.length > 0 ? 'has' : 'does not have'} the issuer`,
        }
      : draft,
  );
}

const LICENCE_QUANTITIES: readonly string[] = ['issuer_tier', 'licence_state'];

function made(params: Params): Static<typeof Reply> {
  const names = Array.isArray(params.names) ? params.names.map(String) : [];
  return { ...rowsOf(names), terms: registerTerms() } as Static<typeof Reply>;
}

const Labels = Type.Object({
  labels: Type.Array(Type.Object({ address: Type.String(), kind: Type.String(), label: Type.String() })),
});

/** Params with the holders from other sources that have a label in the kept list. */
function knownHolders({ chain, learned }: Facts): readonly Params[] {
  if (chain === null) return [];
  const listed = HOLDER_LISTS.flatMap((key) => textsIn(learned[key]));
  const known = labelsOf(chain.caip2, [...new Set(listed)]).map(({ address }) => address);
  return known.length === 0 ? [] : [{ chain: chain.caip2, addresses: known.sort() }];
}

/** Facts with the addresses of the largest holders. */
const HOLDER_LISTS = ['goplus.holders', 'blockscout.holders'];

export const registers = defineSource({
  name: 'registers',
  title: 'Kept registers',
  doc: 'registers/',
  family: 'register',
  tier: 'registry',
  reliability: 0.9,
  bases: {},
  terms: { redistribute: true, keepBodyDays: null, note: 'facts with their sources; each row names them' },
  budget: { perMinute: 6_000, burst: 1_000, concurrency: 32, shareSeconds: 60 },
  timeoutMs: 2_000,
  endpoints: [
    endpoint({
      name: 'labels',
      doc: 'The rows of registers/labels.json that name one of the largest holders',
      plan: knownHolders,
      request: () => ({ url: 'file:///registers/labels' }),
      made: ({ chain, addresses }) => ({ labels: labelsOf(String(chain), textsIn(addresses)) }),
      reply: Labels,
      observe: ({ labels }) =>
        observed('holder_labels', labels.length === 0 ? null : labels, 'kept list of labels', {
          family: 'kept_labels',
        }),
    }),
    endpoint({
      name: 'rows',
      doc: 'The rows of registers/*.json that are about the asset, and the operator’s own',
      // An asset without a row is not requested, because a missing row does not mean that a search found nothing.
      plan: (facts) => {
        const rows = rowsOfAsset(facts);
        if (Object.keys(rows.shipped).length + Object.keys(rows.own).length === 0) return [];
        const licences = listedIssuers(facts, rows);
        return [{ names: namesOf(facts), ...(licences.length === 0 ? {} : { licences }) }];
      },
      request: () => ({ url: 'file:///registers' }),
      made,
      reply: Reply,
      // The organisations that hold a chain's code, and the currency of a coin's peg.
      learn: ({ shipped, own }): Record<string, Json> => {
        const orgs = shipped.natives?.orgs;
        const currency = [shipped.issuer, own.issuer, shipped.protocol, own.protocol]
          .map((row) => row?.peg_currency)
          .find((code) => typeof code === 'string');
        return {
          ...(Array.isArray(orgs) ? { 'registers.githubOrgs': orgs.map(String) } : {}),
          ...(typeof currency === 'string' ? { 'registers.pegCurrency': currency } : {}),
        };
      },
      observe: (reply, params, { fetchedAt }) => [
        ...stated(reply.shipped as RegisterRows, params, fetchedAt, reply.terms),
        ...stated(reply.own as RegisterRows, params, fetchedAt, reply.terms).map((draft) => ({
          ...draft,
          family: 'operator_register',
          meaning: `the operator’s own ${draft.meaning ?? 'row'}`,
          ...(draft.scope === undefined ? {} : { scope: `${draft.scope}:own` }),
        })),
      ],
    }),
  ],
});
