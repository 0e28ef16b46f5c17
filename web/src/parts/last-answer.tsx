import { count } from '../format.ts';
import type { ReplyOf } from '../types.ts';
import { Age } from './moment.tsx';

type Source = ReplyOf<'GET /v1/status'>['sources'][number];

/** How fast a source answers; where this service has not asked it since it began, how long ago it answered last. */
export function LastReply({ of }: { readonly of: Pick<Source, 'latency_ms' | 'succeeded_at'> }) {
  if (of.latency_ms !== null) return `${count(of.latency_ms)} ms`;
  if (of.succeeded_at === null) return 'no reply yet';
  return (
    <>
      <Age of={of.succeeded_at} /> ago
    </>
  );
}
