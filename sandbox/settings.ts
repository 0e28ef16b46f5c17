import type { Config, SourceSettings } from '../src/config/types.ts';
import { SOURCES } from '../src/sources/index.ts';
import type { Resolver } from '../src/upstream/types.ts';
import { FACADES } from './facades/index.ts';
import { THIRD_PARTY_HOSTS } from './world/firms.ts';
import { ASSET_SPECS, COPY_DOMAIN } from './world/specs.ts';
import type { AssetSpec } from './world/types.ts';

/** Properties of a running sandbox for clients. */
export interface SandboxAddress {
  readonly url: string;
  readonly ca: string;
  readonly httpPort: number;
  readonly tlsPort: number;
  /** Registers of its world, for ASSAY_REGISTERS_DIR; absent or null: it has none. */
  readonly registersDir?: string | null;
}

/** Every base URL of a source: one that is not the sandbox's would be the real one. */
function basesOf(name: string): readonly string[] {
  const own = Object.keys(SOURCES.find((source) => source.name === name)?.bases ?? {});
  return own.length === 0 ? ['main'] : own;
}

/** The `sources` part of a configuration in which every public source is the sandbox's. Sites and TLS go by the resolver. */
export function sandboxConfig(
  address: Pick<SandboxAddress, 'url' | 'registersDir'>,
): Pick<Config, 'dataMode' | 'sources' | 'registersDir'> {
  const settings = (source: string): SourceSettings => ({
    bases: Object.fromEntries(basesOf(source).map((base) => [base, `${address.url}/${source}/${base}`])),
    key: null,
    enabled: null,
  });
  const names = Object.keys(FACADES).filter((name) => name !== 'website' && name !== 'third_parties');
  return {
    dataMode: 'sandbox',
    registersDir: address.registersDir ?? null,
    sources: Object.fromEntries(names.map((name) => [name, settings(name)])),
  };
}

/** The same settings as environment variables, for another process such as the command line. */
export function sourceVariables({
  sources,
  registersDir,
}: Pick<Config, 'sources' | 'registersDir'>): Readonly<Record<string, string>> {
  const urls = Object.entries(sources).flatMap(([name, { bases }]) =>
    Object.entries(bases).map(([base, url]) => [
      `ASSAY_SOURCE_${name.toUpperCase()}_${base === 'main' ? '' : `${base.toUpperCase()}_`}URL`,
      url,
    ]),
  );
  return { ...Object.fromEntries(urls), ...(registersDir === null ? {} : { ASSAY_REGISTERS_DIR: registersDir }) };
}

/** Hosts of the world that belong to no project: the registry and the firm that attests reserves. */
const OTHER_HOSTS: readonly string[] = ['rdap.registry.example', 'ledgerlight.example'];

/**
 * Resolves the world's own `*.example` names and the audit firms' hosts to the sandbox, and no others, so that a demo
 * can reach neither other hosts nor the machine's network.
 */
export function sandboxResolver(sandbox: SandboxAddress, projects: readonly AssetSpec[] = ASSET_SPECS): Resolver {
  const hosts = new Set([
    ...projects.flatMap(({ domain }) => [
      domain,
      ...['www', 'docs', 'app', 'testnet'].map((name) => `${name}.${domain}`),
    ]),
    ...OTHER_HOSTS,
    ...THIRD_PARTY_HOSTS,
  ]);
  const isOurs = (host: string) => hosts.has(host.toLowerCase()) || host.toLowerCase().endsWith(COPY_DOMAIN);
  return {
    resolve: async (host) => (isOurs(host) ? [{ address: '127.0.0.1', family: 4 }] : []),
    vouch(host, port) {
      if (!isOurs(host)) return null;
      if (port === 80) return { address: '127.0.0.1', family: 4, port: sandbox.httpPort, ca: null };
      if (port === 443) return { address: '127.0.0.1', family: 4, port: sandbox.tlsPort, ca: sandbox.ca };
      return null;
    },
  };
}
