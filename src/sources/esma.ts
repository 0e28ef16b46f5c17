import Type from 'typebox';
import {
  type CsvRow,
  citedLicence,
  complaintOf,
  dayOf,
  EMT_COLUMNS,
  papersOf,
  publicCopies,
  readCsv,
  registerTerms,
  SHIPPED_FOLDER,
} from '../registers/index.ts';
import { observed } from './observations.ts';
import { rowsOfAsset } from './registers.ts';
import { defineSource, endpoint, type Facts, ONE_ROW, type Params, type ReplyMeta } from './source.ts';
import { rowsOfText } from './text-lists.ts';

/**
 * European Securities and Markets Authority: the interim register of e-money tokens under MiCA, a public file.
 *
 * Lineage: family `esma`; national authorities report to it. It is read only for issuers whose row in the register of issuers cites a white paper listed in it:
 * the row proves that the tokens are the issuer's, the file that the issuer is authorised today. Terms: reuse with attribution. Limits: none published; one file
 * a day. Quirks (recorded 2026-02-09): a byte order mark; DD/MM/YYYY; an issuer has a row for each white paper; an end date means that the entry has ended;
 * `EMT_NO_WP` in place of an address; tokens of an issuer in a limited network are not offered to the public. The file is one row here, because only the whole
 * file shows that an issuer is absent. Its date is `Last-Modified`, otherwise the newest change in the file.
 */
interface Register {
  readonly rows: readonly CsvRow[];
}

const { pathname: PATH, origin: ORIGIN } = new URL(registerTerms().public.esma_emt);
const PAGE =
  'https://www.esma.europa.eu/esmas-activities/digital-finance-and-innovation/markets-crypto-assets-regulation-mica';
/** Columns that are evaluated, and further columns for readers of the evidence. */
const COLUMNS = [...EMT_COLUMNS, 'ae_lei_name', 'wp_lastupdate'];

/** Why the file is rejected; null if it is accepted. An archived file is not compared with an earlier copy. */
function complaintAbout(text: string): string | null {
  const { shrink_limit: limit } = registerTerms();
  if (!text.startsWith('['))
    return complaintOf(readCsv(text), EMT_COLUMNS, publicCopies(SHIPPED_FOLDER).esma_emt, limit);
  const [archived] = JSON.parse(text) as readonly Partial<Register>[];
  return complaintOf(archived?.rows ?? null, EMT_COLUMNS, undefined, limit);
}

/** The whole file as one row; [] for a rejected file. */
function registerIn(text: string): readonly Register[] {
  const rows = text.startsWith('[') ? null : readCsv(text);
  if (rows === null || complaintAbout(text) !== null) return [];
  return [{ rows: rows.map((row) => Object.fromEntries(COLUMNS.map((column) => [column, row[column] ?? '']))) }];
}

/** The legal entities that the asset's rows cite, including the operator's own rows. */
function issuersOf(facts: Facts): readonly Params[] {
  const { shipped, own } = rowsOfAsset(facts);
  const leis = [shipped.issuer, own.issuer].flatMap((row) => citedLicence(row)?.lei ?? []);
  return [...new Set(leis)].map((lei) => ({ lei }));
}

function listedIn(reply: string, { lei }: Params, { headers, fetchedAt }: ReplyMeta) {
  return rowsOfText(reply, registerIn).map(({ rows }) => ({
    lei: String(lei),
    day: dayOf(rows, headers['last-modified'], fetchedAt.slice(0, 10)),
    papers: papersOf(rows, String(lei)),
  }));
}

export const esma = defineSource({
  name: 'esma',
  title: 'ESMA register of e-money tokens',
  doc: PAGE,
  family: 'esma',
  tier: 'registry',
  reliability: 0.95,
  bases: { main: ORIGIN },
  terms: {
    attribution: { text: 'Register of e-money tokens: ESMA', url: PAGE },
    redistribute: true,
    keepBodyDays: null,
    note: 'reuse with the source named; read in the notes to the recorded files, not at ESMA',
  },
  budget: { perMinute: 6, burst: 2, concurrency: 1, shareSeconds: 3_600 },
  timeoutMs: 20_000,
  endpoints: [
    endpoint({
      name: 'emt',
      doc: `${PATH}: white papers of e-money tokens with their issuers (recorded 2026-02-09, 33 rows, 12 kB)`,
      format: 'text',
      maxBytes: 1024 * 1024,
      plan: issuersOf,
      request: () => ({ path: PATH }),
      reply: Type.String(),
      classify: (reply) => {
        const complaint = Array.isArray(reply) ? null : complaintAbout(reply);
        return complaint === null ? { outcome: 'ok' } : { outcome: 'malformed', detail: complaint };
      },
      list: {
        ...ONE_ROW,
        refreshSeconds: 24 * 60 * 60,
        isAwaited: true,
        rowsOf: (reply) => registerIn(String(reply)),
        refuses: (reply, before) => {
          const [now, held] = [reply, before].map((text) => registerIn(String(text))[0]?.rows.length ?? 0);
          const isShort = (now ?? 0) < (held ?? 0) * (1 - registerTerms().shrink_limit);
          return isShort ? `the register has ${now} rows, and the previous one had ${held}` : null;
        },
      },
      observe: (reply, params, meta) =>
        listedIn(reply, params, meta).flatMap((listed) =>
          observed('register_row', listed, { scope: 'register:esma_emt', meaning: `ESMA’s register of ${listed.day}` }),
        ),
      // The register of issuers uses this fact to update its row.
      learn: (reply, params, meta) =>
        Object.fromEntries(listedIn(reply, params, meta).map((listed) => [`esma.issuer:${listed.lei}`, listed])),
    }),
  ],
});
