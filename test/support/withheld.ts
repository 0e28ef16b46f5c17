import type { EvidenceRecord, RequestOutcome, ResponseRecord } from '../../src/domain/evidence.ts';
import type { Observation } from '../../src/domain/observation.ts';
import { assemble } from '../../src/evidence/assemble.ts';
import { bindSources } from '../../src/evidence/book.ts';
import { metaOf, readReply } from '../../src/evidence/read-reply.ts';
import type { RecordedReply } from '../../src/evidence/request-once.ts';
import { SOURCES } from '../../src/sources/index.ts';

/** How the rated party can keep a reply back. */
export type Manner = 'not_found' | 'timeout' | 'empty' | 'refused';
export const MANNERS: readonly Manner[] = ['not_found', 'timeout', 'empty', 'refused'];

const BOOK = bindSources(SOURCES, {});
const OUTCOMES: Readonly<Record<Exclude<Manner, 'empty'>, { outcome: RequestOutcome; status: number | null }>> = {
  not_found: { outcome: 'not_found', status: 404 },
  timeout: { outcome: 'timeout', status: null },
  refused: { outcome: 'http_error', status: 403 },
};

/** Replies that the rated party decides on, each with those it can only give or keep back together. */
export function ownReplies(evidence: EvidenceRecord): readonly (readonly ResponseRecord[])[] {
  const answered = evidence.responses.filter(({ outcome }) => outcome === 'ok');
  const site = answered.filter(({ source }) => source === 'website').map((record) => [record]);
  // A repository is public or it is not; a host has a certificate that can be seen or none.
  const whole = ['github', 'tls'].map((name) => answered.filter(({ source }) => source === name));
  return [...site, ...whole.filter((records) => records.length > 0)];
}

/** The same evidence, collected while these replies were kept back. */
export function withheld(
  evidence: EvidenceRecord,
  replies: readonly { readonly records: readonly ResponseRecord[]; readonly manner: Manner }[],
): EvidenceRecord {
  const mannerOf = new Map(replies.flatMap(({ records, manner }) => records.map(({ id }) => [id, manner] as const)));
  const said = Map.groupBy(evidence.observations, ({ responseId }) => responseId);
  const answers = evidence.responses.map((record): RecordedReply => {
    const manner = mannerOf.get(record.id);
    return manner === undefined ? answerOf(record, said.get(record.id) ?? []) : kept(record, manner);
  });
  const { observations, responses, sources } = assemble(
    answers,
    BOOK,
    new Set(evidence.identification.foreignResponses),
  );
  // What is off here may have been on where the evidence is from, and the other way round.
  const before = new Map(evidence.sources.map((row) => [row.name, row]));
  const touched = new Set(replies.flatMap(({ records }) => records.map(({ source }) => source)));
  return {
    ...evidence,
    observations,
    responses,
    sources: [
      ...evidence.sources.filter(({ name }) => !touched.has(name)),
      ...sources.filter(({ name }) => touched.has(name) && before.has(name)),
    ],
  };
}

/** Equal for replies that give the same evidence when they are kept back: what others host for the party is there or not, in every manner. */
export function withheldKey(
  replies: readonly { readonly records: readonly ResponseRecord[]; readonly manner: Manner }[],
): string {
  return replies
    .flatMap(({ records, manner }) => records.map(({ id, source }) => (source === 'website' ? `${id} ${manner}` : id)))
    .sort()
    .join();
}

function kept(record: ResponseRecord, manner: Manner): RecordedReply {
  // Only its own host can refuse or be slow; what others host for it is there or not.
  const own = record.source === 'website';
  if (manner === 'empty' && own) return empty(record);
  const { outcome, status } =
    OUTCOMES[own ? (manner === 'empty' ? 'not_found' : manner) : record.source === 'tls' ? 'timeout' : 'not_found'];
  return answerOf({ ...record, outcome, status, sha256: null, bytes: null }, []);
}

function empty(record: ResponseRecord): RecordedReply {
  const source = BOOK.get(record.source)?.source;
  const endpoint = source?.endpoints.find(({ name }) => name === record.endpoint);
  if (!source || !endpoint) return answerOf(record, []);
  const body = new Uint8Array();
  const read = readReply(source, endpoint, record.params as Record<string, never>, body, metaOf(record), record.id);
  return answerOf({ ...record, outcome: read.outcome, bytes: 0 }, read.observations);
}

function answerOf(record: ResponseRecord, observations: readonly Observation[]): RecordedReply {
  return { record, reply: null, observations, learned: {}, body: null };
}
