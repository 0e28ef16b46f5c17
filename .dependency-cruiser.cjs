/** Who may import whom (docs/decisions/0001-the-house.md). */
const room = (name) => `^src/${name}/`;
const only = (name, allowed) => ({
  name: `${name}-imports-only`,
  severity: 'error',
  from: { path: room(name), pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: [name, ...allowed].map(room) },
});
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'src-is-alone', severity: 'error', from: { path: '^src/' }, to: { path: '^(sandbox|test|bench|web)/' } },
    { name: 'client-is-alone', severity: 'error', from: { path: '^client/src/' }, to: { pathNot: '^client/src/' } },
    { name: 'no-dumping-ground', severity: 'error', from: {}, to: { path: '^(src|sandbox|test|bench)/[a-z_/-]*(utils|common|helpers|core)/' } },
    { name: 'pure-rooms-do-no-io', severity: 'error', from: { path: '^src/(domain|consensus|rating|publication)/', pathNot: '\\.test\\.ts$' }, to: { dependencyTypes: ['core'] } },
    only('domain', []),
    only('config', ['domain']),
    only('upstream', ['domain']),
    only('sources', ['domain', 'upstream']),
    only('identity', ['domain', 'methodology', 'sources', 'upstream']),
    only('evidence', ['domain', 'sources', 'upstream', 'identity', 'config']),
    only('methodology', ['domain']),
    only('consensus', ['domain', 'methodology']),
    only('rating', ['domain', 'methodology']),
    only('publication', ['domain', 'methodology']),
    only('monitoring', ['domain', 'methodology', 'publication', 'scoring', 'store', 'signing', 'upstream', 'config']),
    only('chain', ['domain', 'methodology', 'consensus', 'upstream']),
    only('indexer', ['domain', 'chain', 'evidence', 'identity', 'consensus', 'methodology', 'store', 'upstream', 'config']),
    only('exports', ['domain', 'store', 'config']),
    only('signing', ['store']),
    only('snapshots', ['domain', 'chain', 'evidence', 'identity', 'consensus', 'methodology', 'upstream', 'indexer']),
    only('store', ['domain']),
    only('access', ['domain', 'store']),
    only('scoring', ['domain', 'consensus', 'methodology', 'rating', 'publication', 'upstream', 'evidence', 'identity', 'store', 'config']),
    only('api', ['domain', 'chain', 'monitoring', 'publication', 'signing', 'indexer', 'exports', 'scoring', 'access', 'evidence', 'methodology', 'config', 'mcp', 'telemetry']),
    only('operations', ['domain', 'store', 'config', 'exports']),
    only('validation', ['domain', 'consensus', 'methodology', 'rating', 'publication', 'scoring', 'config']),
    only('cli', ['domain', 'operations', 'chain', 'monitoring', 'publication', 'validation', 'indexer', 'exports', 'scoring', 'access', 'evidence', 'methodology', 'config', 'mcp', 'telemetry']),
    only('mcp', ['domain']),
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
