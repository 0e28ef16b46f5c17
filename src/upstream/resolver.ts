import { lookup } from 'node:dns/promises';
import type { Resolver } from './types.ts';

/** The machine's own name resolution (hosts file and DNS); vouches for nobody. */
export function systemResolver(): Resolver {
  return {
    async resolve(host) {
      try {
        const found = await lookup(host, { all: true, order: 'ipv4first' });
        return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
      } catch (error) {
        if (error instanceof Error && 'code' in error && NO_SUCH_NAME.has(error.code)) return [];
        throw error;
      }
    },
    vouch: () => null,
  };
}

const NO_SUCH_NAME: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);
