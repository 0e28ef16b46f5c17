import type { SandboxAsset } from './types.ts';

/** True for projects whose holders vote in a space of their own. */
export function hasSpace(asset: SandboxAsset): boolean {
  return asset.chain !== null && asset.chain !== 'solana' && (asset.grade === 'strong' || asset.grade === 'healthy');
}

/** Id of the voting space of an asset. */
export function spaceOf(asset: SandboxAsset): string {
  return `${asset.slug}.eth`;
}

/** GitHub logins of the people behind a project, as its team page links them. */
export function membersOf(asset: SandboxAsset): readonly string[] {
  if (asset.pages === undefined)
    return asset.traits.team === 'named' ? [1, 2, 3].map((number) => `${asset.slug}-dev-${number}`) : [];
  return Object.values(asset.pages).flatMap(({ body }) =>
    [...body.matchAll(/https:\/\/github\.com\/([a-z0-9-]+)"/g)].map((match) => match[1] ?? ''),
  );
}
