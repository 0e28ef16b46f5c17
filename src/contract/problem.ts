import Type from 'typebox';

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: '`urn:assay:problem:` and the code.' }),
    title: Type.String({ description: 'The problem in short; the same for every such problem.' }),
    status: Type.Integer({ description: 'HTTP status of the reply.' }),
    detail: Type.String({ description: 'What happened this time, what was expected, and what to do.' }),
    instance: Type.String({ description: 'The requested path.' }),
    code: Type.String({ description: 'A stable code for programs.' }),
    request_id: Type.String({ description: '`X-Request-Id` of the reply: quote it when you report the problem.' }),
    retry: Type.Union([Type.Literal('no'), Type.Literal('same'), Type.Literal('after'), Type.Literal('corrected')], {
      description:
        'Whether to repeat the request: `no`; the `same` request at once; the same `after` Retry-After; or a `corrected` one.',
    }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'JSON pointer (RFC 6901) to the field, or `/` and the parameter.' }),
          code: Type.String({ description: 'A stable code.' }),
          detail: Type.String({ description: 'What was expected there.' }),
        }),
        { description: 'Every error of the request, all at once.' },
      ),
    ),
  },
  {
    title: 'Problem',
    additionalProperties: true,
    description: 'What went wrong (RFC 9457). Some problems have further members, such as `candidates` or `limit`.',
  },
);

/** The reply without a body to a request that was carried out. */
export const DONE = { 204: Type.Null({ description: 'Done; there is no body.' }) };

/** Security of routes that need a key: the header, or a bearer token. */
export const KEYED: { [scheme: string]: string[] }[] = [{ apiKey: [] }, { bearer: [] }];

/** The problem replies of a route, by status. */
export function problems(...statuses: readonly number[]): Record<number, unknown> {
  // Every route with a key may refuse requests because of too frequent use, or after too many invalid keys.
  const all = new Set(statuses.includes(401) ? [...statuses, 429] : statuses);
  return Object.fromEntries(
    [...all].map((status) => [
      status,
      {
        description: DESCRIPTIONS[status] ?? 'A problem (RFC 9457).',
        content: { 'application/problem+json': { schema: ProblemSchema } },
      },
    ]),
  );
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is invalid; `errors` lists every error.',
  401: 'missing_api_key, invalid_api_key or expired_api_key.',
  402: 'payment_required, payment_refused or payment_not_settled: where requests are sold without a key, `accepts` gives the price (x402 version 2; also in the header PAYMENT-REQUIRED).',
  403: 'The key or its plan does not include this (`plan_does_not_include` names the plan that does).',
  404: 'What was requested does not exist: `code` states what, `detail` how to get it.',
  409: 'Conflict with the current state: ambiguous_project, ambiguous_asset, idempotency_key_reused, job_already_finished, cancelled, no_evidence, webhook_disabled, too_many_open_disputes or dispute_already_resolved.',
  413: 'body_too_large, or batch_too_large: more assets than the plan allows in one batch.',
  415: 'The body is not JSON.',
  422: 'project_not_identified: no evidence links a project of this name to the url; not_a_token, unsupported_asset: it cannot be indexed.',
  416: 'The range is outside the file.',
  429: 'rate_limited, quota_exhausted, concurrency_limited, too_many_jobs or too_many_wrong_keys; see Retry-After.',
  503: 'no_source_reachable, sources_busy, evidence_unavailable, export_unreadable, not_ready, overloaded, facilitator_away, payment_outcome_unknown or shutting_down.',
};
