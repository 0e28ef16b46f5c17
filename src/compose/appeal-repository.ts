import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { RepositoryHost } from '../disclosure/index.ts';
import type { Result } from '../domain/index.ts';
import { operatorJson } from '../upstream/index.ts';
import type { Engine } from './engine.ts';

const nullable = <Of extends TSchema>(of: Of) => Type.Optional(Type.Union([of, Type.Null()]));
const Repository = Type.Object({
  full_name: Type.String(),
  created_at: Type.String(),
  owner: Type.Object({ login: Type.String(), type: Type.String() }),
});
const Members = Type.Array(Type.Object({ login: Type.String() }));
const Keys = Type.Array(Type.Object({ raw_key: nullable(Type.String()), revoked: nullable(Type.Boolean()) }));
const Commits = Type.Array(
  Type.Object({
    commit: Type.Object({
      committer: nullable(Type.Object({ email: nullable(Type.String()) })),
      verification: nullable(
        Type.Object({
          verified: nullable(Type.Boolean()),
          signature: nullable(Type.String()),
          payload: nullable(Type.String()),
          verified_at: nullable(Type.String()),
        }),
      ),
    }),
    committer: nullable(Type.Object({ login: nullable(Type.String()) })),
  }),
);

const PER_PAGE = 100;
/** Pages of public members that are read; members of larger organisations may have to prove control in another way. */
const MOST_PAGES = 5;
const MOST_BYTES = 4_000_000;
const DEADLINES = { connectMs: 3_000, headersMs: 6_000, bodyMs: 6_000, totalMs: 8_000 };
/**
 * Requests per hour that this process spends on proofs. GitHub allows 60 without a token and 5,000 with one, and
 * ratings need them too.
 */
const MOST_HOURLY = { without: 20, withToken: 500 };
const HOUR_MS = 3_600_000;
/** Keys of one account that are checked. */
const MOST_KEYS = 20;

/**
 * GitHub as the host of a rated repository, through the REST API that is configured as a source and within its budget.
 * Anyone may submit a proof, so proofs have a separate limit that leaves most of the quota to ratings. Recent replies
 * come from a cache and do not count.
 */
export function repositoryHostBy(
  { book, upstream }: Pick<Engine, 'book' | 'upstream'>,
  now: () => number,
): RepositoryHost {
  let hour = { began: 0, used: 0 };

  async function ask<Reply>(
    path: string,
    reply: { Check(value: unknown): value is Reply },
  ): Promise<Result<Reply | null, { readonly detail: string }>> {
    const bound = book.get('github');
    const base = bound?.bases.main;
    if (bound?.enabled !== true || base === undefined) return refused('GitHub is not read by this installation');
    const { header, prefix = '' } = bound.source.key ?? {};
    const hasToken = bound.key !== null && header !== undefined;
    if (now() - hour.began >= HOUR_MS) hour = { began: now(), used: 0 };
    if (hour.used >= (hasToken ? MOST_HOURLY.withToken : MOST_HOURLY.without))
      return refused(
        'GitHub was asked as often for proofs as an hour allows; try again in an hour, or prove control otherwise',
      );
    hour.used += 1;
    const found = await upstream.request(
      operatorJson({
        label: bound.source.name,
        url: `${base}${path}`,
        headers: { accept: 'application/vnd.github+json' },
        secretHeaders: hasToken ? { [header]: `${prefix}${bound.key}` } : {},
        deadlines: DEADLINES,
        maxBytes: MOST_BYTES,
        okStatuses: [404],
        retries: 0,
        priority: 'background',
      }),
    );
    if (found.ok && found.fromCache) hour.used -= 1;
    if (!found.ok) {
      const hasMoved = found.status !== null && found.status >= 300 && found.status < 400;
      return refused(hasMoved ? 'the repository or account has moved' : 'GitHub gave no answer; try again later');
    }
    if (found.status === 404) return { ok: true, value: null };
    const value = parsed(found.body);
    return reply.Check(value) ? { ok: true, value } : refused('GitHub gave an answer that is not understood');
  }

  return {
    async repository(name) {
      const found = await ask(`/repos/${name}`, CHECKS.repository);
      if (!found.ok) return found;
      const { value } = found;
      if (value === null || value.full_name.toLowerCase() !== name.toLowerCase())
        return refused(`there is no repository ${name}, or it has moved`);
      return { ok: true, value: { ownerIsPerson: value.owner.type !== 'Organization', createdAt: value.created_at } };
    },
    async isPublicMember(organisation, login) {
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const path = `/orgs/${organisation}/public_members?per_page=${PER_PAGE}&page=${page}`;
        const found = await ask(path, CHECKS.members);
        if (!found.ok) return found;
        const rows = found.value ?? [];
        if (rows.some((row) => row.login.toLowerCase() === login.toLowerCase())) return { ok: true, value: true };
        if (rows.length < PER_PAGE) return { ok: true, value: false };
      }
      return refused(`${organisation} has more public members than are looked through; prove control otherwise`);
    },
    async keysOf(login) {
      const found = await ask(`/users/${login}/gpg_keys?per_page=${PER_PAGE}`, CHECKS.keys);
      if (!found.ok) return found;
      const rows = (found.value ?? []).filter((row) => row.revoked !== true);
      return { ok: true, value: rows.flatMap((row) => row.raw_key ?? []).slice(0, MOST_KEYS) };
    },
    async commitsOf(name, login, since, until) {
      const query = new URLSearchParams({ committer: login, since, until, per_page: String(PER_PAGE) });
      const found = await ask(`/repos/${name}/commits?${query}`, CHECKS.commits);
      if (!found.ok) return found;
      const own = (found.value ?? []).filter((row) => row.committer?.login?.toLowerCase() === login.toLowerCase());
      return {
        ok: true,
        value: own.flatMap(({ commit: { verification } }) => {
          const { verified, signature, payload, verified_at: verifiedAt } = verification ?? {};
          return verified === true && signature && payload && verifiedAt ? [{ signature, payload, verifiedAt }] : [];
        }),
      };
    },
  };
}

const CHECKS = {
  repository: Compile(Repository),
  members: Compile(Members),
  keys: Compile(Keys),
  commits: Compile(Commits),
};

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

const refused = (detail: string) => ({ ok: false, detail }) as const;
