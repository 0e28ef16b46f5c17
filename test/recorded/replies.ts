/** The parts of a full reply that the checks on recordings read. */
export interface FullReply {
  readonly data_mode: string;
  readonly as_of: string;
  readonly asset: {
    readonly id: string;
    readonly symbol: string | null;
    readonly category: string;
    readonly identification: { readonly match: number };
  };
  readonly rating: {
    readonly band: string;
    readonly score: number | null;
    readonly not_rated_reasons: readonly string[];
  };
  readonly trust_score: {
    readonly score: number;
    readonly tier: string;
    readonly components: Readonly<Record<string, number>>;
  };
  readonly risk_flags: readonly { readonly code: string; readonly severity: string }[];
  readonly sources: readonly {
    readonly name: string;
    readonly outcome: string;
    readonly items_used: number;
    readonly asked: number;
  }[];
  readonly quantities: readonly {
    readonly quantity: string;
    readonly scope: string;
    readonly value: unknown;
    readonly voices: readonly {
      readonly source: string;
      readonly family: string;
      readonly value: unknown;
      readonly withheld: boolean;
      readonly accepted: boolean;
      readonly reason: string | null;
    }[];
  }[];
}

/** RFC 9457, as the service sends it. */
export interface ProblemReply {
  readonly code: string;
  readonly detail: string;
  readonly tried?: readonly string[];
}
