import { defineConfig } from 'vite';

export default defineConfig({
  base: '/',
  // Data addresses in style sheets and inline modules would ask for a weaker content security policy.
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
