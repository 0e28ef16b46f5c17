import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';

const PREFIX = '/docs';
const SAME_ORIGIN =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; frame-ancestors 'none'";

/**
 * The reference for people at /docs, with its script. Its package is loaded by the first request: it consists of 200
 * modules and a script of 4 MB, which a service would load at each start.
 */
export function referencePage(server: FastifyInstance): void {
  let pages: Promise<FastifyInstance> | null = null;
  const hidden = { schema: { hide: true } };
  const send = async ({ url, headers }: FastifyRequest, reply: FastifyReply) => {
    const [path = PREFIX] = url.split('?');
    // Addresses in the page are relative to the folder.
    if (path === PREFIX) return reply.redirect(`${PREFIX}/`, 301);
    pages ??= loadPages();
    const { host = 'localhost' } = headers;
    const page = await (await pages).inject({ url: path, headers: { host } });
    return reply
      .code(page.statusCode)
      .type(String(page.headers['content-type']))
      .header('content-security-policy', SAME_ORIGIN)
      .send(page.rawPayload);
  };
  server.get(`${PREFIX}/`, hidden, send);
  server.get(`${PREFIX}/js/scalar.js`, hidden, send);
}

/** A server of its own without a socket, which has the pages of the package. */
async function loadPages(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const server = fastify({ routerOptions: { ignoreTrailingSlash: true } });
  await server.register(scalar, {
    routePrefix: PREFIX,
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      mcp: { disabled: true },
      agent: { disabled: true },
    },
  });
  return server;
}
