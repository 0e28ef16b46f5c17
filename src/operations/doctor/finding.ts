/** What one check of the doctor came to. */
export interface Finding {
  /** Short name, such as `database` or `sources`. */
  readonly check: string;
  /** `wrong` needs a hand; `watch` will, if it goes on; `skipped` could not be looked at. */
  readonly state: 'good' | 'watch' | 'wrong' | 'skipped';
  /** What is, in words. */
  readonly detail: string;
  /** How to mend it; null where nothing is to do. */
  readonly mend: string | null;
}

export function good(check: string, detail: string): Finding {
  return { check, state: 'good', detail, mend: null };
}

export function watch(check: string, detail: string, mend: string): Finding {
  return { check, state: 'watch', detail, mend };
}

export function wrong(check: string, detail: string, mend: string): Finding {
  return { check, state: 'wrong', detail, mend };
}

export function skipped(check: string, detail: string): Finding {
  return { check, state: 'skipped', detail, mend: null };
}
