import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { ReadTxt } from '../disclosure/index.ts';
import { isPublicAddress, judgeUrl, operatorJson, type Resolver } from '../upstream/index.ts';
import type { Engine } from './engine.ts';

const Reply = Compile(
  Type.Object({
    Status: Type.Number(),
    Answer: Type.Optional(Type.Array(Type.Object({ type: Type.Number(), data: Type.String() }))),
  }),
);
const TXT = 16;
const MOST_BYTES = 64_000;
const DEADLINES = { connectMs: 3_000, headersMs: 4_000, bodyMs: 4_000, totalMs: 6_000 };

/**
 * Reads TXT records by DNS over HTTPS from the two operators that are configured as a source. A record counts only if
 * both return it, because a single resolver may be deceived. A name that is not public, or a domain with an address
 * that is not public, is refused.
 */
export function readTxtBy({ book, upstream }: Pick<Engine, 'book' | 'upstream'>, resolver: Resolver): ReadTxt {
  const bases = book.get('doh')?.bases ?? {};

  async function ask(base: string, name: string): Promise<readonly string[] | null> {
    const url = new URL(base);
    url.searchParams.set('name', name);
    url.searchParams.set('type', 'TXT');
    const reply = await upstream.request(
      operatorJson({
        label: 'appeals',
        url: url.href,
        deadlines: DEADLINES,
        maxBytes: MOST_BYTES,
        headers: { accept: 'application/dns-json' },
      }),
    );
    if (!reply.ok) return null;
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder().decode(reply.body));
    } catch {
      return null;
    }
    if (!Reply.Check(value) || (value.Status !== 0 && value.Status !== 3)) return null;
    return (value.Answer ?? []).flatMap((row) => (row.type === TXT ? [row.data] : []));
  }

  /** True if every address of the domain is public, or none can be resolved now. */
  async function leadsOutside(domain: string): Promise<boolean> {
    if (resolver.vouch(domain, 443) !== null) return true;
    const found = await resolver.resolve(domain).catch(() => []);
    return found.every(({ address }) => isPublicAddress(address));
  }

  return async (name) => {
    const domain = name.slice(name.indexOf('.') + 1);
    const judged = judgeUrl(`https://${domain}/`);
    if (!judged.ok) return { ok: false, detail: `the domain cannot speak for the asset: ${judged.detail}` };
    const [main, second] = [bases.main, bases.second];
    if (main === undefined || second === undefined) return NO_ANSWER;
    if (!(await leadsOutside(domain)))
      return { ok: false, detail: 'the domain leads to an address that is not public' };
    const [first, other] = await Promise.all([ask(main, name), ask(second, name)]);
    if (first === null || other === null) return NO_ANSWER;
    const texts = new Set(other.map(unquoted));
    return { ok: true, value: first.map(unquoted).filter((text) => texts.has(text)) };
  };
}

const NO_ANSWER = { ok: false, detail: 'the resolvers did not answer; try again' } as const;

/** Removes the quotes of a TXT record and joins its parts. */
function unquoted(data: string): string {
  return data.replace(/"\s+"/g, '').replaceAll('"', '');
}
