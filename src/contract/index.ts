/** What callers send: the schemas of requests, and the one reader that reads by them. */
export * from './requests/account.ts';
export * from './requests/chain.ts';
export { EventHeaders, WaitHeaders } from './requests/fields.ts';
export * from './requests/rating.ts';
export { createReader, type FieldError, type Input, type ReadInput } from './requests/reader.ts';
export * from './requests/score.ts';
