import type { AskOutcome, Observation } from '../domain/index.ts';
import type { Params } from './source.ts';

export type AskReply<Reply = unknown> =
  | {
      readonly ok: true;
      /** Checked against the endpoint's schema. */
      readonly reply: Reply;
      readonly outcome: 'ok' | 'empty' | 'not_found';
      readonly responseId: string;
      readonly observations: readonly Observation[];
    }
  | {
      readonly ok: false;
      readonly outcome: AskOutcome;
      readonly detail: string;
      /** Seconds until it could be asked, when a budget is spent and that is known. */
      readonly retryAfterSeconds?: number | null;
    };

/**
 * Asks public sources on behalf of one job: builds the request, keeps budgets and deadlines, checks the schema, archives
 * the reply and its observations. The same question (source, endpoint, params) is asked once per job; a later ask gets
 * the same reply. Implemented by `evidence/`.
 */
export interface Asker {
  ask<Reply = unknown>(source: string, endpoint: string, params: Params): Promise<AskReply<Reply>>;
  /**
   * Reads a `bulk` endpoint's whole list, which is fetched in the background and shared by all jobs; waits for it at most
   * `waitMs` when it has never been fetched. It has no observations: those of a row are the collector's business.
   */
  bulk<Reply = unknown>(source: string, endpoint: string, params: Params, waitMs: number): Promise<AskReply<Reply>>;
  /** False when the operator or a missing key turned the source off. */
  enabled(source: string): boolean;
  readonly signal: AbortSignal;
  /** The job's clock, RFC 3339. */
  now(): string;
}
