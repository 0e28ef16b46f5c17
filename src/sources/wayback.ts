import Type from 'typebox';
import { observed } from './observations.ts';
import { date } from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint } from './source.ts';

/**
 * Internet Archive: when a website was first captured.
 *
 * Lineage: the archive's own captures; family `wayback`. A capture proves that the site existed on that day, not who owned the domain,
 * and a missing capture does not mean that a site is younger. Terms: the archive's terms of use were not read. Limits: none published, 429
 * on bursts; replies often take longer than a rating may, so it is off by default. Quirks: text in seven columns, oldest first; a status
 * of `-` repeats an earlier capture; a blocked site returns 403 with `AdministrativeAccessControl`, which does not mean absence.
 */
/** urlkey, timestamp, original, mimetype, statuscode, digest, length. */
const CAPTURE = /^\S+ (\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2}) \S+ \S+ (?:[23]\d\d|-) \S+ \S+$/m;
/** The archive began in 1996. */
const FIRST_YEAR = 1996;

function firstCapture(text: string): string | null {
  const [, year = '', month, day, hours, minutes, seconds] = CAPTURE.exec(text) ?? [];
  return Number(year) >= FIRST_YEAR ? date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`) : null;
}

export const wayback = defineSource({
  name: 'wayback',
  title: 'Internet Archive',
  doc: 'https://github.com/internetarchive/wayback/tree/master/wayback-cdx-server',
  family: 'wayback',
  tier: 'registry',
  reliability: 0.9,
  bases: { main: 'https://web.archive.org' },
  disabledReason: 'its replies often take longer than the time limit of a rating, and its terms were not read',
  terms: { redistribute: false, keepBodyDays: 30, note: 'terms of use not read' },
  budget: { perMinute: 10, burst: 2, concurrency: 1, shareSeconds: 86_400 },
  timeoutMs: 8_000,
  endpoints: [
    endpoint({
      name: 'cdx',
      doc: '/cdx/search/cdx?url=&limit=1&filter=!statuscode:[45]..: the oldest capture that was not an error (recorded 2022-10, 2023-09)',
      format: 'text',
      maxBytes: 64 * 1024,
      plan: ({ registrableDomain }) => (registrableDomain === null ? [] : [{ domain: registrableDomain }]),
      request: get('/cdx/search/cdx', { url: '{domain}', limit: 1, filter: '!statuscode:[45]..' }),
      reply: Type.String(),
      classify: (reply) => {
        if (firstCapture(reply) !== null) return { outcome: 'ok' };
        return reply.trim() === ''
          ? { outcome: 'not_found' }
          : { outcome: 'malformed', detail: 'no line of a capture' };
      },
      observe: (reply) =>
        observed('site_archived_at', firstCapture(reply), 'oldest capture of the domain’s first page'),
    }),
  ],
});
