import { outside, plainWord } from './outside-text.ts';
import type { ToolFailure } from './tool.ts';

const MOST_CANDIDATES = 5;

/** Text of a failed call: the API’s stable code and its title. Texts that may quote outside text are marked. */
export function failureView({ detail, reply }: ToolFailure) {
  if (reply === undefined) return { error: { detail } };
  const problem = membersOf(reply.body);
  const included = problem.included_in;
  const next = nextOf(problem);
  return {
    error: {
      status: reply.status,
      code: plainWord(problem.code) ?? `http_${reply.status}`,
      title: typeof problem.title === 'string' ? problem.title.slice(0, 120) : detail,
      detail: outside(problem.detail, 300),
      // After the next step, the same call succeeds, whatever `retry` states about a plain repetition.
      retry: next === null ? plainWord(problem.retry) : 'after',
      ...(reply.retryAfter && /^\d{1,9}$/.test(reply.retryAfter)
        ? { retry_after_seconds: Number(reply.retryAfter) }
        : {}),
      ...(problem.required_scope === undefined ? {} : { required_scope: plainWord(problem.required_scope) }),
      ...(Array.isArray(included) ? { included_in: included.slice(0, 10).map(plainWord) } : {}),
      ...(Array.isArray(problem.errors) ? { errors: problem.errors.slice(0, 10).map(complaintOf) } : {}),
      ...(Array.isArray(problem.candidates)
        ? { candidates: problem.candidates.slice(0, MOST_CANDIDATES).map(candidateOf) }
        : {}),
      ...(next === null ? {} : { next }),
    },
  };
}

/** The step that makes the same call succeed; null where there is none. */
function nextOf(problem: Readonly<Record<string, unknown>>): string | null {
  if (problem.code === 'asset_not_rated')
    return 'score_project rates it, given the same text as asset; then make this call again';
  if (problem.code === 'no_snapshot_yet') return 'make this call again after retry_after_seconds';
  if (problem.code !== 'asset_not_indexed' || membersOf(problem.how_to_index).path === undefined) return null;
  return 'index_asset has it indexed, given the same chain and the address; then make this call again';
}

function complaintOf(complaint: unknown) {
  const { pointer, detail } = membersOf(complaint);
  return { pointer: plainWord(pointer), detail: outside(detail, 200) };
}

/** Candidates come directly from ratings, and under `asset` from scoring. */
function candidateOf(candidate: unknown) {
  const row = membersOf(candidate);
  const { id, symbol, name } = membersOf(row.asset ?? row);
  return { id: plainWord(id), symbol: outside(symbol, 32), name: outside(name, 80) };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
