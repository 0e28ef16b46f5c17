import type { AssetSpec, SitePage, Traits } from '../types.ts';

export interface ProjectRow {
  readonly name: string;
  readonly note: string;
  readonly ageDays: number;
  readonly category?: AssetSpec['category'];
  /** Present: DefiLlama lists it, with this locked value (0 before there is a product). */
  readonly listedTvlUsd?: number;
  readonly feesPerDayUsd?: number;
  /** In the public list of raises, millions of dollars. */
  readonly raisedMillions?: number;
  readonly commits90d?: number;
  readonly contributors?: number;
  readonly audits?: readonly string[];
  readonly grade?: AssetSpec['grade'];
  readonly domain?: string;
  readonly fork?: AssetSpec['fork'];
  readonly testnet?: AssetSpec['testnet'];
  readonly pages: Readonly<Record<string, SitePage>>;
}

/** A project without a token. All its facts are on its pages and in the registries. */
export function project(row: ProjectRow): AssetSpec {
  const slug = row.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const traits: Partial<Traits> = {
    listed: row.listedTvlUsd !== undefined,
    cex: false,
    audits: row.audits ?? [],
    commits90d: row.commits90d ?? 0,
    contributors: row.contributors ?? 0,
    raisedMillions: row.raisedMillions ?? 0,
  };
  return {
    slug,
    name: row.name,
    symbol: '',
    chain: null,
    category: row.category ?? 'defi',
    kind: 'pre_tge',
    grade: row.grade ?? 'mediocre',
    note: row.note,
    priceUsd: 0,
    totalSupply: 0,
    circulatingShare: 0,
    liquidityUsd: 0,
    volumeUsd: 0,
    holders: 0,
    ageDays: row.ageDays,
    domain: row.domain ?? `${slug}.example`,
    ...(row.listedTvlUsd === undefined ? {} : { tvlUsd: row.listedTvlUsd }),
    ...(row.feesPerDayUsd === undefined ? {} : { feesPerDayUsd: row.feesPerDayUsd }),
    ...(row.fork ? { fork: row.fork } : {}),
    ...(row.testnet ? { testnet: row.testnet } : {}),
    traits,
    pages: row.pages,
  };
}

/** `<li>` lines. */
export function list(...lines: readonly string[]): string {
  return `<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`;
}

/** A member of a team with a GitHub account, which belongs to the organisation where the project has a repository. */
export function member(name: string, role: string, before = ''): string {
  const handle = name.toLowerCase().replaceAll(' ', '-');
  return `${name}, ${role} (<a href="https://github.com/${handle}-example">GitHub</a>). ${before}`;
}

/** Paragraphs of documentation, with about this number of words each. */
export function manual(name: string, chapters: readonly string[]): string {
  return chapters
    .map(
      (chapter) =>
        `<h2>${chapter}</h2>${`<p>${name} keeps ${chapter.toLowerCase()} in one contract. The parameters are read at the start of each epoch, checked against their limits and written to the log. A client that restarts reads the last checkpoint, replays the blocks since then and compares the result with two peers before it signs anything. Errors carry a number, and each number has a page of its own with the cause and the remedy.</p>`.repeat(
          3,
        )}`,
    )
    .join('');
}
