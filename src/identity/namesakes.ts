import type { Asset, Namesakes, TokenRecord } from '../domain/index.ts';
import { recordsOf, SOURCES } from '../sources/index.ts';
import { findersOf } from './candidates.ts';
import { isFarLarger } from './choose.ts';

/** The newest reply of a list that registries publish; null where it is not available. */
type ReadListReply = (source: string, endpoint: string) => Promise<unknown>;

/** A row of the list of all tokens, without what is not needed here: it is kept in memory. */
type Row = Pick<TokenRecord, 'id' | 'name' | 'rank' | 'addresses' | 'nativeOf' | 'copy'>;
type Index = ReadonlyMap<string, readonly Row[]>;

/** An unavailable list is requested again after this time. */
const AGAIN_MS = 5_000;

/**
 * Which assets bear a name or a symbol by the registries' lists of all tokens, which are read again after `keepMs`. A
 * rated or indexed asset is one of many: that no other one is known here proves nothing about what a word means.
 */
export function createNamesakes(read: ReadListReply, now: () => number, keepMs: number): Namesakes {
  let held: { readonly index: Promise<Index | null>; until: number } | null = null;

  function current(): Promise<Index | null> {
    if (held !== null && now() < held.until && held.until - now() <= keepMs) return held.index;
    const index = indexBy(read).catch(() => null);
    const own = { index, until: now() + keepMs };
    held = own;
    void index.then((made) => {
      if (made === null) own.until = now() + AGAIN_MS;
    });
    return index;
  }

  return async (word, asset, { registryId = null, chain = null } = {}) => {
    const index = await current();
    if (index === null) return null;
    const rows = index.get(folded(word)) ?? [];
    const own = rows.filter((row) => isOf(row, asset, registryId));
    const isOriginal = own.some(({ copy }) => !copy);
    const rank = isOriginal ? best(own) : null;
    const rivals = rows.filter(
      (row) =>
        !own.includes(row) &&
        (chain === null ? !row.copy : isOn(row, chain)) &&
        !(rank !== null && isFarLarger(rank, row.rank)),
    );
    return {
      isListed: own.length > 0,
      rivals: rivals.sort(bySize).map(({ name, id }) => `${name ?? id} (${id})`),
    };
  };
}

async function indexBy(read: ReadListReply): Promise<Index | null> {
  const lists = findersOf('list');
  const all = lists.find(({ finds }) => finds.of === 'all');
  if (all === undefined) return null;
  const rows = await rowsOf(all, read);
  if (rows === null) return null;
  const figures = lists.find(({ finds, source }) => finds.of === 'figures' && source === all.source);
  const ranked = figures === undefined ? null : await rowsOf(figures, read);
  const ranks = new Map((ranked ?? []).map(({ id, rank }) => [id, rank]));
  const index = new Map<string, Row[]>();
  for (const { id, name, symbol, rank, addresses, nativeOf, copy } of rows) {
    const row = { id, name, rank: ranks.get(id) ?? rank, addresses, nativeOf, copy };
    for (const word of new Set([symbol, name].flatMap((text) => (text === null ? [] : [folded(text)])))) {
      const known = index.get(word);
      if (known) known.push(row);
      else index.set(word, [row]);
    }
  }
  return index;
}

async function rowsOf(
  list: { readonly source: string; readonly endpoint: string },
  read: ReadListReply,
): Promise<readonly TokenRecord[] | null> {
  const source = SOURCES.find(({ name }) => name === list.source);
  const endpoint = source?.endpoints.find(({ name }) => name === list.endpoint);
  const reply = await read(list.source, list.endpoint);
  if (source === undefined || endpoint === undefined || reply === null) return null;
  const rows = recordsOf(source, endpoint, reply, {}, '');
  return rows.length === 0 ? null : rows;
}

function isOf({ id, addresses, nativeOf }: Row, asset: Pick<Asset, 'chain' | 'address'>, registryId: string | null) {
  if (id !== null && id === registryId) return true;
  if (asset.chain === null || asset.address === null) return false;
  return asset.address === 'native' ? nativeOf === asset.chain : addresses.includes(`${asset.chain}:${asset.address}`);
}

function isOn({ addresses, nativeOf }: Row, chain: string): boolean {
  return nativeOf === chain || addresses.some((place) => place.startsWith(`${chain}:`));
}

function best(rows: readonly Row[]): number | null {
  const ranks = rows.flatMap(({ rank }) => rank ?? []);
  return ranks.length === 0 ? null : Math.min(...ranks);
}

function bySize(a: Row, b: Row): number {
  return (a.rank ?? Number.MAX_SAFE_INTEGER) - (b.rank ?? Number.MAX_SAFE_INTEGER) || (`${a.id}` < `${b.id}` ? -1 : 1);
}

/** Only the case of ASCII letters is ignored, so that look-alike letters make another word. */
function folded(text: string): string {
  return text.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
