import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { defineConfig } from 'vitepress';
import { llmsText, resolveLink, sidebarOf, slugify } from './links.ts';
import { exampleOf, exampleText, playgroundHtml, playgroundScript, playgroundStyle } from './playground-blocks.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const base = process.env.DOCS_BASE ?? '/';

/** Files that pages link to; the site has them as text. */
const linkedFiles = new Set();

/** Rewrites the relative links of a page: the README is the first page, files are copied, folders have a page or no link. */
function siteLinks(markdown) {
  markdown.core.ruler.push('site-links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      for (const [index, token] of (children ?? []).entries()) {
        const href = token.type === 'link_open' ? token.attrGet('href') : null;
        if (href === null || /^(?:[a-z]+:|#)/.test(href)) continue;
        const [path, anchor] = href.split('#');
        const link = resolveLink(root, env.relativePath.replace(/^index\.md$/, 'README.md'), path);
        if (link === undefined) {
          token.tag = 'span';
          token.attrs = null;
          const close = children.slice(index).find(({ type }) => type === 'link_close');
          token.type = 'span_open';
          close.type = 'span_close';
          close.tag = 'span';
        } else if ('file' in link) {
          linkedFiles.add(link.file);
          token.attrSet('href', `/${link.file}.txt`);
          token.attrSet('target', '_blank');
        } else {
          const page = link.page === 'README.md' ? 'index.md' : link.page;
          token.attrSet('href', `/${page}${anchor === undefined ? '' : `#${anchor}`}`);
        }
      }
    }
  });
}

/** Shows blocks of the playground in an iframe. */
function playgroundBlocks(markdown) {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const name = exampleOf(tokens[index].info);
    if (name === undefined) return fence(tokens, index, options, env, self);
    tokens[index].info = 'yaml';
    const block = fence(tokens, index, options, env, self);
    return playgroundHtml(base, name, exampleText(root, name), block);
  };
}

/** Pages above docs/ import vue from the packages of docs/. */
const packagesOfSite = {
  name: 'packages-of-site',
  enforce: 'pre',
  resolveId(source, _importer, options) {
    if (!/^vue(?:$|\/)/.test(source)) return undefined;
    return options.ssr
      ? { id: source, external: true }
      : this.resolve(source, join(root, 'docs/package.json'), { ...options, skipSelf: true });
  },
};

export default defineConfig({
  title: 'kadmit',
  description: 'A local Kubernetes API server for developing and testing admission webhooks and policies',
  head: [
    ['style', {}, '.language-console code, .language-text code { white-space: pre-wrap !important }'],
    ['style', {}, playgroundStyle],
    ['script', {}, playgroundScript],
  ],
  base,
  srcDir: '..',
  srcExclude: ['node_modules/**', 'docs/node_modules/**', 'src/**', 'test/**', 'dist/**', '.*/**'],
  vite: { plugins: [packagesOfSite] },
  rewrites: { 'README.md': 'index.md' },
  markdown: {
    anchor: { slugify },
    config(markdown) {
      siteLinks(markdown);
      playgroundBlocks(markdown);
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/docs/guides/your-webhook.html' },
      { text: 'Reference', link: '/docs/reference/scenario-format.html' },
      { text: 'Documentation', link: '/docs/README.html' },
      // Not a page of VitePress.
      { text: 'Playground', link: '/playground/', target: '_self' },
    ],
    sidebar: sidebarOf(root),
    outline: [2, 3],
    search: { provider: 'local' },
  },
  async buildEnd({ outDir }) {
    // With the Vite of the root: the site has another one.
    const { buildPlayground } = await import(pathToFileURL(join(root, 'test/tools/build-playground.mjs')).href);
    await buildPlayground(join(outDir, 'playground'));
    writeFileSync(join(outDir, 'llms.txt'), llmsText(root));
    // The page that a model reads whole, as Markdown.
    cpSync(join(root, 'docs/guides/agents.md'), join(outDir, 'llms-full.txt'));
    for (const file of linkedFiles) {
      const target = join(outDir, `${file}.txt`);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(root, file), target);
    }
  },
});
