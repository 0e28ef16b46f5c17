import Type from 'typebox';

export const ProblemSchema = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String(),
    code: Type.String({ description: 'A stable word for programs.' }),
    request_id: Type.String(),
    retry: Type.Union([Type.Literal('no'), Type.Literal('same'), Type.Literal('after'), Type.Literal('corrected')]),
    errors: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.String(), code: Type.String(), detail: Type.String() })),
    ),
  },
  { title: 'Problem', additionalProperties: true },
);

/** Security of routes that need a key: the header, or a bearer token. */
export const KEYED: { [scheme: string]: string[] }[] = [{ apiKey: [] }, { bearer: [] }];

/** The problem replies of a route, by status. */
export function problems(...statuses: readonly number[]): Record<number, unknown> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: DESCRIPTIONS[status] ?? 'A problem (RFC 9457).',
        content: { 'application/problem+json': { schema: ProblemSchema } },
      },
    ]),
  );
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is not right; `errors` names every complaint.',
  401: 'missing_api_key, invalid_api_key or expired_api_key.',
  403: 'The key or its plan does not include this (`plan_does_not_include` names the plan that does).',
  404: 'Not there.',
  409: 'ambiguous_project, ambiguous_asset, idempotency_key_reused, job_already_finished or cancelled.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'project_not_identified: nothing ties a project of this name to the url.',
  416: 'The range does not lie in the file.',
  429: 'rate_limited, quota_exhausted, concurrency_limited or too_many_jobs; see Retry-After.',
  503: 'no_source_reachable, not_ready or shutting_down.',
};
