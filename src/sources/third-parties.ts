import Type from 'typebox';
import type { Json, ObservationDraft, Tie } from '../domain/index.ts';
import { tieDraft } from './github-ties.ts';
import { fieldsOf, listsUnder } from './read.ts';
import { atUrl } from './requests.ts';
import { defineSource, endpoint, type Facts, type Params, type ReplyMeta } from './source.ts';
import { namedIn, namesIn, namesOf, type TiePage, tiePageOf } from './ties.ts';
import { PDF_TEXT } from './website/paper.ts';

/**
 * Audit firms and bounty platforms: checks whether the page that the project links names the project.
 *
 * Lineage: the firm's own pages, family `third_parties`. Only hosts and repositories of the kept list (`website/auditors.ts`) are
 * requested, without query and fragment, and only pages that the firm itself writes; a reply from another host does not count. A page
 * confirms the link if it names the project's domain, its contract, or one of its repositories. The project's name alone does not count,
 * because anyone can use it. Quirks: pages that are filled by scripts or that block bots leave the link unconfirmed (including CertiK's).
 */
const MOST_PAGES = 8;
const MOST_OF_ONE = 2;
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_PDF_BYTES = 8 * 1024 * 1024;
const MOST_TEXT = 600_000;
const MOST_OWNERS = 12;

/** Params in a stable order, with at most two links to each firm, so that one firm's links do not displace those of another. */
function planned(facts: Facts, isPdf: boolean): readonly Params[] {
  const names = namesOf(facts);
  if (names === null) return [];
  const ends = endsIn(listsUnder('third_parties.', facts.learned));
  const found = new Map(ends.map((row) => [`${row.kind} ${row.url}`, row]));
  const counts = new Map<string, number>();
  const chosen = [...found.values()].filter((row) => {
    const count = (counts.get(`${row.kind} ${row.subject}`) ?? 0) + 1;
    counts.set(`${row.kind} ${row.subject}`, count);
    return count <= MOST_OF_ONE;
  });
  return chosen
    .slice(0, MOST_PAGES)
    .filter((row) => /\.pdf$/i.test(new URL(row.url).pathname) === isPdf)
    .map((row) => ({ ...row, ...names }));
}

/** Validates learned rows again, because addresses from another source are not trusted. */
function endsIn(rows: readonly Json[]): readonly TiePage[] {
  return rows.flatMap((row) => {
    const { kind, url } = fieldsOf(row);
    return (kind === 'audit' || kind === 'bounty') && typeof url === 'string' ? (tiePageOf(kind, url) ?? []) : [];
  });
}

function observe(text: string, params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  const { kind } = params;
  if (kind !== 'audit' && kind !== 'bounty') return [];
  const requested = String(params.url);
  const at = tiePageOf(kind, meta.url || requested);
  const subject = String(params.subject);
  const isSame = at !== null && at.subject === subject;
  const found = isSame ? namedIn(text.slice(0, MOST_TEXT), namesIn(params), `${requested} ${meta.url}`) : null;
  const owners = isSame ? ownersIn(text.slice(0, MOST_TEXT)) : [];
  const tie: Tie = {
    kind,
    subject,
    state: found === null ? 'linked' : 'confirmed',
    by:
      found !== null
        ? `the page of ${subject} ${found}`
        : isSame
          ? `the page of ${subject} does not name the project`
          : `the link leads away from ${subject}`,
    link: requested,
    ...(found === null && owners.length > 0 ? { owners } : {}),
  };
  return [tieDraft('third_parties', [tie], requested)];
}

/** GitHub owners of the repositories in the text; reports name the code that was reviewed. */
function ownersIn(text: string): readonly string[] {
  const found = [...text.matchAll(/github\.com\/([A-Za-z0-9-]{1,39})\/[A-Za-z0-9._-]/g)].slice(0, 500);
  return [...new Set(found.map((match) => (match[1] ?? '').toLowerCase()))].sort().slice(0, MOST_OWNERS);
}

export const thirdParties = defineSource({
  name: 'third_parties',
  title: 'Audit firms and bounty platforms',
  doc: 'our own reading of public pages',
  family: 'third_parties',
  tier: 'registry',
  reliability: 0.8,
  trust: 'outside',
  bases: {},
  terms: {
    redistribute: true,
    keepBodyDays: 30,
    note: 'public pages and reports of audit firms and bounty platforms; only whether they name the project is kept',
  },
  budget: { perMinute: 60, burst: 12, concurrency: 4, shareSeconds: 3_600 },
  timeoutMs: 8_000,
  endpoints: [
    endpoint({
      name: 'page',
      doc: 'The report or the programme that the project links, on the firm’s own host: whether it names the project',
      format: 'html',
      maxBytes: MOST_BYTES,
      plan: (facts) => planned(facts, false),
      request: atUrl,
      reply: Type.String(),
      observe,
    }),
    endpoint({
      name: 'report',
      doc: 'The same for a report in PDF, its text alone (ISO 32000-2)',
      format: 'pdf',
      maxBytes: MOST_PDF_BYTES,
      timeoutMs: 15_000,
      plan: (facts) => planned(facts, true),
      request: atUrl,
      reply: PDF_TEXT,
      classify: (reply) =>
        reply.unread === null
          ? { outcome: 'ok' }
          : { outcome: 'malformed', detail: `the report could not be read: ${reply.unread}` },
      observe: (reply, params, meta) =>
        observe(reply.pages.flatMap((page) => page.blocks.map((block) => block.text)).join('\n'), params, meta),
    }),
  ],
});
