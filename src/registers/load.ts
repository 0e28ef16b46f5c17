import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '../domain/index.ts';
import { REGISTER_OF, type RegisterRows } from './observe.ts';
import { complaintsOf, REGISTER_NAMES, type RegisterFile, type RegisterName } from './schema.ts';
import type { RegisterRow } from './state.ts';
import { SHIPPED } from './terms.ts';

export const SHIPPED_FOLDER = fileURLToPath(SHIPPED);

/** The file of a register in a folder; null if there is none. Throws with file and reason if it is invalid. */
export function readRegister<Name extends RegisterName>(folder: string, register: Name): RegisterFile<Name> | null {
  const path = join(folder, `${register}.json`);
  if (!existsSync(path)) return null;
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const complaints = complaintsOf(register, content);
  if (complaints.length > 0) throw new Error(`${path}: ${complaints.slice(0, 5).join('; ')}`);
  return content as RegisterFile<Name>;
}

/**
 * An asset as registers name it: `<CAIP-2>/<address>` of a token, `<CAIP-2>/native` of a chain's native coin, or
 * `registry:<id>` by its id in the registry of coins.
 */
export type AssetName = string;

/** The rows of one folder, by the assets that they are about. */
type Book = ReadonlyMap<AssetName, RegisterRows>;

const books = new Map<string, Book>();
let ownFolder: string | null = null;

/**
 * Also reads the operator's own registers from this folder; null: none. Throws when a file is invalid, and when sandbox
 * rows would be mixed with live data.
 */
export function useOwnRegisters(folder: string | null, dataMode: 'live' | 'sandbox' = 'live'): void {
  ownFolder = null;
  if (folder === null) return;
  books.delete(folder);
  bearers.delete(folder);
  for (const name of REGISTER_NAMES) {
    files.delete(`${folder} ${name}`);
    if (dataMode === 'live' && readRegister(folder, name)?.world === 'sandbox')
      throw new Error(`${join(folder, `${name}.json`)} is of the sandbox, and this service is live`);
  }
  bookOf(folder);
  ownFolder = folder;
}

/** The rows about an asset: the shipped ones, and the operator's own. Names in order of preference. */
export function rowsOf(names: readonly AssetName[]): { readonly shipped: RegisterRows; readonly own: RegisterRows } {
  const find = (folder: string | null) =>
    folder === null ? {} : (names.map((name) => bookOf(folder).get(name)).find((rows) => rows !== undefined) ?? {});
  return { shipped: find(SHIPPED_FOLDER), own: find(ownFolder) };
}

/**
 * CAIP-19 id of the native coin that the registry of coins lists under this id, by the register of natives; null where
 * no row has it.
 */
export function coinOf(registryId: string): string | null {
  const row = rowsOf([`registry:${registryId}`]).shipped.natives;
  return typeof row?.caip2 === 'string' && typeof row.slip44 === 'number' ? `${row.caip2}/slip44:${row.slip44}` : null;
}

/**
 * CAIP-19 id of an asset that a row names by its id in the registry of coins or by its CAIP-19 id; null if no register
 * has it.
 */
export function assetNamed(name: string): string | null {
  if (name.includes('/')) return name;
  const { protocol, issuer } = rowsOf([`registry:${name}`]).shipped;
  const [token] = [protocol, issuer].flatMap((row) => (Array.isArray(row?.tokens) ? row.tokens : [])) as readonly {
    readonly chain: string;
    readonly address: string;
  }[];
  const kind = token?.chain.startsWith('eip155:') ? 'erc20' : 'token';
  return coinOf(name) ?? (token === undefined ? null : `${token.chain}/${kind}:${token.address}`);
}

/**
 * The canonical deployment of a token that exists in several places: the first one in its register row; null for a
 * token without a row.
 */
export function canonicalDeployment(names: readonly AssetName[]): AssetName | null {
  const { protocol, issuer } = rowsOf(names).shipped;
  const [token] = [issuer, protocol].flatMap((row) => (Array.isArray(row?.tokens) ? row.tokens : [])) as readonly {
    readonly chain: string;
    readonly address: string;
  }[];
  return token === undefined ? null : assetName(token.chain, token.address);
}

/** The name of an asset in registers, from its CAIP-19 id; null for a project. */
export function nameOfId(id: string): AssetName | null {
  const [caip2 = '', reference = ''] = id.split('/');
  if (reference === '') return null;
  const isCoinId = reference.startsWith('slip44:');
  return assetName(caip2, isCoinId ? 'native' : reference.slice(reference.indexOf(':') + 1));
}

const bearers = new Map<string, ReadonlyMap<string, readonly AssetName[]>>();
/** The registers whose rows are assets. */
const ASSET_REGISTERS = ['natives', 'issuers', 'protocols', 'allocations'] as const;

/**
 * The assets whose row has this symbol or name, in any case of ASCII letters, as every name of theirs; [] when no row
 * has it. Shipped rows and the operator's own.
 */
export function namesBearing(word: string): readonly AssetName[] {
  const key = foldedWord(word);
  return [SHIPPED_FOLDER, ...(ownFolder === null ? [] : [ownFolder])].flatMap(
    (folder) => bearersIn(folder).get(key) ?? [],
  );
}

function bearersIn(folder: string): ReadonlyMap<string, readonly AssetName[]> {
  const known = bearers.get(folder);
  if (known) return known;
  const found = new Map<string, AssetName[]>();
  for (const { row } of ASSET_REGISTERS.flatMap((register) => keptIn(folder, register) ?? []))
    for (const word of new Set(
      [row.symbol, row.name].flatMap((one) => (typeof one === 'string' ? foldedWord(one) : [])),
    ))
      found.set(word, [...(found.get(word) ?? []), ...namesOf(row)]);
  bearers.set(folder, found);
  return found;
}

function foldedWord(word: string): string {
  return word.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** True for the CAIP-19 id of a coin of the register of natives. */
export function isCoin(assetId: string): boolean {
  const [caip2 = '', reference = ''] = assetId.split('/');
  const row = rowsOf([assetName(caip2, 'native')]).shipped.natives;
  return typeof row?.slip44 === 'number' && reference === `slip44:${row.slip44}`;
}

/** Asset name of a token or, with `native`, of a chain's native coin. EVM addresses are compared without case. */
export function assetName(chain: string, address: string): AssetName {
  return `${chain}/${chain.startsWith('eip155:') ? address.toLowerCase() : address}`;
}

/** One row as stored, with its sources under `sources`, each by its key. */
export interface KeptRow {
  readonly row: RegisterRow;
  readonly sources: readonly {
    readonly key: string;
    readonly url: string;
    readonly licence: string;
    readonly seen: string | null;
  }[];
  /** The operator's own. */
  readonly isOwn: boolean;
}

/**
 * All rows of a register by id, the operator's own after the shipped one of the same id; null if there is no such
 * register. Only shipped labels are read.
 */
export function keptRows(register: RegisterName): readonly KeptRow[] | null {
  const folders = [SHIPPED_FOLDER, ...(ownFolder === null || register === 'labels' ? [] : [ownFolder])];
  const found = folders.flatMap((folder) => keptIn(folder, register) ?? []);
  if (folders.every((folder) => keptIn(folder, register) === null)) return null;
  return found.toSorted((a, b) => compared(rowId(a.row), rowId(b.row)) || Number(a.isOwn) - Number(b.isOwn));
}

/** Id of a row; for a label, its chain and address. */
export function rowId(row: RegisterRow): string {
  return String(row.id ?? `${String(row.chain)}/${String(row.address)}`);
}

const compared = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const files = new Map<string, readonly KeptRow[] | null>();

function keptIn(folder: string, register: RegisterName): readonly KeptRow[] | null {
  const key = `${folder} ${register}`;
  const known = files.get(key);
  if (known !== undefined) return known;
  const file = readRegister(folder, register);
  const sources = (file?.sources ?? {}) as Readonly<Record<string, Omit<KeptRow['sources'][number], 'key'>>>;
  const rows =
    file?.rows.map(
      (row): KeptRow => ({
        row: row as RegisterRow,
        sources: row.sources.flatMap((name) => {
          const source = sources[name];
          return source === undefined ? [] : [{ key: name, ...source }];
        }),
        isOwn: folder !== SHIPPED_FOLDER,
      }),
    ) ?? null;
  files.set(key, rows);
  return rows;
}

function bookOf(folder: string): Book {
  const known = books.get(folder);
  if (known) return known;
  const book = new Map<AssetName, RegisterRows>();
  for (const [key, register] of Object.entries(REGISTER_OF) as [keyof RegisterRows, RegisterName][]) {
    const file = readRegister(folder, register);
    for (const row of file?.rows ?? [])
      for (const name of namesOf(row as RegisterRow))
        book.set(name, { ...book.get(name), [key]: withSources(row as RegisterRow, file?.sources ?? {}) });
  }
  books.set(folder, book);
  return book;
}

/** The row with its sources written out, as evidence keeps it. */
function withSources(row: RegisterRow, sources: Readonly<Record<string, Json>>): RegisterRow {
  const keys = Array.isArray(row.sources) ? row.sources : [];
  return { ...row, sources: keys.flatMap((key) => sources[String(key)] ?? []) };
}

function namesOf(row: RegisterRow): readonly AssetName[] {
  const tokens = (Array.isArray(row.tokens) ? row.tokens : []) as readonly { chain: string; address: string }[];
  return [
    ...tokens.map(({ chain, address }) => assetName(chain, address)),
    ...(typeof row.caip2 === 'string' ? [assetName(row.caip2, 'native')] : []),
    ...(typeof row.coingecko === 'string' ? [`registry:${row.coingecko}`] : []),
  ];
}

/** The owner of an address by the list of labels. */
export interface KeptLabel {
  readonly address: string;
  readonly kind: string;
  readonly label: string;
}

let labels: ReadonlyMap<AssetName, KeptLabel> | null = null;

/** Labels for addresses of a chain (CAIP-2); none for those that are not in the list. */
export function labelsOf(chain: string, addresses: readonly string[]): readonly KeptLabel[] {
  labels ??= new Map(
    (readRegister(SHIPPED_FOLDER, 'labels')?.rows ?? []).map(({ chain: of, address, kind, owner }) => [
      assetName(of, address),
      { address, kind, label: owner },
    ]),
  );
  const everywhere = chain.startsWith('eip155:') ? 'eip155:*' : chain;
  return addresses.flatMap(
    (address) => labels?.get(assetName(chain, address)) ?? labels?.get(assetName(everywhere, address)) ?? [],
  );
}

/**
 * The named issuer of a token and its powers over the token; null if no row of a supervised or disclosed issuer has the
 * token.
 */
export function issuerOf(
  chain: string,
  address: string,
): { readonly issuer: string; readonly powers: readonly string[]; readonly source: string } | null {
  const { shipped, own } = rowsOf([assetName(chain, address)]);
  const row = shipped.issuer ?? own.issuer;
  if (!row || row.tier === null || !Array.isArray(row.powers)) return null;
  const [source] = Array.isArray(row.sources) ? row.sources : [];
  const url = typeof source === 'object' && source !== null && 'url' in source ? String(source.url) : 'own row';
  return { issuer: String(row.issuer), powers: row.powers.map(String), source: `registers/issuers.json, ${url}` };
}

/** Every shipped register that is there. */
export function shippedRegisters(): readonly RegisterName[] {
  return REGISTER_NAMES.filter((name) => existsSync(join(SHIPPED_FOLDER, `${name}.json`)));
}
