import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

const Text = Type.String();
const MaybeText = Type.Union([Text, Type.Null()]);

const Asset = Type.Object({
  id: Text,
  name: Text,
  symbol: Text,
  website: MaybeText,
  /** CAIP-2; of a chain that the program does not know too. */
  chain: MaybeText,
  address: MaybeText,
  as_of: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  registry_words: Type.Record(Text, Type.Union([Type.Array(Text), Text, Type.Null()])),
  facts: Type.Array(
    Type.Object({ quantity: Text, scope: Text, value: Type.Unknown(), unit: Text, told_by: Type.Array(Text) }),
  ),
  /** Rows of kept registers, by `natives`, `issuer` and `protocol`; what is not there is not known. */
  registers: Type.Optional(Type.Record(Text, Type.Unknown())),
  /** What the methodology reads and the facts do not give. */
  features: Type.Optional(Type.Array(Type.Object({ feature: Text, value: Type.Unknown(), confidence: Type.Number() }))),
});
/** One asset at one date, as facts that sources state. */
export type PanelAsset = Static<typeof Asset>;

/** What a careful desk accepts for an asset. Bands worst and best; flags by code. */
export interface Expected {
  readonly id: string;
  readonly class: string;
  readonly low: string;
  readonly high: string;
  readonly mustNot: readonly string[];
  /** Of each entry at least one flag must be raised. */
  readonly must: readonly (readonly string[])[];
}

/** The first asset must be rated better than the second; `strict` where the accepted bands do not overlap. */
export interface Pair {
  readonly better: string;
  readonly worse: string;
  readonly strict: boolean;
}

export interface Panel {
  readonly assets: readonly { readonly name: string; readonly asset: PanelAsset }[];
  readonly expected: readonly Expected[];
  readonly pairs: readonly Pair[];
}

const validator = Compile(Asset);

/** Assets of a folder of files, by their names. Throws with the file and what it should be when one does not fit. */
export async function readFacts(folder: string): Promise<Panel['assets']> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => {
      const asset: unknown = JSON.parse(await readFile(join(folder, file), 'utf8'));
      if (validator.Check(asset)) return { name: file.slice(0, -'.json'.length), asset };
      const first = validator.Errors(asset)[0];
      throw new Error(`${file}: ${first?.instancePath ?? ''} ${first?.message ?? 'does not fit'}`);
    }),
  );
}

/** Reads `facts/*.json`, `expected.csv` and `pairs.csv` of a folder. Throws with the file and what it should be when one does not fit. */
export async function readPanel(folder: string): Promise<Panel> {
  const assets = await readFacts(join(folder, 'facts'));
  const expected = (await table(join(folder, 'expected.csv'))).map((row) => ({
    id: row.id ?? '',
    class: row.class ?? '',
    low: row.expected_band_low ?? '',
    high: row.expected_band_high ?? '',
    mustNot: wordsOf(row.must_not_flags),
    must: [...(row.must_flags ?? '').matchAll(/any_of\(([^)]*)\)|(\S+)/g)].map((match) =>
      wordsOf(match[1] ?? match[2]),
    ),
  }));
  const pairs = (await table(join(folder, 'pairs.csv'))).map((row) => ({
    better: row.better ?? '',
    worse: row.worse ?? '',
    strict: row.kind === undefined || row.kind === 'strict',
  }));
  return { assets, expected, pairs };
}

const wordsOf = (text: string | undefined) => (text ?? '').split(' ').filter((word) => word !== '');

/** Rows of an RFC 4180 file by the names of its first line. */
async function table(file: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const lines = cellsOf(await readFile(file, 'utf8'));
  const names = lines[0] ?? [];
  return lines.slice(1).map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

function cellsOf(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (match[0] === '' && line.length === 0) break;
    line.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
    if (match[3] === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}
