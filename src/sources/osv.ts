import Type, { type Static } from 'typebox';
import type { Json, ObservationDraft } from '../domain/index.ts';
import { tiedRepo } from './github-ties.ts';
import { observed } from './observations.ts';
import { date, fields, fieldsOf, listIn, Maybe, TextOptional, text, textsIn } from './read.ts';
import { post } from './requests.ts';
import { defineSource, endpoint, type Facts, type Params } from './source.ts';

/**
 * OSV: published security advisories about a project's own code, open and fixed.
 *
 * Lineage: the advisory databases that OSV combines (GitHub's, Go's, OSS-Fuzz and others); family `osv`. Only the repository that is tied to the
 * project is looked up, as a repository and as a Go module: package names of other ecosystems are unrelated to the repository and prove nothing.
 * Advisories are a sign of openness, so they cost no points; readers can judge the open ones. No feature reads it, so it is off by
 * default. Terms: Apache-2.0 and CC-BY-4.0 by database (google.github.io/osv.dev/data). Limits: none, 32 MiB a reply on HTTP/1.1
 * (google.github.io/osv.dev/api, read in a copy of 2026). Quirks: results of a batch are in the order of its queries and have ids
 * only; more than 1,000 results are paged, of which only the first page is read; an empty object `{}` means no advisory, not a failure.
 */
const Batch = Type.Object({
  results: Type.Array(
    Type.Object({
      vulns: Maybe(Type.Array(Type.Object({ id: Type.String(), modified: TextOptional }))),
      next_page_token: TextOptional,
    }),
  ),
});

const Affected = Type.Object({
  package: Maybe(Type.Object({ name: TextOptional, ecosystem: TextOptional })),
  ranges: Maybe(
    Type.Array(
      Type.Object({
        repo: TextOptional,
        events: Maybe(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
      }),
    ),
  ),
  ecosystem_specific: Type.Optional(Type.Unknown()),
});
const Advisory = Type.Object({
  id: Type.String(),
  ...fields(TextOptional, 'summary', 'published', 'modified', 'withdrawn'),
  severity: Maybe(Type.Array(Type.Object({ type: TextOptional, score: TextOptional }))),
  affected: Maybe(Type.Array(Affected)),
  database_specific: Type.Optional(Type.Unknown()),
});
type Advisory = Static<typeof Advisory>;
const Query = Type.Object({ vulns: Maybe(Type.Array(Advisory)) });

const MOST_ADVISORIES = 50;
const MOST_IDS = 1_000;
const SEVERITIES: Readonly<Record<string, string>> = {
  critical: 'critical',
  high: 'high',
  moderate: 'medium',
  medium: 'medium',
  low: 'low',
};

/** A repository under the names that OSV uses for it, in the order of the batch. */
function packagesOf(repo: string): readonly { readonly ecosystem: string; readonly name: string }[] {
  return [
    { ecosystem: 'GIT', name: `https://github.com/${repo}.git` },
    { ecosystem: 'Go', name: `github.com/${repo}` },
  ];
}

/** Facts from the batch: counts, ids in order, and the packages whose advisories are requested. */
function learnBatch(reply: Static<typeof Batch>, params: Params): Readonly<Record<string, Json>> {
  const packages = typeof params.repo === 'string' ? packagesOf(params.repo) : [];
  return {
    'osv.batch': {
      results: reply.results.length,
      ids: reply.results.flatMap(({ vulns }) => (vulns ?? []).map(({ id }) => id)).slice(0, MOST_IDS),
      pagesLeft: reply.results.filter((row) => (row.next_page_token ?? '') !== '').length,
      found: packages.filter((_, index) => (reply.results[index]?.vulns ?? []).length > 0),
    },
  };
}

function planQuery(facts: Facts): readonly Params[] {
  const { found } = fieldsOf(facts.learned['osv.batch']);
  return listIn(found).flatMap((row) => {
    const { ecosystem, name } = fieldsOf(row);
    return typeof ecosystem === 'string' && typeof name === 'string' ? [{ ecosystem, name }] : [];
  });
}

/** Severity in words, from GitHub or otherwise from the ecosystem; null if there is only a vector. */
function severityOf({ database_specific, affected }: Advisory): string | null {
  const said = [database_specific, ...(affected ?? []).map((row) => row.ecosystem_specific)];
  const words = textsIn(said.map((row) => fieldsOf(row).severity));
  return words.map((word) => SEVERITIES[word.toLowerCase()]).find((word) => word !== undefined) ?? null;
}

/** A repository's address without scheme and `.git`, in lower case, because spellings differ. */
const plain = (name: string) =>
  name
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\.git$/, '');

/** Fixed when every affected range of this code has an end. Unknown for an advisory that lists versions only. */
function stateOf({ affected }: Advisory, params: Params): 'open' | 'fixed' | 'unknown' {
  const own = (affected ?? []).flatMap((row) =>
    (row.ranges ?? []).filter(({ repo }) =>
      [row.package?.name, repo].some((name) => plain(name ?? '') === plain(String(params.name))),
    ),
  );
  if (own.length === 0) return 'unknown';
  const ended = own.every(({ events }) => (events ?? []).some((row) => 'fixed' in row || 'last_affected' in row));
  return ended ? 'fixed' : 'open';
}

function observe(reply: Static<typeof Query>, params: Params): readonly ObservationDraft[] {
  const rows = (reply.vulns ?? [])
    .filter(({ withdrawn }) => (withdrawn ?? null) === null)
    .map((row) => ({
      id: row.id.slice(0, 60),
      state: stateOf(row, params),
      severity: severityOf(row),
      vector: text(row.severity?.[0]?.score, 120),
      publishedAt: date(row.published),
      modifiedAt: date(row.modified),
      summary: text(row.summary, 160),
    }))
    .sort((a, b) => (b.publishedAt ?? '').localeCompare(a.publishedAt ?? '') || a.id.localeCompare(b.id));
  return observed('advisories', rows.length === 0 ? null : rows.slice(0, MOST_ADVISORIES), {
    scope: `code:${String(params.ecosystem).toLowerCase()}:${plain(String(params.name))}`.slice(0, 200),
    meaning: `${rows.length} advisories about ${plain(String(params.name))}, ${rows.filter(({ state }) => state === 'open').length} without a fix`,
  });
}

export const osv = defineSource({
  name: 'osv',
  title: 'OSV',
  doc: 'https://google.github.io/osv.dev/api/',
  family: 'osv',
  tier: 'registry',
  reliability: 0.9,
  bases: { main: 'https://api.osv.dev' },
  disabledReason: 'no feature uses it: advisories are shown as evidence only',
  terms: {
    attribution: { text: 'Advisories: OSV', url: 'https://osv.dev' },
    redistribute: true,
    keepBodyDays: 90,
    note: 'databases under Apache-2.0, CC-BY-4.0 or CC0, each named by the prefix of its ids',
  },
  budget: { perMinute: 60, burst: 10, concurrency: 4, shareSeconds: 3_600 },
  timeoutMs: 8_000,
  endpoints: [
    endpoint({
      name: 'querybatch',
      doc: 'POST /v1/querybatch: ids of advisories for each query, in their order (google.github.io/osv.dev/post-v1-querybatch; recorded by osv-scanner)',
      maxBytes: 2 * 1024 * 1024,
      plan: (facts) => {
        const repo = tiedRepo(facts);
        return repo === null ? [] : [{ repo }];
      },
      request: ({ repo }) =>
        post('/v1/querybatch', { queries: packagesOf(String(repo)).map((row) => ({ package: row })) }),
      reply: Batch,
      classify: ({ results }) =>
        results.length === 0 ? { outcome: 'malformed', detail: 'no results' } : { outcome: 'ok' },
      learn: learnBatch,
    }),
    endpoint({
      name: 'query',
      doc: 'POST /v1/query: the advisories about one package with ranges and severity (google.github.io/osv.dev/post-v1-query)',
      maxBytes: 8 * 1024 * 1024,
      plan: planQuery,
      request: ({ ecosystem = null, name = null }) => post('/v1/query', { package: { ecosystem, name } }),
      reply: Query,
      classify: ({ vulns }) => ((vulns ?? []).length === 0 ? { outcome: 'empty' } : { outcome: 'ok' }),
      observe,
    }),
  ],
});
