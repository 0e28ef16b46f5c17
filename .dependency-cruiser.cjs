/** Which room may import which (docs/decisions/0001-layout.md). */
const room = (name) => `^src/${name}/`;
const ROOMS = ['access', 'api', 'chains', 'config', 'consensus', 'contract', 'disclosure', 'domain', 'evidence', 'exports', 'identity', 'indexer', 'jobs', 'mcp', 'methodology', 'metrics', 'monitoring', 'operations', 'pages', 'proving', 'publication', 'rating', 'registers', 'report', 'signing', 'snapshots', 'sources', 'store', 'telemetry', 'transparency', 'upstream', 'webhooks'];
const only = (name, allowed) => ({
  name: `${name}-imports-only`,
  severity: 'error',
  from: { path: room(name), pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: [name, ...allowed].map(room) },
});
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'src-is-alone', severity: 'error', from: { path: '^src/' }, to: { path: '^(methodology|research|sandbox|test|bench|web)/' } },
    { name: 'research-imports-only', severity: 'error', from: { path: '^research/', pathNot: '\\.test\\.ts$' }, to: { path: '^(src|methodology|sandbox|test|bench|web|client)/', pathNot: ['^src/(domain|chains|consensus|methodology|rating|publication|jobs|config|snapshots|monitoring)/', '^src/cli/(command|context|manual)\\.ts$'] } },
    { name: 'client-is-alone', severity: 'error', from: { path: '^client/src/' }, to: { pathNot: '^client/src/' } },
    { name: 'no-dumping-ground', severity: 'error', from: {}, to: { path: '^(src|research|sandbox|test|bench)/[a-z_/-]*(utils|common|helpers|core)/' } },
    { name: 'pure-rooms-do-no-io', severity: 'error', from: { path: '^src/(domain|consensus|metrics|rating|publication)/', pathNot: '\\.test\\.ts$' }, to: { dependencyTypes: ['core'] } },
    // Hashing is no I/O: derived addresses of Solana are SHA-256.
    { name: 'chains-does-no-io', severity: 'error', from: { path: '^src/chains/', pathNot: '\\.test\\.ts$|/fixtures/' }, to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' } },
    // Each room is imported through its index.ts. Tests may reach past it, and so may the composition root, but only by import(): it loads a file when a command needs it.
    ...ROOMS.map((name) => ({ name: `${name}-by-its-door`, severity: 'error', from: { path: '^(src|research)/', pathNot: [`^src/${name}/`, '\\.test\\.ts$', '/fixtures/'] }, to: { path: room(name), pathNot: `^src/${name}/index\\.ts$|\\.json$`, dynamic: false } })),
    only('domain', []),
    only('chains', ['domain']),
    only('contract', ['domain', 'chains', 'registers']),
    only('config', ['domain']),
    only('upstream', ['domain']),
    only('registers', ['domain', 'chains']),
    only('sources', ['domain', 'chains', 'registers', 'upstream']),
    only('proving', ['domain', 'chains', 'upstream', 'sources', 'evidence', 'methodology', 'store']),
    only('identity', ['domain', 'chains', 'methodology', 'registers', 'sources', 'upstream']),
    only('evidence', ['domain', 'chains', 'sources', 'upstream', 'identity', 'config']),
    only('methodology', ['domain']),
    only('contract', ['domain', 'chains', 'methodology', 'registers']),
    only('consensus', ['domain', 'methodology']),
    only('metrics', ['domain', 'chains']),
    only('rating', ['domain', 'chains', 'methodology', 'metrics']),
    only('publication', ['domain', 'chains', 'methodology']),
    only('report', ['domain', 'chains', 'contract', 'methodology', 'metrics', 'registers']),
    only('pages', ['domain', 'contract', 'methodology']),
    only('monitoring', ['domain', 'contract', 'chains', 'methodology', 'publication', 'jobs', 'store', 'signing', 'upstream', 'config', 'registers']),
    only('webhooks', ['domain', 'contract', 'store', 'upstream', 'config', 'access', 'monitoring']),
    only('disclosure', ['domain', 'contract', 'config', 'methodology', 'publication', 'jobs', 'exports', 'monitoring', 'signing', 'store']),
    only('transparency', ['signing', 'store']),
    only('indexer', ['domain', 'contract', 'chains', 'snapshots', 'evidence', 'identity', 'consensus', 'methodology', 'store', 'upstream', 'config']),
    only('exports', ['domain', 'contract', 'methodology', 'store', 'config']),
    only('signing', ['store']),
    only('snapshots', ['domain', 'contract', 'chains', 'metrics', 'evidence', 'identity', 'consensus', 'methodology', 'upstream']),
    only('store', ['domain', 'contract', 'chains']),
    only('access', ['domain', 'chains', 'store']),
    only('jobs', ['domain', 'contract', 'chains', 'consensus', 'methodology', 'rating', 'publication', 'upstream', 'evidence', 'identity', 'registers', 'store', 'config']),
    only('api', ['domain', 'contract', 'pages', 'chains', 'snapshots', 'monitoring', 'webhooks', 'disclosure', 'publication', 'signing', 'transparency', 'indexer', 'exports', 'jobs', 'access', 'evidence', 'methodology', 'config', 'mcp', 'registers', 'report', 'telemetry']),
    only('operations', ['domain', 'store', 'config', 'exports']),
    only('cli', ['domain', 'transparency', 'contract', 'chains', 'consensus', 'metrics', 'operations', 'pages', 'proving', 'snapshots', 'monitoring', 'publication', 'indexer', 'exports', 'jobs', 'access', 'evidence', 'methodology', 'config', 'mcp', 'registers', 'report', 'telemetry']),
    only('mcp', ['domain', 'contract', 'chains']),
    only('telemetry', ['domain', 'config']),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // TypeScript 7 has no compiler API for the cruiser yet; swc reads the same syntax.
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
