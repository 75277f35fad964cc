import { chainModel } from '../../../explain/render/chain-model.ts';
import type { Stop } from '../../../explain/render/chain-model.ts';
import { createPage } from '../../../explain/render/explain-page.ts';
import type { Page } from '../../../explain/render/explain-page.ts';
import { budgetSentence } from '../../../explain/render/time-budget.ts';
import type { ChainStep } from '../../../explain/trace/chain-document.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface ChainLook extends Terminal {
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The chain as it would be walked, for people; `sentence` says the request. */
export function chainText(
  steps: readonly ChainStep[],
  { sentence, verb }: { readonly sentence: string; readonly verb: string },
  { paint, width = Number.POSITIVE_INFINITY, now }: ChainLook,
): string {
  const page = createPage({ width, paint });
  const { stretches, budget } = chainModel(steps, verb, now);
  page.line(sentence, 'strong');
  for (const { name, title, stops } of stretches) {
    // What goes without saying is for the page.
    if (name === 'validation' || name === 'store') continue;
    page.line('');
    page.line(title, 'strong');
    stops.forEach((stop) => stopLines(page, stop));
  }
  page.line('');
  page.hanging('time', budgetSentence(budget), budget.most > budget.given ? 'warn' : 'quiet');
  return page.text();
}

function stopLines(page: Page, { type, title, word, tone, because, terms, health }: Stop): void {
  if (type === 'plugins') return page.hanging('plugins', title, 'quiet');
  if (type === 'server') return page.item(title, 'quiet', 2, 4);
  const about = because.length === 0 ? terms : because.join('; ');
  page.item(`${page.painted(tone, word.padEnd(7))}  ${title}  ${about}`, undefined, 2, 11);
  if (because.length > 0 && terms !== '') page.item(`if so: ${terms}`, undefined, 11, 13);
  if (health) page.item(health.text, health.tone, 11, 13);
  return undefined;
}
