import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// A block that begins with ```yaml playground=NAME is YAML on the repository page; the site shows the example NAME of
// docs/playground/examples in its place, to change and run.

/** The example that the info string of a fenced block names. */
export const exampleOf = (info: string): string | undefined => /\splayground=([\w-]+)\s*$/.exec(info)?.[1];

/** The text of an example; throws where there is none, which fails the build of the site. */
export function exampleText(root: string, name: string): string {
  try {
    return readFileSync(join(root, `docs/playground/examples/${name}.yaml`), 'utf8');
  } catch {
    throw new Error(`there is no example ${name} in docs/playground/examples`);
  }
}

/** Whether a block shows the example or lines of it, perhaps with less indentation. */
export function isPartOf(block: string, example: string): boolean {
  const isPart = (indent: number): boolean =>
    `\n${example}`.includes(`\n${block.replaceAll(/^(?=.)/gm, ' '.repeat(indent))}`);
  return block.trim() !== '' && Array.from({ length: 12 }, (_, indent) => indent).some(isPart);
}

export const playgroundStyle = `
.playground iframe { width: 100%; height: 840px; border: 1px solid var(--vp-c-divider); border-radius: 8px }
.playground summary { font-size: 14px; color: var(--vp-c-text-2); cursor: pointer }
`;

/** Frames have the theme of the page around them, also after a change. */
export const playgroundScript = `
const dress = (frame) => {
  const root = frame.contentDocument?.documentElement;
  if (root) root.dataset.theme = document.documentElement.classList.contains('dark') ? 'dark' : 'light';
};
const isFrame = (target) => target instanceof Element && target.matches('.playground iframe');
document.addEventListener('load', ({ target }) => isFrame(target) && dress(target), true);
new MutationObserver(() => document.querySelectorAll('.playground iframe').forEach(dress))
  .observe(document.documentElement, { attributeFilter: ['class'] });
`;

/** The embedded playground, with the block below it for who runs no scripts and for the search. */
export function playgroundHtml(base: string, name: string, example: string, block: string): string {
  const title = /^# title: (.*)$/m.exec(example)?.[1] ?? name;
  const escaped = title.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return [
    `<div class="playground">`,
    `<iframe src="${base}playground/?embed#example=${name}" title="Playground: ${escaped}" loading="lazy"></iframe>`,
    `<details><summary>${escaped} (as text)</summary>`,
    block,
    `</details>`,
    `</div>`,
    '',
  ].join('\n');
}
