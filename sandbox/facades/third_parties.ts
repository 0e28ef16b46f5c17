import { type Facade, type FacadeReply, matchPath } from '../facade.ts';
import { AUDIT_FIRMS, BOUNTY_HOST } from '../world/firms.ts';
import type { SandboxAsset } from '../world/types.ts';

/** Audit firms and a bounty platform: a page for each report and programme, which names its subject. */
export const third_parties: Facade = ({ path, host }, scene) => {
  const firm = AUDIT_FIRMS.find((row) => row.host === host)?.name;
  if (firm !== undefined) {
    const slug = matchPath(path, '/audits/:report')?.report?.replace(/^fictional-report-of-/, '');
    const asset = scene.world.assets.find(
      (row) => row.slug === slug && (row.traits.audits.includes(firm) || links(row, `${host}${path}`)),
    );
    return asset ? page(`${firm}: security assessment`, asset) : missing();
  }
  const programme = host === BOUNTY_HOST ? matchPath(path, '/bug-bounty/:slug') : null;
  const asset = scene.world.assets.find(
    (row) => row.slug === programme?.slug && (row.traits.bounty || links(row, `${BOUNTY_HOST}/bug-bounty/${row.slug}`)),
  );
  return asset ? page('Bug bounty programme', asset) : missing();
};

function links(asset: SandboxAsset, url: string): boolean {
  return Object.values(asset.pages ?? {}).some(({ body }) => body.includes(url));
}

function page(title: string, asset: SandboxAsset): FacadeReply {
  const scope = asset.address === '' ? '' : `<p>Contract <code>${asset.address}</code></p>`;
  return {
    contentType: 'text/html; charset=utf-8',
    text: `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${asset.name}, <a href="${asset.url}">${asset.domain}</a>.</p>${scope}</main></body></html>`,
  };
}

function missing(): FacadeReply {
  return { status: 404, text: '<!doctype html><title>404</title>', contentType: 'text/html; charset=utf-8' };
}
