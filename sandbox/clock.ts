/** The time of the world: the host's clock, shifted and sped up on demand. It never runs backwards. */
export interface SandboxClock {
  now(): number;
  /** Sets {now?, advance_ms?, speed?}; returns a text when the input is invalid, and then changes nothing. */
  set(options: unknown): string | null;
  describe(): { readonly now: string; readonly speed: number };
}

const LATEST = Date.parse('2100-01-01T00:00:00Z');
const FASTEST = 100_000;

export function createClock(host: () => number): SandboxClock {
  let base = { host: host(), world: host() };
  let speed = 1;
  const now = () => base.world + (host() - base.host) * speed;
  return {
    now,
    describe: () => ({ now: new Date(now()).toISOString(), speed }),
    set(options) {
      if (typeof options !== 'object' || options === null || Array.isArray(options)) return 'expected an object';
      const { now: to, advance_ms: by, speed: faster, ...others } = options as Readonly<Record<string, unknown>>;
      const unknown = Object.keys(others)[0];
      if (unknown !== undefined) return `unknown field ${unknown}: expected now, advance_ms, speed`;
      const present = now();
      const wanted = to === undefined ? present : typeof to === 'string' ? Date.parse(to) : Number(to);
      const moved = by === undefined ? wanted : wanted + (typeof by === 'number' ? by : Number.NaN);
      if (!Number.isFinite(moved) || moved < present || moved > LATEST)
        return `expected a time from ${new Date(present).toISOString()} on: the world does not go back`;
      if (faster !== undefined && !(typeof faster === 'number' && faster > 0 && faster <= FASTEST))
        return `speed: expected a number above 0, at most ${FASTEST}`;
      base = { host: host(), world: moved };
      speed = typeof faster === 'number' ? faster : speed;
      return null;
    },
  };
}
