import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { Fault, toFault } from './fault.ts';

export interface Exchange {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly connectMs: number;
  readonly headersMs: number;
  /** Aborts with a `Fault` as its reason. */
  readonly signal: AbortSignal;
}

export interface Head {
  readonly status: number;
  /** Lower-case names; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Raw bytes as sent. Destroying it ends the connection. */
  readonly stream: Readable;
}

/**
 * Sends one request to one address and waits for the head of the answer; redirects come back as they are. Throws
 * `Fault`. The body flows only as fast as it is read.
 */
export function exchange(dispatcher: Dispatcher, wanted: Exchange): Promise<Head> {
  return new Promise((resolve, reject) => {
    let control: Dispatcher.DispatchController | null = null;
    let stream: Readable | null = null;
    let over: Fault | null = null;
    let sent = false;
    let timer = setTimeout(() => stop(new Fault('timeout', 'no connection in time')), wanted.connectMs);

    function stop(fault: Fault): void {
      if (over) return;
      over = fault;
      clearTimeout(timer);
      wanted.signal.removeEventListener('abort', onAbort);
      if (stream) stream.destroy(fault);
      else reject(new Fault(fault.reason, fault.message, sent));
      control?.abort(fault);
    }
    const onAbort = () => stop(toFault(wanted.signal.reason, 'headers'));

    if (wanted.signal.aborted) return onAbort();
    wanted.signal.addEventListener('abort', onAbort, { once: true });
    try {
      dispatcher.dispatch(
        {
          origin: wanted.url.origin,
          path: wanted.url.pathname + wanted.url.search,
          method: wanted.method,
          headers: { ...wanted.headers },
          body: wanted.body,
        },
        {
          onRequestStart(controller) {
            control = controller;
            if (over) return controller.abort(over);
            sent = true;
            clearTimeout(timer);
            timer = setTimeout(() => stop(new Fault('timeout', 'no headers in time')), wanted.headersMs);
          },
          onResponseStart(controller, status, headers) {
            if (status < 200) return;
            clearTimeout(timer);
            stream = new Readable({
              read: () => controller.resume(),
              destroy(error, done) {
                wanted.signal.removeEventListener('abort', onAbort);
                if (!controller.aborted && !this.readableEnded) controller.abort(error ?? new Error('not wanted'));
                done(error);
              },
            });
            // Whoever reads the stream hears of errors there; an error before that must not end the process.
            stream.on('error', () => {});
            resolve({ status, headers: flatten(headers), stream });
          },
          onResponseData(controller, chunk) {
            if (stream?.push(chunk) === false) controller.pause();
          },
          onResponseEnd() {
            wanted.signal.removeEventListener('abort', onAbort);
            stream?.push(null);
          },
          onResponseError(_controller, error) {
            if (stream) stream.destroy(toFault(error, 'body'));
            stop(toFault(error, 'headers'));
          },
        },
      );
    } catch (error) {
      // A closed client, or a header that cannot be sent.
      stop(toFault(error, 'headers'));
    }
  });
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  return flat;
}
