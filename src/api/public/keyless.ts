import type { FastifyRequest } from 'fastify';
import { HOUR_MS } from '../../domain/index.ts';
import type { ApiContext } from '../context.ts';
import { notFound, refuse } from '../replies/problems.ts';
import { type AddressLimit, addressLimit, tooOften } from './address-limit.ts';

/** Reads of pages and statuses per address and minute. */
const READS = 60;
/** Objections and new appeals per address and hour. */
const OPENINGS = 10;
/** Proofs and evidence per address and hour. */
const STEPS = 60;

/** Admits requests without a key, by the operator's setting and the number of requests of the address. */
export interface KeylessGuard {
  readonly read: (request: FastifyRequest) => Promise<void>;
  readonly open: (request: FastifyRequest) => Promise<void>;
  readonly step: (request: FastifyRequest) => Promise<void>;
}

export function keylessGuard({ publicPages, clientAddress, now }: ApiContext): KeylessGuard {
  const by = (limit: AddressLimit) => async (request: FastifyRequest) => {
    if (!publicPages) refuse(OFF);
    const seconds = limit.take(clientAddress(request.raw));
    if (seconds !== null) refuse(tooOften(seconds));
  };
  return {
    read: by(addressLimit(READS, 60_000, now)),
    open: by(addressLimit(OPENINGS, HOUR_MS, now)),
    step: by(addressLimit(STEPS, HOUR_MS, now)),
  };
}

const OFF = notFound(
  'public_pages_off',
  'This service requires a key for every request',
  'The operator of this service has not switched on public pages (ASSAY_PUBLIC_PAGES).',
);
