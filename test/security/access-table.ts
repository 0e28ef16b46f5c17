import type { Scope } from '../../src/access/keys.ts';

/** What a key needs on a route: nothing, any key at all, or one of these scopes (an administrator's key has all). */
export type Need = 'open' | 'any' | readonly Scope[];
/** What a plan must include, besides the scope. */
export type Goods =
  | 'score'
  | 'ratings'
  | 'watching'
  | 'chains'
  | 'solana'
  | 'ethereum'
  | 'chain stream'
  | 'alerts'
  | 'rating export'
  | null;

const open = ['open', null] as const;
const any = ['any', null] as const;
const admin = [['admin'], null] as const;
const account = [['account'], null] as const;
const score = [['score'], 'score'] as const;
const ratings = [['rms:read'], 'ratings'] as const;
const watching = [['rms:write'], 'watching'] as const;
const alertsRead = [['rms:read', 'chain:read'], 'alerts'] as const;
const alertsWrite = [['rms:write', 'chain:read'], 'alerts'] as const;
const thresholds = [['chain:read'], 'chain stream'] as const;
const solana = [['chain:read'], 'solana'] as const;
const ethereum = [['chain:read'], 'ethereum'] as const;

/**
 * Who may do what: every route the service has, declared once. A route that is not here fails the test, and so does one here
 * that is gone. `:chain` is asked as ethereum.
 */
export const ACCESS: Readonly<Record<string, readonly [Need, Goods]>> = {
  'GET /': open,
  'GET /openapi.json': open,
  'GET /docs': open,
  'GET /docs/js/scalar.js': open,
  'GET /icon.svg': open,
  'GET /assets/:name': open,
  'GET /llms.txt': open,
  'GET /quick-start/agent.md': open,
  'GET /quick-start/analyst.md': open,
  'GET /quick-start/data-team.md': open,
  'GET /quick-start/developer.md': open,
  'GET /quick-start/operator.md': open,
  'GET /quick-start/python.md': open,
  'GET /healthz': open,
  'GET /readyz': open,
  'GET /.well-known/assay-keys.json': open,
  'GET /v1/methodology': open,
  'GET /v1/methodology/calibration': open,
  'GET /v1/methodology/changes': open,
  'GET /v1/methodology/:version': open,
  'GET /v1/plans': open,
  'GET /v1/policy/presets': open,
  'GET /v1/registers': open,
  'GET /v1/registers/:name': open,
  'GET /v1/registers/:name/schema': open,
  'GET /v1/status': open,
  'GET /v1/log/checkpoint': open,
  'GET /v1/log/checkpoints': open,
  'GET /v1/log/consistency': open,
  'GET /v1/log/entries': open,
  'GET /v1/log/revocations': open,
  'POST /v1/log/cosignatures': open,
  'GET /v1/changelog': open,
  'GET /llms-full.txt': open,
  'GET /widgets.json': open,
  'GET /apps.json': open,
  'GET /v1/restatements': open,
  'GET /v1/track-record': open,
  'GET /v1/track-record/misses': open,
  'GET /public/:asset': open,
  'GET /public/:asset/:reference': open,
  'GET /public/appeals-help': open,
  // The receipt is the right to it.
  'GET /v1/receipts/:receipt': open,
  // The signature in the link is the right to it.
  'GET /public/mute/:token': open,
  'POST /public/mute/:token': open,
  'GET /public/objections/:reference': open,
  'POST /public/objections': open,
  'POST /v1/public/objections': open,
  'GET /v1/public/objections/:reference': open,
  'POST /v1/public/appeals': open,
  'GET /v1/public/appeals/:reference': open,
  'POST /v1/public/appeals/:reference/proof': open,
  'POST /v1/public/appeals/:reference/evidence': open,
  'POST /mcp': any,
  'GET /v1/usage': any,
  'GET /v1/usage/statement': any,
  'GET /v1/disputes': any,
  'GET /v1/disputes/:id': any,
  // Whoever may rate or read ratings may dispute one.
  'POST /v1/disputes': [['score', 'rms:read', 'rms:write'], null],
  'POST /v1/score': score,
  'POST /v1/bulk': score,
  'GET /v1/bulk': score,
  'GET /v1/bulk/:id': score,
  'GET /v1/bulk/:id/rows': score,
  'DELETE /v1/bulk/:id': score,
  'GET /v1/jobs/:id': score,
  'DELETE /v1/jobs/:id': score,
  'GET /v1/jobs/:id/events': score,
  'GET /v1/jobs/:id/evidence': score,
  'GET /v1/admin/keys': admin,
  'POST /v1/admin/keys': admin,
  'GET /v1/setup': admin,
  'POST /v1/setup/prove': admin,
  'DELETE /v1/admin/keys/:id': admin,
  'POST /v1/admin/keys/:id/rotate': admin,
  'GET /v1/admin/disputes': admin,
  'POST /v1/admin/disputes/:id/resolve': admin,
  'GET /v1/admin/appeals': admin,
  'POST /v1/admin/appeals/:id/reviews': admin,
  // Within the plan's number; an administrator asks for the operator.
  'GET /v1/:chain/stream': [['chain:read'], 'chain stream'],
  'GET /v1/:chain/thresholds': thresholds,
  'GET /v1/:chain/thresholds/:asset': thresholds,
  'PUT /v1/:chain/thresholds/:asset': thresholds,
  'DELETE /v1/:chain/thresholds/:asset': thresholds,
  'GET /v1/:chain/index': ethereum,
  'GET /v1/:chain/index/:asset': ethereum,
  'PUT /v1/:chain/index/:asset': ethereum,
  'DELETE /v1/:chain/index/:asset': ethereum,
  'GET /v1/account': any,
  'GET /v1/account/keys': account,
  'POST /v1/account/keys': account,
  'DELETE /v1/account/keys/:id': account,
  'POST /v1/account/keys/:id/rotate': account,
  'GET /v1/alerts': alertsRead,
  'GET /v1/alerts/source-drift': ratings,
  'PUT /v1/alerts/source-drift': watching,
  'DELETE /v1/alerts/source-drift': watching,
  'GET /v1/alerts/stream': alertsRead,
  'POST /v1/alerts/:id/acknowledge': alertsWrite,
  'GET /v1/rms': ratings,
  'POST /v1/rms/batch': ratings,
  'POST /v1/policy/check': ratings,
  'POST /v1/policy/portfolio': ratings,
  'GET /v1/overview': ratings,
  'GET /v1/rms/actions': ratings,
  ...ofAsset(''),
  ...ofAsset('/breakdown'),
  ...ofAsset('/dossier'),
  ...ofAsset('/report'),
  ...ofAsset('/peers'),
  ...ofAsset('/counterfactual'),
  ...ofAsset('/history'),
  ...ofAsset('/actions'),
  ...ofAsset('/forensics'),
  ...ofAsset('/clusters'),
  ...ofAsset('/attestation'),
  ...ofAsset('/proofs'),
  'GET /v1/rms/whitelist': ratings,
  'PUT /v1/rms/whitelist/:asset': watching,
  'PUT /v1/rms/whitelist/:asset/:reference': watching,
  'DELETE /v1/rms/whitelist/:asset': watching,
  'DELETE /v1/rms/whitelist/:asset/:reference': watching,
  'GET /v1/webhooks': alertsRead,
  'POST /v1/webhooks': alertsWrite,
  'GET /v1/webhooks/:id': alertsRead,
  'PUT /v1/webhooks/:id': alertsWrite,
  'DELETE /v1/webhooks/:id': alertsWrite,
  'GET /v1/webhooks/:id/deliveries': alertsRead,
  'POST /v1/webhooks/:id/deliveries/:delivery/replay': alertsWrite,
  'GET /v1/webhooks/:id/mutes': alertsRead,
  'POST /v1/webhooks/:id/mutes': alertsWrite,
  'DELETE /v1/webhooks/:id/mutes/:mute': alertsWrite,
  'POST /v1/webhooks/:id/test': alertsWrite,
  'POST /v1/webhooks/:id/replay': alertsWrite,
  'POST /v1/webhooks/:id/rotate': alertsWrite,
  'GET /v1/exports/rms/current': [['rms:read'], 'rating export'],
  'GET /v1/exports/rms/diff': [['rms:read'], 'rating export'],
  'GET /v1/exports/rms/daily': [['rms:read'], 'rating export'],
  'GET /v1/exports/rms/daily/manifest': [['rms:read'], 'rating export'],
  'GET /v1/chains': [['chain:read'], 'chains'],
  ...ofChain('solana', solana),
  ...ofChain(':chain', ethereum),
};

/** What each plan on sale includes. */
export const INCLUDED: Readonly<Record<string, readonly Goods[]>> = {
  'CHAIN-1500': ['chains', 'solana'],
  'CHAIN-3500': ['chains', 'solana', 'ethereum'],
  'CHAIN-7500': ['chains', 'solana', 'ethereum', 'chain stream', 'alerts'],
  RATING: ['score', 'ratings', 'watching', 'alerts', 'rating export'],
  INTERNAL: ['score', 'ratings', 'watching', 'alerts', 'rating export', 'chains', 'solana', 'ethereum', 'chain stream'],
};

function ofAsset(part: string): Record<string, typeof ratings> {
  return { [`GET /v1/rms/:asset${part}`]: ratings, [`GET /v1/rms/:asset/:reference${part}`]: ratings };
}

function ofChain<Row>(chain: string, row: Row): Record<string, Row> {
  const paths = [
    'market/:asset/snapshot',
    'market/:asset/history',
    ':asset/holders/snapshot',
    ':asset/holders/history',
    ':asset/liquidity/pools',
    ':asset/liquidity/pools/history',
    ':asset/liquidity/history',
    'exports/daily',
    'exports/daily/manifest',
  ];
  return Object.fromEntries(paths.map((path) => [`GET /v1/${chain}/${path}`, row]));
}
