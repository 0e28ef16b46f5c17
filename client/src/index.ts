export type * from './api-types.ts';
export {
  type AttestationVerified,
  type AttestedRating,
  type EasRecord,
  type EthereumFunctions,
  type ExpectedRating,
  verifyAttestation,
  verifyEd25519Record,
} from './attestation.ts';
export type { ChainStreamEvent } from './chain-events.ts';
export {
  type Client,
  type ClientOptions,
  createClient,
  type ItemOf,
  type ListName,
  type ScoreOf,
  type ScoreOptions,
  type StreamOptions,
} from './client.ts';
export { AssayConnectionError, AssayProblem, type ProblemBody } from './errors.ts';
export { createEventParser, type EventParser, type ServerEvent } from './event-parser.ts';
export type { JobState } from './job-events.ts';
export type { CallOptions, Input, OperationName, Reply } from './operation.ts';
export type { RetryPolicy } from './retry.ts';
export {
  type LogVerified,
  type RatingProof,
  verifyCheckpoint,
  verifyConsistency,
  verifyInclusion,
} from './verify-log.ts';
export { type Verified, type VerifyingKey, verifyRecord } from './verify-record.ts';
export { verifyWebhook, type WebhookDelivery, type WebhookMessage, type WebhookVerified } from './verify-webhook.ts';
