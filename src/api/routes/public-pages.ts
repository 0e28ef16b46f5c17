import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import {
  createReader,
  ObjectionBody,
  ObjectionView,
  problems,
  ReferenceParams,
  type ScoreRecord,
  viewOf,
} from '../../contract/index.ts';
import type { DisclosureServices, Dispute } from '../../disclosure/index.ts';
import { loadMethodology } from '../../methodology/index.ts';
import { appealHelpPage, messagePage, objectionPage, PAGE_POLICY, publicPage } from '../../pages/index.ts';
import type { ApiContext, RatingServices } from '../context.ts';
import type { KeylessGuard } from '../public/keyless.ts';
import { notFound, type Problem, Refusal, refuse, validationFailed } from '../replies/problems.ts';
import { tagsMatch } from '../replies/send-file.ts';
import { unkeyed } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetNamed } from '../rms/choose-rating.ts';

const MOST_PAGES = 2_000;
const MOST_BODY_BYTES = 20_000;
const SECONDS = 60;
const FORM = 'application/x-www-form-urlencoded';

/** The page of each rated asset, and objections without a key: as JSON, and through the form on the page. */
export function publicPageRoutes(
  server: Routes,
  context: ApiContext,
  services: { readonly disclosures: DisclosureServices; readonly ratings: RatingServices },
  guard: KeylessGuard,
): void {
  const { disputes } = services.disclosures;
  const pages = new LRUCache<string, string>({ max: MOST_PAGES });
  let names: ReadonlyMap<string, string> | null = null;

  const named = (text: string) => assetNamed(text, services.disclosures.find, context.scoringPath);

  async function add(body: { asset: string; claim: string; contact?: string }): Promise<Dispute> {
    const added = await disputes.object({
      assetId: await named(body.asset),
      claim: body.claim.trim(),
      contact: body.contact?.trim() ?? null,
    });
    return added.ok ? added.value : refuse(refusal(added.reason, added.detail));
  }

  async function page(text: string, reply: FastifyReply): Promise<FastifyReply> {
    const rating = await services.ratings.reader.latest(await named(text));
    if (rating === null) return refuse(NOT_RATED);
    names ??= new Map(loadMethodology().features.map(({ id, name }) => [id, name]));
    const correction = rating.correction ?? null;
    const tag = `"public-${rating.id}-${correction?.restatement_id ?? 0}"`;
    const html =
      pages.get(tag) ??
      publicPage(
        JSON.parse(Buffer.from(rating.record).toString('utf8')) as ScoreRecord,
        { features: names, sources: context.sourceTitles },
        correction,
      );
    pages.set(tag, html);
    html200(reply).header('cache-control', `public, max-age=${SECONDS}`).header('etag', tag);
    return tagsMatch(reply.request.headers['if-none-match'], tag) ? reply.code(304).send() : reply.send(html);
  }

  server.register(async (plain) => {
    const scope = plain as unknown as Routes;
    scope.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof Refusal)) throw error;
      const { problem } = error;
      return html200(reply)
        .code(problem.status)
        .headers(problem.headers ?? {})
        .header('cache-control', 'no-store')
        .send(problemPage(problem));
    });
    scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MOST_BODY_BYTES }, (_request, body, done) =>
      done(null, Object.fromEntries([...new URLSearchParams(String(body))].filter(([, value]) => value !== ''))),
    );
    const hidden = { schema: { hide: true }, onRequest: guard.read };
    scope.get<{ Params: { asset: string } }>('/public/:asset', hidden, (request, reply) =>
      page(request.params.asset, reply),
    );
    scope.get<{ Params: { namespace: string; reference: string } }>(
      '/public/:namespace/:reference',
      hidden,
      (request, reply) => page(`${request.params.namespace}/${request.params.reference}`, reply),
    );
    scope.get('/public/appeals-help', hidden, (_request, reply) =>
      html200(reply).header('cache-control', `public, max-age=${SECONDS}`).send(appealHelpPage()),
    );
    scope.get<{ Params: { reference: string } }>('/public/objections/:reference', hidden, async (request, reply) => {
      const found = await disputes.findObjection(request.params.reference.replaceAll('\0', ''));
      return html200(reply)
        .header('cache-control', 'no-store')
        .send(objectionPage(found ?? refuse(NO_OBJECTION)));
    });
    const readForm = createReader(ObjectionBody);
    scope.post('/public/objections', { schema: { hide: true }, onRequest: guard.open }, async (request, reply) => {
      requireOwnForm(request);
      const read = readForm(request.body);
      const dispute = await add(read.ok ? read.value : refuse(validationFailed(read.errors)));
      return reply.code(303).header('location', `/public/objections/${dispute.reference}`).send();
    });
  });

  server.post(
    '/v1/public/objections',
    {
      ...unkeyed('public', {
        operationId: 'createObjection',
        summary: 'Object to a rating without a key',
        description:
          'Where the operator has switched it on. A person reads it, beside disputes; it moves no rating by itself. `reference` is the only way to find it again.',
        body: ObjectionBody,
        response: { 201: ObjectionView, ...problems(400, 404, 409, 413, 415, 429) },
      }),
      bodyLimit: MOST_BODY_BYTES,
      onRequest: guard.open,
    },
    async (request, reply) => {
      const dispute = await add(request.body);
      return reply
        .code(201)
        .header('location', `/v1/public/objections/${dispute.reference}`)
        .header('cache-control', 'no-store')
        .send(shown(dispute, context));
    },
  );
  server.get(
    '/v1/public/objections/:reference',
    {
      ...unkeyed('public', {
        operationId: 'getObjection',
        summary: 'The status of an objection',
        description: 'Its state, and the finding as text once there is one. Its text is not shown.',
        params: ReferenceParams,
        response: { 200: ObjectionView, ...problems(404, 429) },
      }),
      config: { notFound: NO_OBJECTION },
      onRequest: guard.read,
    },
    async (request, reply) => {
      const found = await disputes.findObjection(request.params.reference);
      reply.header('cache-control', 'no-store');
      return shown(found ?? refuse(NO_OBJECTION), context);
    },
  );
}

function shown(dispute: Dispute, { dataMode }: Pick<ApiContext, 'dataMode'>) {
  return viewOf(ObjectionView, { ...dispute, reference: dispute.reference ?? '', dataMode });
}

function html200(reply: FastifyReply): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', PAGE_POLICY)
    .header('referrer-policy', 'no-referrer');
}

/** Refuses forms on other sites, which could make their visitors object, each from a different address. */
function requireOwnForm({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    refuse({
      status: 403,
      code: 'form_of_another_site',
      title: 'The form was sent from another origin',
      detail: 'Use the form on the page of the asset, or POST /v1/public/objections.',
      retry: 'no',
    });
}

const NOT_RATED = notFound(
  'asset_not_rated',
  'The asset is not rated',
  'No rated asset has this name. Check it, or use the address of the token.',
);
const NO_OBJECTION = notFound(
  'objection_not_found',
  'There is no such objection',
  'No objection has this reference; the first reply gave it.',
);

/** The page that shows a problem to a person, who knows neither request fields nor keys. */
function problemPage(problem: Problem): string {
  const { code, title, detail, errors = [], more = {} } = problem;
  if (code === NOT_RATED.code) return messagePage(title, NOT_RATED.detail);
  if (code !== 'ambiguous_asset') return messagePage(title, errors.map(fieldWords).join(' ') || detail);
  const candidates = (more.candidates ?? []) as readonly {
    readonly id: string;
    readonly name: string | null;
    readonly chain: string | null;
  }[];
  const links = candidates.map(({ id, name, chain }) => ({ id, text: `${name ?? id}, on ${chain ?? 'no chain'}` }));
  const words =
    links.length === 1
      ? 'Anybody can give a token any name, and no registry that was read lists this one. Follow the link only if it is the one you mean.'
      : 'Choose the one you mean.';
  return messagePage(title, words, links);
}

const LABELS: Readonly<Record<string, string>> = {
  '/claim': 'What is wrong',
  '/contact': 'Where questions may be sent',
};
const fieldWords = ({ pointer, detail }: { readonly pointer: string; readonly detail: string }) =>
  `${LABELS[pointer] ?? pointer.slice(1)}: ${detail}.`;

function refusal(reason: 'no_such_rating' | 'too_many_open', detail: string): Problem {
  if (reason === 'no_such_rating') return notFound(reason, 'There is no such rating', `The asset: ${detail}.`);
  return { status: 409, code: 'too_many_open_objections', title: 'Too many objections are open', detail, retry: 'no' };
}
