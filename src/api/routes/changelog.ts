import { existsSync, readFileSync } from 'node:fs';
import Type from 'typebox';
import { ChangelogFeed, ChangelogQuery, NOT_MODIFIED, problems, type Reply } from '../../contract/index.ts';
import { escapeHtml } from '../../domain/index.ts';
import type { ApiContext } from '../context.ts';
import { hashOf, sendTagged } from '../replies/send-json.ts';
import { addVary } from '../replies/vary.ts';
import { unkeyedTagged } from '../requests/account-request.ts';
import { acceptedTypes } from '../requests/headers.ts';
import type { Routes } from '../requests/read-requests.ts';

const FILE = new URL('../../../CHANGELOG.md', import.meta.url);
const HEADING = /^## (\S+) \((unreleased|\d{4}-\d{2}-\d{2})\)$/gm;
const CACHE = 'public, max-age=3600';
const ATOM = 'application/atom+xml';
const TITLE = 'Changes of Assay';
const ABOUT = 'Changes that users see, deprecations among them. The rating methodology has a log of its own.';

type Item = Reply<typeof ChangelogFeed>['items'][number];

/** GET /v1/changelog: the versions in CHANGELOG.md as a feed. Open; the file is read once. */
export function changelogRoutes(server: Routes, { dataMode }: Pick<ApiContext, 'dataMode'>): void {
  let items: readonly Item[] | null = null;
  server.get(
    '/v1/changelog',
    unkeyedTagged('service', {
      operationId: 'getChangelog',
      summary: 'Changes of the service, as a feed',
      description:
        'JSON Feed 1.1, or Atom (`Accept: application/atom+xml`, `format=atom`). A deprecation is announced here at least twelve months before the removal.',
      querystring: ChangelogQuery,
      response: {
        200: {
          description: 'The feed.',
          content: {
            'application/json': { schema: ChangelogFeed },
            [ATOM]: { schema: Type.String({ description: 'The same as an Atom feed (RFC 4287).' }) },
          },
        },
        ...NOT_MODIFIED,
        ...problems(400),
      },
    }),
    (request, reply) => {
      items ??= existsSync(FILE) ? itemsOf(readFileSync(FILE, 'utf8')) : [];
      const isAtom =
        request.query.format === 'atom' || (request.query.format ?? firstType(request.headers.accept)) === ATOM;
      addVary(reply.head, 'Accept');
      if (!isAtom) {
        const feed: Reply<typeof ChangelogFeed> = {
          version: 'https://jsonfeed.org/version/1.1',
          title: TITLE,
          description: ABOUT,
          items,
          data_mode: dataMode,
        };
        return sendTagged(request, reply, JSON.stringify(feed), CACHE);
      }
      const text = atomOf(items);
      return sendTagged(request, reply, text, CACHE, hashOf(text), `${ATOM}; charset=utf-8`);
    },
  );
}

function firstType(accept: string | undefined): string {
  return acceptedTypes(accept).find((type) => type === ATOM || type === 'application/json') ?? 'json';
}

/** One item per version, in the order of the file. */
export function itemsOf(text: string): readonly Item[] {
  const headings = [...text.matchAll(HEADING)];
  return headings.map(({ index, 0: heading, 1: version = '', 2: date = '' }, place) => ({
    id: `assay/${version}`,
    title: date === 'unreleased' ? `${version} (unreleased)` : version,
    content_text: text.slice(index + heading.length, headings[place + 1]?.index).trim(),
    ...(date === 'unreleased' ? {} : { date_published: `${date}T00:00:00Z` }),
  }));
}

/** Atom requires a time for every entry: an unreleased version gets the time of the newest release. */
export function atomOf(items: readonly Item[]): string {
  const newest = items.find(({ date_published: at }) => at !== undefined)?.date_published ?? '1970-01-01T00:00:00Z';
  const entries = items.map(
    ({ id, title, content_text: content, date_published: at = newest }) =>
      `<entry><id>tag:assay,2026:${escapeHtml(id)}</id><title>${escapeHtml(title)}</title><updated>${at}</updated><content type="text">${escapeHtml(content)}</content></entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>tag:assay,2026:changelog</id><title>${TITLE}</title><subtitle>${ABOUT}</subtitle><updated>${newest}</updated><author><name>Assay</name></author>
${entries.join('\n')}
</feed>
`;
}
