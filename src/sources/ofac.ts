import Type from 'typebox';
import { observed } from './observations.ts';
import { fieldsOf } from './read.ts';
import { defineSource, endpoint, type Facts, type Params } from './source.ts';
import { rowsOfText } from './text-lists.ts';

/**
 * Office of Foreign Assets Control (US Treasury): the list of specially designated nationals, from its public files.
 *
 * Lineage: the list itself, which the sanctions oracle on EVM chains copies; family `ofac`. Terms: US government data. Limits: none
 * published; two files a day. Quirks: addresses are in the remarks ("Digital Currency Address - XBT ...", "alt. Digital Currency
 * Address - ..."); long remarks continue in a second file, which has further addresses; an address may have several currency codes.
 * Presence on the list is observed, absence is not. An address that is split at the end of a remark is not found. The addresses
 * looked up are those of the token, its owner, its creator, and the accounts that may replace its code or mint.
 */
interface Listed {
  readonly address: string;
  /** The Treasury's code of the currency: XBT, ETH ... */
  readonly code: string;
}

/** The Treasury's wording; no chain has longer addresses. */
const ADDRESS = /Digital Currency Address - ([A-Z0-9]{2,8}) ([A-Za-z0-9]{4,110})\b/g;
const MOST_ADDRESSES = 20_000;

function addressesIn(text: string): readonly Listed[] {
  const found = new Map<string, Listed>();
  for (const [, code = '', address = ''] of text.matchAll(ADDRESS))
    if (found.size < MOST_ADDRESSES) found.set(`${code} ${address}`, { address: plain(address), code });
  return [...found.values()];
}

/** Facts that name an account with control over the token, and the role of that account. */
const PEOPLE: readonly (readonly [fact: string, role: string])[] = [
  ['evm_rpc.owner', 'owner'],
  ['evm_rpc.slot.admin', 'admin of the proxy'],
  ['evm_rpc.slot.zeppelinAdmin', 'admin of the proxy'],
  ['evm_rpc.adminOwner', 'owner of the admin'],
  ['goplus.creator', 'creator'],
];

/** Params for the token, then for the accounts with control over it, each with its first role. */
function lookedFor({ chain, address, learned }: Facts): readonly Params[] {
  if (chain === null || address === null || address === 'native') return [];
  const authorities = Object.entries(fieldsOf(learned['solana_rpc.authorities']));
  const people = [
    ...PEOPLE.map(([fact, role]) => [learned[fact], role] as const),
    ...authorities.map(([role, account]) => [account, `${role} authority`] as const),
  ];
  const found = new Map<string, Params>([[plain(address), { address: plain(address) }]]);
  for (const [account, role] of people)
    if (typeof account === 'string' && !found.has(plain(account)))
      found.set(plain(account), { address: plain(account), role });
  return [...found.values()];
}

/** EVM addresses in lower case, because their case is only a checksum; other addresses unchanged. */
function plain(address: string): string {
  return /^0x[0-9a-fA-F]{40}$/.test(address) ? address.toLowerCase() : address;
}

export const ofac = defineSource({
  name: 'ofac',
  title: 'OFAC list of specially designated nationals',
  doc: 'https://ofac.treasury.gov/specially-designated-nationals-and-blocked-persons-list-sdn-human-readable-lists',
  family: 'ofac',
  tier: 'registry',
  reliability: 0.95,
  bases: { main: 'https://www.treasury.gov' },
  terms: { redistribute: true, keepBodyDays: null, note: 'US government data' },
  budget: { perMinute: 6, burst: 2, concurrency: 1, shareSeconds: 3_600 },
  timeoutMs: 20_000,
  endpoints: [
    endpoint({
      name: 'sdn',
      doc: '/ofac/downloads/sdn.csv and sdn_comments.csv: addresses in the remarks of designated persons',
      format: 'text',
      maxBytes: 24 * 1024 * 1024,
      plan: lookedFor,
      request: ({ file }) => ({ path: `/ofac/downloads/${String(file ?? 'sdn.csv')}` }),
      reply: Type.String(),
      // An HTML page in place of the file has no addresses.
      classify: (reply) =>
        rowsOfText(reply, addressesIn).length > 0
          ? { outcome: 'ok' }
          : { outcome: 'malformed', detail: 'no address of a digital currency' },
      list: {
        pages: [{ file: 'sdn.csv' }, { file: 'sdn_comments.csv' }],
        refreshSeconds: 24 * 60 * 60,
        rowsOf: (reply) => rowsOfText(reply, addressesIn),
        keysOf: (row) => [(row as Listed).address],
        keyOf: ({ address }) => (typeof address === 'string' ? address : null),
      },
      observe: (reply, params) =>
        rowsOfText(reply, addressesIn)
          .filter(({ address }) => address === params.address)
          .slice(0, 1)
          .flatMap(({ address }) =>
            observed(
              'sanctioned',
              true,
              `${address}${typeof params.role === 'string' ? ` (${params.role})` : ''} is on the list of designated persons`,
            ),
          ),
    }),
  ],
});
