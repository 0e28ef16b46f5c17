import type { Breakdown, FullScore, Operations } from '../../client/src/api-types.ts';

/** The API's replies, typed by its OpenAPI document: reading a member that does not exist does not compile. */
export type {
  Alert,
  Breakdown,
  Delivery,
  Forensics,
  HolderClusters,
  HoldersSnapshot,
  MarketSnapshot,
  PoolsSnapshot,
  Rating,
  RatingRecord,
  Threshold,
  Webhook,
  WhitelistEntry,
} from '../../client/src/api-types.ts';
export type { Operations };
export type ReplyOf<Name extends keyof Operations> = Operations[Name]['reply'];

export type Flag = Pick<FullScore['risk_flags'][number], 'code' | 'severity' | 'title' | 'detail' | 'since'> & {
  readonly evidence?: readonly string[];
};
export type Factor = Breakdown['factors'][number];
export type Feature = Factor['features'][number];
export type ScoreResult = FullScore;
export type Quantity = FullScore['quantities'][number];
export type Voice = Quantity['voices'][number];

/** The parts of the methodology that the pages read; it is served as stored. */
export interface Methodology {
  readonly classes: Readonly<Record<string, { readonly title: string }>>;
  readonly flags: readonly { readonly code: string; readonly title: string }[];
}

/** A job as its page reads it: the result in the format `full`. */
export type Job = Omit<ReplyOf<'GET /v1/jobs/{id}'>, 'result' | 'error'> & {
  readonly result: ScoreResult | null;
  readonly error: { readonly title: string; readonly detail: string } | null;
};
/** The archived replies behind a rating; the document does not define the archive's form. */
export interface Evidence {
  readonly responses: readonly {
    readonly id: string;
    readonly url: string;
    readonly sha256: string | null;
    readonly fetchedAt: string;
    readonly status: number | null;
  }[];
}
