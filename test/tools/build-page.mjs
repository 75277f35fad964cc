// The page of src/ui as one script and one style: what dist/page holds and what trace files carry within them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/** Builds the page; resolves with the texts of page.js and page.css, and what the bundler wrote. */
export async function buildPage() {
  const { output } = await build({
    root: 'src/ui',
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: 'src/ui/main.tsx',
        output: { entryFileNames: 'page.js', assetFileNames: 'page.[ext]', codeSplitting: false },
      },
    },
  });
  const textOf = (ending) => {
    const file = output.find(({ fileName }) => fileName.endsWith(ending));
    return String(file?.type === 'chunk' ? file.code : (file?.source ?? ''));
  };
  return { script: textOf('.js'), style: textOf('.css'), output };
}

/** Writes the built page into `folder`/page. */
export function writePage(folder, { script, style }) {
  mkdirSync(join(folder, 'page'), { recursive: true });
  writeFileSync(join(folder, 'page/page.js'), script);
  writeFileSync(join(folder, 'page/page.css'), style);
}
