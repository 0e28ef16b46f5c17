import { createEventParser, type ServerEvent } from '../../client/src/event-parser.ts';

export interface EventReader {
  readonly events: readonly ServerEvent[];
  readonly lastEventId: string;
  /** True when the service has ended the stream. */
  readonly isOver: boolean;
  /** Resolves when the events read so far are as wished; rejects after `ms`. */
  until(wished: (events: readonly ServerEvent[]) => boolean, ms?: number): Promise<void>;
  close(): void;
}

/** Reads a stream of events from outside, as a client would. Throws when the reply is not 200. */
export async function readEvents(url: string, headers: Record<string, string>): Promise<EventReader> {
  const stop = new AbortController();
  const response = await fetch(url, { headers, signal: stop.signal });
  if (response.status !== 200 || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  const parser = createEventParser(headers['last-event-id'] ?? '');
  const events: ServerEvent[] = [];
  let over = false;
  let waiting: (() => void)[] = [];
  const wake = () => {
    for (const one of waiting) one();
    waiting = [];
  };
  const { body } = response;
  void (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const piece of body) {
        events.push(...parser.feed(decoder.decode(piece, { stream: true })));
        wake();
      }
    } catch {
      // Closed by this side, or cut off.
    }
    over = true;
    wake();
  })();
  return {
    events,
    get lastEventId() {
      return parser.lastEventId;
    },
    get isOver() {
      return over;
    },
    async until(wished, ms = 10_000) {
      const end = performance.now() + ms;
      while (!wished(events)) {
        if (performance.now() > end)
          throw new Error(
            `not within ${ms} ms: ${JSON.stringify(events.map(({ type, id }) => [type, id])).slice(0, 600)}`,
          );
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          setTimeout(resolve, 100);
        });
      }
    },
    close: () => stop.abort(),
  };
}
