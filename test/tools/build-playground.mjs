// The playground of src/ui/playground as files for any web server: node test/tools/build-playground.mjs [--serve] [OUT].
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

const root = fileURLToPath(new URL('../../src/ui/playground', import.meta.url));

/** Builds into `out`; all addresses are relative, so that it can be put anywhere. */
export async function buildPlayground(out, base = './') {
  await build({
    root,
    base,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/worker-[hash].js' } } },
    build: {
      target: 'es2022',
      outDir: out,
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      // Inlined assets would be data: addresses, which the content security policy forbids for scripts.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 4000,
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rest = process.argv.slice(2);
  const out = resolve(rest.find((one) => !one.startsWith('--')) ?? 'dist-playground');
  await buildPlayground(out);
  if (rest.includes('--serve')) {
    const server = await preview({
      root,
      base: '/',
      configFile: false,
      build: { outDir: out },
      preview: { host: '127.0.0.1' },
    });
    console.log(`Playground: ${server.resolvedUrls?.local[0]}`);
  } else {
    console.log(`Built into ${out}: serve that folder with any web server.`);
  }
}
