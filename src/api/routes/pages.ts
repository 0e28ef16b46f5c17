import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS, refuse } from '../replies/problems.ts';

/** Folder in which `npm ci` puts the built pages. */
const BUILT = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/**
 * Allows only files of this service and no inline scripts or styles: untrusted text on a page can neither run nor send
 * anything.
 */
const CONTENT_SECURITY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface BuiltFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
  /** Version of the file on disk: a changed file is read again. */
  readonly version: string;
  packed: Buffer | null;
}

/** The dashboard at `/`. Pages that are built while the service runs are served without a restart. */
export function dashboardRoutes(server: FastifyInstance, folder = BUILT): void {
  const fileOf = builtFiles(folder);
  const hidden = { schema: { hide: true }, compress: false as const };
  server.get('/', hidden, (request, reply) => {
    const page = fileOf('index.html');
    reply.header('content-security-policy', CONTENT_SECURITY).header('cache-control', 'no-cache');
    reply.header('cross-origin-opener-policy', 'same-origin');
    return page ? send(page, request, reply) : reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
  });
  server.get('/icon.svg', hidden, (request, reply) => {
    const icon = fileOf('icon.svg');
    if (!icon) return refuse(PROBLEMS.notFound);
    reply.header('content-security-policy', CONTENT_SECURITY).header('cache-control', 'public, max-age=86400');
    return send(icon, request, reply);
  });
  server.get('/assets/:name', hidden, (request, reply) => {
    const { name } = request.params as { readonly name: string };
    const asset = FILE_NAME.test(name) ? fileOf(`assets/${name}`) : null;
    if (!asset) return refuse(PROBLEMS.notFound);
    // The name contains the hash of the content.
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return send(asset, request, reply);
  });
}

function send(file: BuiltFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('vary', 'Accept-Encoding').header('etag', file.etag);
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  reply.type(file.type);
  if (!/\bbr\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(file.bytes);
  file.packed ??= brotliCompressSync(file.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return reply.header('content-encoding', 'br').send(file.packed);
}

/** File names as the bundler writes them; a name in a request cannot lead out of the folder. */
const FILE_NAME = /^\w[\w-]*(\.[\w-]+)+$/;

/**
 * Returns built files from disk, cached while they are unchanged. A file that a later build removed is still served,
 * because open pages request it.
 */
function builtFiles(folder: string): (name: string) => BuiltFile | null {
  const known = new Map<string, BuiltFile>();
  return (name) => {
    const type = TYPES[extname(name)];
    const before = known.get(name) ?? null;
    const at = statSync(join(folder, name), { throwIfNoEntry: false });
    if (type === undefined || !at?.isFile()) return before;
    const version = `${at.mtimeMs} ${at.size}`;
    if (before?.version === version) return before;
    const bytes = readFileSync(join(folder, name));
    const etag = `W/"${createHash('sha256').update(bytes).digest('hex').slice(0, 24)}"`;
    const file = { type, bytes, etag, version, packed: null };
    known.set(name, file);
    return file;
  };
}

const NOT_BUILT = 'The dashboard is not built. Run: npm run build:web\nThe API is described at /docs.\n';
