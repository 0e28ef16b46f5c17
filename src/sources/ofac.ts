import Type from 'typebox';
import { observed } from './observations.ts';
import { defineSource, endpoint } from './source.ts';
import { rowsOfText } from './text-lists.ts';

/**
 * Office of Foreign Assets Control (US Treasury): the list of specially designated nationals, as its public files have it.
 *
 * Lineage: the list itself, which the sanctions oracle on EVM chains copies; family `ofac`. Terms: US government data. Limits: none
 * published; two files a day. Quirks: addresses stand in the remarks ("Digital Currency Address - XBT ...", "alt. Digital Currency
 * Address - ..."); remarks that are too long go on in a second file, which has addresses of its own; one address stands under several codes.
 * Being on the list is observed, not being on it is not: an address that is cut in two at the end of a remark is not read.
 */
interface Listed {
  readonly address: string;
}

/** The words are the Treasury's; no address of a chain is shorter or longer. */
const ADDRESS = /Digital Currency Address - [A-Z0-9]{2,8} ([A-Za-z0-9]{20,110})\b/g;
const MOST_ADDRESSES = 20_000;

function addressesIn(text: string): readonly Listed[] {
  const found = new Set<string>();
  for (const [, address = ''] of text.matchAll(ADDRESS)) if (found.size < MOST_ADDRESSES) found.add(plain(address));
  return [...found].map((address) => ({ address }));
}

/** Of EVM addresses the case is a checksum only. */
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
      plan: ({ chain, address }) =>
        chain !== null && address !== null && address !== 'native' ? [{ address: plain(address) }] : [],
      request: ({ file }) => ({ path: `/ofac/downloads/${String(file ?? 'sdn.csv')}` }),
      reply: Type.String(),
      // A page of HTML in place of the file names nobody.
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
          .flatMap(({ address }) => observed('sanctioned', true, `${address} is on the list of designated persons`)),
    }),
  ],
});
