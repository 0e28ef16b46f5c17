import Type, { type Static } from 'typebox';
import { type SiteFact, siteFacts } from '../../domain/index.ts';
import { isOwnPage, registrableDomain } from '../links.ts';
import { observed } from '../observations.ts';
import { listsUnder, textsIn } from '../read.ts';
import { atUrl } from '../requests.ts';
import { endpoint, type Facts } from '../source.ts';
import { readFacts } from './facts/read-facts.ts';
import { isAllowed } from './robots.ts';

/** Larger files consist mostly of images. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_PAPERS = 2;
/** Length of a sentence's beginning by which its page is found. */
const PREFIX_LENGTH = 60;

const TITLE = /(?:white|lite|yellow) ?paper/i;

/** The reply of the thread that reads PDF files (`evidence/pdf`). */
export const PDF_TEXT = Type.Object({
  unread: Type.Union([Type.Null(), Type.String({ maxLength: 200 })]),
  pageCount: Type.Number(),
  pages: Type.Array(
    Type.Object({
      number: Type.Number(),
      blocks: Type.Array(Type.Object({ text: Type.String(), isHeading: Type.Boolean(), size: Type.Number() })),
    }),
    { maxItems: 1_000 },
  ),
});

/** Facts of a paper; none for a paper that redirected to another domain. */
export const paperEndpoint = endpoint({
  name: 'paper',
  doc: 'Of a project without a token: white paper in PDF on its own site, its text alone (ISO 32000-2)',
  format: 'pdf',
  maxBytes: MOST_BYTES,
  timeoutMs: 15_000,
  plan: papersOf,
  request: atUrl,
  reply: PDF_TEXT,
  classify: (reply) =>
    reply.unread === null
      ? { outcome: 'ok' }
      : { outcome: 'malformed', detail: `the paper could not be read: ${reply.unread}` },
  observe: (reply, params, meta) => {
    const requested = String(params.url);
    const url = meta.url || requested;
    if (!isOwnPage(url) || registrableDomain(url) !== registrableDomain(requested)) return [];
    const facts = paperFacts(reply, url, String(params.project));
    return observed(
      'site_facts',
      facts.map((fact) => ({ ...fact })),
      { scope: `page:${requested}` },
    );
  },
});

/** The PDF papers on the project's own site that a page links. */
export function papersIn(facts: readonly SiteFact[], page: string): readonly string[] {
  return facts.flatMap(({ kind, link }) =>
    kind === 'unread_paper' &&
    link !== null &&
    /\.pdf(?:$|[?#])/i.test(link) &&
    isOwnPage(link) &&
    registrableDomain(link) === registrableDomain(page)
      ? [link.split('#')[0] ?? link]
      : [],
  );
}

function papersOf({ learned, stage, project }: Facts) {
  const { 'website.robots': robots } = learned;
  if (stage !== 'pre_tge' || typeof robots !== 'string') return [];
  const linked = textsIn(listsUnder('website.papers:', learned)).filter((url) => isAllowed(robots, url));
  return [...new Set(linked)].slice(0, MOST_PAPERS).map((url) => ({ url, project }));
}

/** The facts of the whole paper, each with its page number in the URL (`#page=3`, RFC 8118). */
export function paperFacts(paper: Static<typeof PDF_TEXT>, url: string, project: string): readonly SiteFact[] {
  const html = `<html><head><title>Abstract</title></head><body><main>${bodyOf(paper)}</main></body></html>`;
  const pages = paper.pages.map(({ number, blocks }) => ({
    number,
    text: plain(blocks.map((block) => block.text).join(' ')),
  }));
  const base = (url.split('#')[0] ?? url).slice(0, 380);
  return siteFacts(
    // Read as if it were at the site's root, because the words of a paper's URL would make every sentence a statement about the token.
    readFacts(html, new URL('/', url).href, project).map((fact) => {
      if (fact.kind === 'page') return { ...fact, name: 'white paper', sentence: 'white paper', url: base };
      const page = pages.find(({ text }) => text.includes(opening(fact.sentence)));
      return { ...fact, url: page === undefined ? base : `${base}#page=${page.number}` };
    }),
  );
}

/** HTML with heading levels by font size, so that a chapter's name applies to its sections. The paper's title is not a topic. */
function bodyOf(paper: Static<typeof PDF_TEXT>): string {
  const blocks = paper.pages.flatMap((page) => page.blocks);
  const sizes = [...new Set(blocks.filter((block) => block.isHeading).map((block) => block.size))].sort(
    (a, b) => b - a,
  );
  return blocks
    .map(({ text, isHeading, size }) => {
      const level = Math.min(6, 1 + sizes.indexOf(size));
      const tag = isHeading && !TITLE.test(text) ? `h${level}` : 'p';
      return `<${tag}>${escaped(text)}</${tag}>`;
    })
    .join('\n');
}

function opening(sentence: string): string {
  return plain(sentence).slice(0, PREFIX_LENGTH);
}

function plain(text: string): string {
  return text.replaceAll(/[^\p{L}\d]+/gu, ' ').trim();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
