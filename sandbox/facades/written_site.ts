import type { FacadeReply } from '../facade.ts';
import { pdfOf } from '../pdf.ts';
import type { SandboxAsset, SitePage } from '../world/types.ts';

/** A site with pages written by hand: each with the same bar on top and the same links below. */
export function written(
  asset: SandboxAsset,
  pages: Readonly<Record<string, SitePage>>,
  path: string,
  host: string,
): FacadeReply {
  if (path === '/robots.txt') return { text: 'User-agent: *\nAllow: /\n', contentType: 'text/plain; charset=utf-8' };
  if (/^(app|testnet)\./.test(host))
    return {
      text: `<!doctype html><title>${asset.name}</title><main><p>Connect a wallet to begin.</p></main>`,
      contentType: 'text/html; charset=utf-8',
    };
  const page = pages[path.replace(/(?<=.)\/$/, '')];
  if (!page)
    return {
      status: 404,
      text: '<!doctype html><title>Not found</title><h1>404</h1>',
      contentType: 'text/html; charset=utf-8',
    };
  if (page.paper !== undefined) return { text: pdfOf(page.paper), contentType: 'application/pdf' };
  const bar = Object.entries(pages)
    .map(([href, { title }]) => `<a href="${href}">${title}</a>`)
    .join(' ');
  const channels = [
    ['X', `https://x.com/${asset.handle}`],
    ['Telegram', `https://t.me/${asset.handle}`],
    ...(asset.repo ? [['GitHub', `https://github.com/${asset.repo}`]] : []),
  ]
    .map(([label, href]) => `<a href="${href}">${label}</a>`)
    .join(' ');
  const title = path === '/' ? `${asset.name}: ${page.title}` : `${page.title} | ${asset.name}`;
  const text = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><header><nav>${bar}</nav></header><main>${page.body}</main>
<footer>${channels}</footer></body></html>`;
  return {
    contentType: 'text/html; charset=utf-8',
    text: page.bytes === undefined ? text : text.padEnd(page.bytes, '<p>More of the same.</p>\n'),
  };
}
