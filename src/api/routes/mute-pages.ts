import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { createReader } from '../../contract/index.ts';
import { HOUR_MS } from '../../domain/index.ts';
import { MUTE_CHOICES, MUTE_DAYS, messagePage, mutedPage, mutePage, PAGE_POLICY } from '../../pages/index.ts';
import { LINK_DAYS, type Webhooks } from '../../webhooks/index.ts';
import type { ApiContext } from '../context.ts';
import { addressLimit, tooOften } from '../public/address-limit.ts';
import type { Problem } from '../replies/problems.ts';
import type { Routes } from '../requests/read-requests.ts';

/** Maximum requests per address and hour. */
const MOST = 120;
const MOST_BODY_BYTES = 1_000;

const MuteForm = Type.Object(
  { what: Type.Enum([...MUTE_CHOICES]), days: Type.Enum(MUTE_DAYS.map(String)) },
  { additionalProperties: false },
);

/**
 * The link "Mute" in messages of chat services. It needs no key and no setting: its signature authorises it. Chat
 * services open links by themselves for previews, so opening one changes nothing.
 */
export function mutePageRoutes(server: Routes, { clientAddress, now }: ApiContext, webhooks: Webhooks): void {
  const limit = addressLimit(MOST, HOUR_MS, now);
  const readForm = createReader(MuteForm);

  server.register(async (plain) => {
    const scope = plain as unknown as Routes;
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MOST_BODY_BYTES },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    const options = {
      schema: { hide: true },
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        const seconds = limit.take(clientAddress(request.raw));
        return seconds === null ? undefined : sendProblemPage(reply, tooOften(seconds));
      },
    };
    scope.get<{ Params: { token: string } }>('/public/mute/:token', options, async (request, reply) => {
      const offer = await webhooks.offered(request.params.token);
      return offer === null ? sendProblemPage(reply, OVER) : page(reply).send(mutePage(offer));
    });
    scope.post<{ Params: { token: string } }>('/public/mute/:token', options, async (request, reply) => {
      const read = readForm(request.body);
      if (!read.ok) return sendProblemPage(reply, NOT_THE_FORM);
      const { what, days } = read.value;
      const muted = await webhooks.muteByLink(request.params.token, what, Number(days));
      if (muted === null) return sendProblemPage(reply, OVER);
      return muted === 'full' ? sendProblemPage(reply, FULL) : page(reply).send(mutedPage(muted.until));
    });
  });
}

function page(reply: FastifyReply): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', PAGE_POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store');
}

function sendProblemPage(reply: FastifyReply, problem: Pick<Problem, 'status' | 'title' | 'detail' | 'headers'>) {
  return page(reply)
    .code(problem.status)
    .headers(problem.headers ?? {})
    .send(messagePage(problem.title, problem.detail));
}

const OVER = {
  status: 404,
  title: 'This link mutes nothing',
  detail: `Links in messages are valid for ${LINK_DAYS} days, and end when the secret of the webhook is replaced.`,
};
const NOT_THE_FORM = { status: 400, title: 'Nothing was muted', detail: 'Open the link again and use its form.' };
const FULL = {
  status: 409,
  title: 'Nothing was muted',
  detail: 'The channel has 500 mutes. Its account ends some of them, or mutes a kind.',
};
