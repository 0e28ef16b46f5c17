import { defineConfig } from 'vite';
import { CHAINS } from '../src/chains/all.ts';
import { SOURCES } from '../src/sources/index.ts';

export default defineConfig({
  base: '/',
  define: {
    CHAIN_NAMES: JSON.stringify(Object.fromEntries(CHAINS.map(({ caip2, name }) => [caip2, name]))),
    SOURCE_TITLES: JSON.stringify(Object.fromEntries(SOURCES.map(({ name, title }) => [name, title]))),
  },
  // Data URLs in style sheets and inline modules would need a weaker content security policy.
  build: {
    rolldownOptions: { checks: { moduleLevelDirective: false } },
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
