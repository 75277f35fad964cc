import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

// The pages link to each other, to files and to folders with relative paths, as the repository page shows them.

export type SiteLink = { readonly page: string } | { readonly file: string };

/**
 * What the site links to, for a relative path on a page: a page, a file that the site copies, or nothing for a folder
 * without a page.
 */
export function resolveLink(root: string, page: string, target: string): SiteLink | undefined {
  const path = posix.join(dirname(page), target).replace(/\/$/, '');
  if (path.startsWith('..') || !existsSync(join(root, path))) throw new Error(`${page}: dead link ${target}`);
  if (path.endsWith('.md')) return { page: path };
  if (!statSync(join(root, path)).isDirectory()) return { file: path };
  for (let folder = path; folder !== '.'; folder = dirname(folder)) {
    if (existsSync(join(root, folder, 'README.md'))) return { page: `${folder}/README.md` };
  }
  return undefined;
}

/** The anchor of a heading, as the repository page makes it. */
export const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const firstLinks = /^\| \[(.*?)\]\((.*?)\)/gm;

interface SidebarGroup {
  readonly text: string;
  readonly items: { readonly text: string; readonly link: string }[];
  readonly collapsed: boolean;
}

/** The sidebar: the headings of docs/README.md, below each the links that begin the rows of its tables. */
export function sidebarOf(root: string): SidebarGroup[] {
  const groups = readFileSync(join(root, 'docs/README.md'), 'utf8').split(/^## /m).slice(1);
  return groups.flatMap((group) => {
    const [text = ''] = group.split('\n');
    const items = [...group.matchAll(firstLinks)].map(([, label = '', target = '']) => {
      const [path = '', anchor] = target.split('#');
      const link = resolveLink(root, 'docs/README.md', path);
      const page = link !== undefined && 'page' in link ? link.page.replace(/md$/, 'html') : '';
      return { text: label.replaceAll('`', ''), link: `/${page}${anchor === undefined ? '' : `#${anchor}`}` };
    });
    return items.length === 0 ? [] : [{ text, items, collapsed: false }];
  });
}

/** llms.txt: the pages of the sidebar by group, with the page that has all tasks first (llmstxt.org). */
export function llmsText(root: string): string {
  const pages = sidebarOf(root).map(({ text, items }) =>
    [`## ${text}`, '', ...items.map((item) => `- [${item.text}](${item.link})`)].join('\n'),
  );
  return [
    '# kadmit',
    '> A local Kubernetes API server for developing and testing admission webhooks and policies. It runs the complete admission chain of kube-apiserver and explains every decision.',
    'Read [llms-full.txt](/llms-full.txt) first: five tasks with their commands and expected output. `kadmit mcp` has the tools.',
    ...pages,
    '',
  ].join('\n\n');
}
