import type { FacadeReply, FacadeRequest } from '../../sandbox/facade.ts';
import type { Fault } from '../../sandbox/faults.ts';
import type { SandboxAsset } from '../../sandbox/world/types.ts';

/** What somebody says in a request beside the honest words. Null takes an honest word away. */
export type Words = Readonly<Record<string, string | null>>;

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** What an adversary does to one asset; every part is undone by `undo`. */
export interface Move {
  readonly words?: Words;
  /** Value of the `Prefer` header. */
  readonly prefer?: string;
  /** HTML put into every page of the project's own site. */
  readonly onEveryPage?: string;
  /** Pages of the own site, by path; null makes the page answer 404. `*` is every page that is not named. */
  readonly pages?: Readonly<Record<string, string | null>>;
  /** Facts that money or own keys change: of the market, the holders, the own repository. */
  readonly change?: (asset: Writable<SandboxAsset>, traits: Writable<SandboxAsset['traits']>) => void;
  /** A reply of a registry where anybody can edit the asset's page. */
  readonly reply?: (request: FacadeRequest, reply: FacadeReply, asset: SandboxAsset) => FacadeReply;
  /** Faults in force meanwhile: a moment that the adversary waits for. */
  readonly faults?: readonly Fault[];
}

/** Puts several moves together; later words win over earlier ones. */
export function together(moves: readonly Move[]): Move {
  const joined = moves.map((move) => move.onEveryPage ?? '').join('');
  return {
    words: Object.assign({}, ...moves.map((move) => move.words ?? {})),
    ...(moves.some((move) => move.prefer) ? { prefer: moves.findLast((move) => move.prefer)?.prefer ?? '' } : {}),
    ...(joined === '' ? {} : { onEveryPage: joined }),
    pages: Object.assign({}, ...moves.map((move) => move.pages ?? {})),
    change(asset, traits) {
      for (const move of moves) move.change?.(asset, traits);
    },
    reply: (request, reply, asset) =>
      moves.reduce((given, move) => (move.reply ? move.reply(request, given, asset) : given), reply),
    faults: moves.flatMap((move) => move.faults ?? []),
  };
}

/** Stands between the sandbox and its visitors: what it does to one asset at a time. */
export function createAdversary() {
  let target: SandboxAsset | null = null;
  let move: Move = {};
  let undoChange: () => void = () => undefined;

  return {
    /** Given to the sandbox. */
    rewrite(request: FacadeRequest, reply: FacadeReply): FacadeReply {
      if (target === null) return reply;
      const own = request.source === 'website' && isOwnHost(request.host, target.domain);
      const seen = own ? ownPage(target, move, request, reply) : reply;
      return move.reply ? move.reply(request, seen, target) : seen;
    },
    play(asset: SandboxAsset, next: Move): void {
      target = asset;
      move = next;
      const before = { ...asset };
      const traits = { ...asset.traits };
      next.change?.(asset as Writable<SandboxAsset>, traits);
      (asset as Writable<SandboxAsset>).traits = traits;
      undoChange = () => void Object.assign(asset, before);
    },
    undo(): void {
      undoChange();
      undoChange = () => undefined;
      target = null;
      move = {};
    },
  };
}

function isOwnHost(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

function ownPage(asset: SandboxAsset, move: Move, request: FacadeRequest, reply: FacadeReply): FacadeReply {
  const path = request.path.replace(/(?<=.)\/$/, '');
  const pages = move.pages ?? {};
  const named = Object.hasOwn(pages, path) ? pages[path] : Object.hasOwn(pages, '*') ? pages['*'] : undefined;
  if (named === null)
    return { status: 404, text: '<!doctype html><title>Not found</title><h1>404</h1>', contentType: 'text/html' };
  const isHtml = (reply.contentType ?? '').includes('html');
  const body =
    named !== undefined
      ? named.startsWith('User-agent')
        ? { text: named, contentType: 'text/plain; charset=utf-8' }
        : {
            text: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${asset.name}</title></head><body><main>${named}</main></body></html>`,
            contentType: 'text/html; charset=utf-8',
          }
      : reply;
  const text = body.text;
  if (
    text === undefined ||
    move.onEveryPage === undefined ||
    (named === undefined && (!isHtml || reply.status === 404))
  )
    return body;
  return { ...body, text: text.replace('</main>', `${move.onEveryPage}</main>`) };
}
