import type { ApiKey } from '../../access/index.ts';
import {
  AccountKeyBody,
  AccountKeyList,
  AccountView,
  DONE,
  KeyParams,
  KeyView,
  NewKeyView,
  PlanView,
  problems,
  type Reply,
  RotateKeyBody,
  viewOf,
} from '../../contract/index.ts';
import { canonicalIpRange } from '../../domain/index.ts';
import type { ApiContext } from '../context.ts';
import { notFound, type Problem, refuse, refuseField } from '../replies/problems.ts';
import { keyed, keyOf, planOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { alreadyRotated } from './admin-keys.ts';

/** Maximum number of active keys of one account. More would mean one key per machine; rotate keys instead. */
const MOST_KEYS = 100;

/** An account's view of itself, and of its keys (scope `account`). */
export function accountRoutes(server: Routes, context: ApiContext): void {
  const { access, dataMode } = context;

  server.get(
    '/v1/account',
    keyed('any', 'account', {
      operationId: 'getAccount',
      summary: 'The account of the key: its plan, and what it has',
      description:
        'Any key may request it. Usage and statements are under GET /v1/usage, webhooks under /v1/webhooks, the watchlist under /v1/rms/whitelist.',
      response: { 200: AccountView, ...problems(401, 403) },
    }),
    async (request): Promise<Reply<typeof AccountView>> => {
      const key = keyOf(request);
      const plan = planOf(request);
      const { accountId } = key;
      const [keys, webhooks, watched, indexed] = await Promise.all([
        access.listOf(accountId),
        context.webhooks?.list(accountId) ?? [],
        context.alerts?.whitelist.watchlist.list(accountId) ?? [],
        context.chain.index.used(accountId),
      ]);
      return {
        account_id: accountId,
        key: viewOf(KeyView, key),
        plan: viewOf(PlanView, plan),
        keys: { used: keys.filter((one) => isWorking(one, context.now())).length, limit: MOST_KEYS },
        webhooks: { used: webhooks.length, limit: plan.webhooks },
        watchlist: { used: watched.length, limit: plan.watchlistSize },
        indexed_assets: { used: indexed, limit: plan.indexedAssets },
        data_mode: dataMode,
      };
    },
  );

  server.get(
    '/v1/account/keys',
    keyed('account', 'account', {
      operationId: 'listAccountKeys',
      summary: 'List the keys of the account',
      description: 'With their scopes and last use. Keys themselves are not kept, only their hashes.',
      response: { 200: AccountKeyList, ...problems(401, 403) },
    }),
    async (request) => {
      const keys = await access.listOf(keyOf(request).accountId);
      return viewOf(AccountKeyList, { data: keys, nextCursor: null, dataMode });
    },
  );

  server.post(
    '/v1/account/keys',
    keyed('account', 'account', {
      operationId: 'createAccountKey',
      summary: 'Create a key of the account',
      description:
        'With scopes of the requesting key, all or fewer, its plan, and an end no later than its own. The key is in this reply and never again.',
      body: AccountKeyBody,
      response: { 201: NewKeyView, ...problems(400, 401, 403, 409, 413, 415) },
    }),
    async (request, reply) => {
      const owner = keyOf(request);
      const { name, scopes, expires_at, allowed_ips } = request.body;
      const beyond = scopes.filter((scope) => !owner.scopes.includes(scope));
      if (beyond.length > 0) refuse(moreThanYours(beyond, owner));
      const made = await access.createWithin(
        {
          name: name.trim(),
          accountId: owner.accountId,
          scopes: [...new Set(scopes)],
          plan: owner.plan,
          expiresAt: endWithin(owner, expires_at ?? null, context.now()),
          allowedIps: allowed_ips.flatMap((ip) => canonicalIpRange(ip) ?? []),
        },
        MOST_KEYS,
      );
      if (made === null) return refuse(TOO_MANY);
      return reply.code(201).send({ ...viewOf(KeyView, made.key), secret: made.secret });
    },
  );

  server.post(
    '/v1/account/keys/:id/rotate',
    keyed('account', 'account', {
      operationId: 'rotateAccountKey',
      summary: 'Replace a key of the account; the old one works during the overlap',
      description:
        'The new key has the same rights, plan and end. It is in this reply and never again. A key that may do more than the requesting key, or that ends later, cannot be rotated by it. A key has one successor at a time: while it is active, another rotation is refused (409).',
      params: KeyParams,
      body: RotateKeyBody,
      response: { 201: NewKeyView, ...problems(400, 401, 403, 404, 409, 413, 415) },
    }),
    async (request, reply) => {
      const owner = keyOf(request);
      const key = await keyNamed(context, owner, request.params.id);
      if (endsLater(key, owner)) refuse(endsAfterYours(owner));
      const made = await access.rotate(key.id, request.body.overlap_seconds);
      if (!made.ok) refuse(made.code === 'key_not_found' ? NOT_FOUND : alreadyRotated(made.successorId));
      return reply.code(201).send({ ...viewOf(KeyView, made.key), secret: made.secret });
    },
  );

  server.delete(
    '/v1/account/keys/:id',
    keyed('account', 'account', {
      operationId: 'revokeAccountKey',
      summary: 'Revoke a key of the account at once',
      description:
        'Every process refuses it within seconds; what the account has stays. The requesting key cannot revoke itself: rotate it with `overlap_seconds` 0, or use another one.',
      params: KeyParams,
      response: { ...DONE, ...problems(401, 403, 404, 409) },
    }),
    async (request, reply) => {
      const owner = keyOf(request);
      const key = await keyNamed(context, owner, request.params.id);
      if (key.id === owner.id) refuse(OWN_KEY);
      if (!(await access.revoke(key.id))) refuse(NOT_FOUND);
      return reply.code(204).send();
    },
  );
}

/** A key of the owner's account with no more rights than the owner's key. */
async function keyNamed({ access }: ApiContext, owner: ApiKey, id: string): Promise<ApiKey> {
  const key = (await access.listOf(owner.accountId)).find((one) => one.id === id) ?? refuse(NOT_FOUND);
  const beyond = key.scopes.filter((scope) => !owner.scopes.includes(scope));
  return beyond.length > 0 ? refuse(moreThanYours(beyond, owner)) : key;
}

/** Expiry of a key that the owner creates: it never outlives the owner's key. */
function endWithin(owner: ApiKey, asked: string | null, now: number): string | null {
  if (asked === null) return owner.expiresAt;
  const at = Date.parse(asked);
  if (at <= now) refuseField('/expires_at', 'malformed', 'expected a time in the future, RFC 3339');
  if (owner.expiresAt !== null && at > Date.parse(owner.expiresAt))
    refuseField('/expires_at', 'out_of_range', `expected a time no later than the end of this key, ${owner.expiresAt}`);
  return new Date(at).toISOString();
}

/** Whether a key outlives the owner's key: its successor would, too, and the owner would have the secret. */
function endsLater({ expiresAt }: ApiKey, owner: ApiKey): boolean {
  if (owner.expiresAt === null) return false;
  return expiresAt === null || Date.parse(expiresAt) > Date.parse(owner.expiresAt);
}

function isWorking(key: ApiKey, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || Date.parse(key.expiresAt) > now);
}

function moreThanYours(beyond: readonly string[], owner: ApiKey): Problem {
  return {
    status: 403,
    code: 'more_than_your_scopes',
    title: 'The new key would have more scopes than the key of the request',
    detail: `The key of the request has the scopes ${owner.scopes.join(', ')}, and not ${beyond.join(', ')}.`,
    retry: 'corrected',
    more: { missing_scopes: beyond },
  };
}

function endsAfterYours({ expiresAt }: ApiKey): Problem {
  return {
    status: 403,
    code: 'ends_after_your_key',
    title: 'The key ends later than the key of the request',
    detail: `The key of the request ends at ${expiresAt}; a key that ends later is rotated with a key that lasts as long.`,
    retry: 'no',
  };
}

const NOT_FOUND = notFound(
  'key_not_found',
  'There is no such key',
  'The account has no active key of this id; GET /v1/account/keys lists its keys.',
);
const OWN_KEY: Problem = {
  status: 409,
  code: 'key_in_use',
  title: 'A key cannot revoke itself',
  detail:
    'This is the key that the request was sent with. POST /v1/account/keys/{id}/rotate with overlap_seconds 0 replaces it, or revoke it with another key.',
  retry: 'no',
};
const TOO_MANY: Problem = {
  status: 409,
  code: 'too_many_keys',
  title: 'The account has too many keys',
  detail: `The account has ${MOST_KEYS} keys that work; revoke one first.`,
  retry: 'no',
  more: { limit: MOST_KEYS },
};
