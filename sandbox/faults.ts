import type { ScaledQuantity } from './world/types.ts';

export const FAULT_KINDS = [
  'latency',
  'rate_limited',
  'server_error',
  'reset_mid_body',
  'truncated_json',
  'wrong_content_type',
  'error_body',
  'gzip_bomb',
  'slow_drip',
  'redirect_loopback',
  'redirect_metadata',
  'scale',
  'empty',
  'refused',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  /** Fixed name of a source, or `*` for all. */
  readonly source: string;
  /** Only requests whose path holds this text. */
  readonly endpoint?: string;
  readonly kind: FaultKind;
  /** Milliseconds: delay of `latency`, gap between bytes of `slow_drip`. Default 200. */
  readonly ms?: number;
  /** Seconds of `Retry-After` with `rate_limited`; default 30. */
  readonly retryAfterSeconds?: number;
  /** Status of `server_error`; default 503. */
  readonly status?: number;
  /** The quantity that `scale` multiplies, and the factor (default price, 1000). */
  readonly quantity?: ScaledQuantity;
  readonly factor?: number;
  /** Number of requests after which it ends; default: until it is cleared. */
  readonly times?: number;
}

/** The active faults. */
export interface FaultBook {
  add(fault: Fault): void;
  clear(): void;
  list(): readonly Fault[];
  /** Faults that hit this request; counts down those with `times`. */
  hit(source: string, path: string): readonly Fault[];
  /** Product of the `scale` faults on a source's quantity. */
  scale(source: string, quantity: ScaledQuantity): number;
  /** Increases with every change, so that a scene made before it is not used after it. */
  version(): number;
}

export function createFaultBook(): FaultBook {
  let entries: { readonly fault: Fault; left: number }[] = [];
  let version = 0;
  const matches = (fault: Fault, source: string) => fault.source === '*' || fault.source === source;
  return {
    add(fault) {
      entries.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
      version += 1;
    },
    clear() {
      entries = [];
      version += 1;
    },
    list: () => entries.map((entry) => entry.fault),
    hit(source, path) {
      const hits = entries.filter(
        ({ fault, left }) => left > 0 && matches(fault, source) && path.includes(fault.endpoint ?? ''),
      );
      for (const entry of hits) entry.left -= 1;
      return hits.map((entry) => entry.fault);
    },
    scale: (source, quantity) =>
      entries
        .filter(
          ({ fault }) => fault.kind === 'scale' && matches(fault, source) && (fault.quantity ?? 'price') === quantity,
        )
        .reduce((product, { fault }) => product * (fault.factor ?? 1000), 1),
    version: () => version,
  };
}

/** Parses a fault from the control interface's JSON; returns a sentence when it is invalid. */
export function parseFault(value: unknown): Fault | string {
  if (typeof value !== 'object' || value === null) return 'a fault is an object {source, kind, ...}';
  const fault = value as Partial<Fault>;
  if (typeof fault.source !== 'string') return 'source must be a source name or "*"';
  if (!FAULT_KINDS.some((kind) => kind === fault.kind)) return `kind must be one of ${FAULT_KINDS.join(', ')}`;
  return fault as Fault;
}
