import { type Problem, send } from './api.ts';

export interface StreamEvent {
  readonly id: string | null;
  readonly type: string;
  readonly data: string;
}

/** Events are small; a line that never ends is not read into memory. */
const LONGEST_BUFFER = 1_000_000;

/** Server-sent events by fetch, because EventSource cannot send a key in a header. Null: the stream ended by itself. */
export async function readStream(
  path: string,
  {
    after,
    onEvent,
    onOpen,
    signal,
  }: {
    readonly after?: string | null;
    readonly onEvent: (event: StreamEvent) => void;
    readonly onOpen?: () => void;
    readonly signal: AbortSignal;
  },
): Promise<Problem | null> {
  const sent = await send(path, { signal, headers: after ? { 'last-event-id': after } : {} });
  if (!sent.ok) return sent.problem;
  onOpen?.();
  const reader = sent.value.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    while (reader) {
      const { done, value } = await reader.read();
      if (done) break;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      if (rest.length > LONGEST_BUFFER) rest = '';
      for (const block of blocks) {
        const event = readEvent(block);
        if (event) onEvent(event);
      }
    }
  } catch {
    return null;
  }
  return null;
}

function readEvent(block: string): StreamEvent | null {
  let id: string | null = null;
  let type = '';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) id = line.slice(4);
    else if (line.startsWith('event: ')) type = line.slice(7);
    else if (line.startsWith('data: ')) data += line.slice(6);
  }
  return id === null && type === '' ? null : { id, type, data };
}
