import { DAY_MS } from '../../src/domain/statistics.ts';
import { type Facade, type FacadeReply, iso, matchPath } from '../facade.ts';
import type { Scene } from '../scene.ts';
import { keysOfSigner, signedCommitsOf } from '../world/signers.ts';
import { membersOf } from '../world/ties.ts';
import type { SandboxAsset } from '../world/types.ts';

/** GitHub: `main` is the REST API, `web` the atom feeds, `raw` the files. */
export const github: Facade = ({ path, base, query }, scene) => {
  if (base === 'web') return atom(path, scene);
  if (base === 'raw') return raw(path, scene);
  const members = matchPath(path, '/orgs/:owner/public_members');
  const profile = members ?? matchPath(path, '/orgs/:owner');
  if (profile) return organisation(scene, String(profile.owner), members !== null);
  const signer = matchPath(path, '/users/:login/gpg_keys');
  if (signer) return { json: keysOfSigner(scene, String(signer.login)) };
  const org = matchPath(path, '/orgs/:owner/repos') ?? matchPath(path, '/users/:owner/repos');
  if (org) {
    const asset = scene.world.assets.find((row) => row.repo?.split('/')[0] === org.owner);
    return asset ? { json: [repository(scene, asset)] } : { status: 404, json: { message: 'Not Found' } };
  }
  const params = matchPath(path, '/repos/:owner/:name') ?? matchPath(path, '/repos/:owner/:name/*rest');
  const asset = scene.world.assets.find((row) => row.repo !== null && row.repo === `${params?.owner}/${params?.name}`);
  if (!params || !asset)
    return {
      status: 404,
      json: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
    };
  return repositoryPart(scene, asset, params.rest ?? '', path, query);
};

function organisation(scene: Scene, owner: string, isMembers: boolean): FacadeReply {
  const asset = scene.world.assets.find((row) => row.repo?.split('/')[0] === owner);
  if (!asset) return { status: 404, json: { message: 'Not Found' } };
  if (isMembers) return { json: membersOf(asset).map((login, index) => ({ login, id: index + 1, type: 'User' })) };
  return {
    json: { login: owner, id: asset.rank, type: 'Organization', name: asset.name, blog: asset.url, is_verified: true },
  };
}

/** Files of the default branch: a README that names the site. */
function raw(path: string, scene: Scene): FacadeReply {
  const params = matchPath(path, '/:owner/:name/HEAD/:file');
  const asset = scene.world.assets.find((row) => row.repo === `${params?.owner}/${params?.name}`);
  return asset && params?.file === 'README.md'
    ? {
        text: `# ${asset.name}\n\nContracts of [${asset.name}](${asset.url}).\n`,
        contentType: 'text/plain; charset=utf-8',
      }
    : { status: 404, text: '404: Not Found', contentType: 'text/plain; charset=utf-8' };
}

function repositoryPart(
  scene: Scene,
  asset: SandboxAsset,
  rest: string,
  path: string,
  query: URLSearchParams,
): FacadeReply {
  const { commits90d, contributors } = asset.traits;
  const perPage = Math.min(100, Math.max(1, Number(query.get('per_page') ?? 30)));
  const page = Math.max(1, Number(query.get('page') ?? 1));
  const paged = (total: number, make: (index: number) => unknown): FacadeReply => {
    const last = Math.max(1, Math.ceil(total / perPage));
    const to = (number: number, rel: string) => {
      const next = new URLSearchParams(query);
      next.set('page', String(number));
      return `<https://api.github.com${path}?${next}>; rel="${rel}"`;
    };
    const links = page < last ? [to(page + 1, 'next'), to(last, 'last')] : [];
    const count = Math.max(0, Math.min(perPage, total - (page - 1) * perPage));
    return {
      headers: links.length > 0 ? { link: links.join(', ') } : {},
      json: Array.from({ length: count }, (_, index) => make((page - 1) * perPage + index)),
    };
  };
  if (rest.startsWith('compare/'))
    return asset.fork
      ? {
          json: {
            status: 'ahead',
            ahead_by: asset.fork.ahead,
            behind_by: 12,
            total_commits: asset.fork.ahead,
            commits: [],
          },
        }
      : { status: 404, json: { message: 'Not Found' } };
  switch (rest) {
    case '':
      return { json: repository(scene, asset) };
    case 'commits':
      if (query.has('committer')) return { json: signedCommitsOf(scene, asset, query) };
      return paged(commits90d, (index) => commit(scene, asset, index));
    case 'contributors':
      return paged(contributors, (index) => ({
        login: person(asset, index),
        id: index + 1,
        type: 'User',
        contributions: Math.max(1, commits90d - index * 7),
      }));
    case 'releases':
      return paged(Math.ceil(commits90d / 60), (index) => ({
        id: index,
        tag_name: `v1.${20 - index}.0`,
        name: `v1.${20 - index}.0`,
        draft: false,
        prerelease: false,
        published_at: iso(scene.now - (index * 30 + 9) * DAY_MS),
      }));
    case 'community/profile':
      return { json: { health_percentage: 87, files: { license: { spdx_id: 'MIT' } } } };
    case 'stats/participation':
      return {
        json: {
          all: Array.from({ length: 52 }, () => Math.round(commits90d / 13)),
          owner: Array.from({ length: 52 }, () => 0),
        },
      };
    default:
      return { status: 404, json: { message: 'Not Found' } };
  }
}

function person(asset: SandboxAsset, index: number): string {
  return `${asset.slug}-dev-${index + 1}`;
}

/** Commits are spread evenly over the last 90 days, newest first. */
function commitAt(scene: Scene, asset: SandboxAsset, index: number): number {
  return scene.now - (0.4 + (89 * index) / Math.max(1, asset.traits.commits90d)) * DAY_MS;
}

function commit(scene: Scene, asset: SandboxAsset, index: number) {
  const login = person(asset, index % Math.max(1, asset.traits.contributors));
  const who = { name: login, email: `${login}@${asset.domain}`, date: iso(commitAt(scene, asset, index)) };
  const sha = index.toString(16).padStart(40, 'a');
  // Merges on the site are committed and signed by GitHub; fictional people never do so.
  const { contributors, inventedContributors = 0 } = asset.traits;
  const isMerged = index % Math.max(1, contributors) < contributors - inventedContributors;
  const by = isMerged ? { login: 'web-flow', id: 19864447, type: 'User' } : { login, id: index + 1, type: 'User' };
  return {
    sha,
    node_id: sha,
    commit: {
      author: who,
      committer: isMerged ? { name: 'GitHub', email: 'noreply@github.com', date: who.date } : who,
      message: `Change ${index}`,
      comment_count: 0,
      verification: isMerged
        ? { verified: true, reason: 'valid', signature: 'made up', payload: 'made up', verified_at: who.date }
        : { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    author: { login, id: index + 1, type: 'User' },
    committer: by,
    html_url: `https://github.com/${asset.repo}/commit/${sha}`,
    parents: [],
  };
}

function repository(scene: Scene, asset: SandboxAsset) {
  const [owner = '', name = ''] = (asset.repo ?? '').split('/');
  return {
    id: asset.rank,
    name,
    full_name: asset.repo,
    private: false,
    owner: { login: owner, id: asset.rank, type: 'Organization' },
    html_url: `https://github.com/${asset.repo}`,
    description: `Contracts of ${asset.name}`,
    fork: asset.fork !== undefined,
    ...(asset.fork ? { parent: { full_name: asset.fork.upstream, default_branch: 'main' } } : {}),
    created_at: iso(scene.world.anchor - asset.ageDays * DAY_MS),
    updated_at: iso(commitAt(scene, asset, 0)),
    pushed_at: iso(commitAt(scene, asset, 0)),
    // Some name their site in the README only.
    homepage: asset.rank % 3 === 0 ? null : asset.url,
    size: 4096,
    stargazers_count: asset.traits.commits90d * 4,
    watchers_count: asset.traits.commits90d * 4,
    forks_count: asset.traits.contributors * 9,
    open_issues_count: 17,
    language: 'Solidity',
    archived: false,
    disabled: false,
    license: { key: 'mit', name: 'MIT License', spdx_id: 'MIT', url: null },
    topics: [],
    default_branch: 'main',
    subscribers_count: asset.traits.contributors * 3,
    network_count: asset.traits.contributors * 9,
  };
}

function atom(path: string, scene: Scene): FacadeReply {
  const params = matchPath(path, '/:owner/:name/:feed') ?? matchPath(path, '/:owner/:name/commits/:feed');
  const asset = scene.world.assets.find((row) => row.repo === `${params?.owner}/${params?.name}`);
  if (!params || !asset || !params.feed?.endsWith('.atom'))
    return { status: 404, text: 'Not Found', contentType: 'text/plain' };
  const entries = Array.from({ length: Math.min(20, asset.traits.commits90d) }, (_, index) => {
    const at = iso(commitAt(scene, asset, index));
    const login = person(asset, index % Math.max(1, asset.traits.contributors));
    return `<entry><id>tag:github.com,2008:Grit::Commit/${index.toString(16).padStart(40, 'a')}</id><link type="text/html" rel="alternate" href="https://github.com/${asset.repo}/commit/${index}"/><title>Change ${index}</title><updated>${at}</updated><author><name>${login}</name><uri>https://github.com/${login}</uri></author></entry>`;
  });
  return {
    contentType: 'application/atom+xml; charset=utf-8',
    text: `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-US"><id>tag:github.com,2008:/${asset.repo}</id><title>Recent Commits to ${asset.slug}</title><updated>${iso(commitAt(scene, asset, 0))}</updated>${entries.join('')}</feed>`,
  };
}
