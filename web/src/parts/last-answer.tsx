import { count } from '../format.ts';
import type { ReplyOf } from '../types.ts';
import { Age } from './moment.tsx';

type Source = ReplyOf<'GET /v1/status'>['sources'][number];

/** Latency of a source; if this service has sent it no request since it started, the time since its last reply. */
export function LastReply({ of }: { readonly of: Pick<Source, 'latency_ms' | 'succeeded_at'> }) {
  if (of.latency_ms !== null) return `${count(of.latency_ms)} ms`;
  if (of.succeeded_at === null) return 'no reply yet';
  return (
    <>
      <Age of={of.succeeded_at} /> ago
    </>
  );
}
