import { createPage } from '../../explain/explain-page.ts';
import type { Page } from '../../explain/explain-page.ts';
import { fieldWords, valueWords } from '../../findings/field-words.ts';
import type { Change } from '../../trace/object-changes.ts';
import type { OrderedPair, PermutedRequest, PermuteReport } from '../../trials/permute.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What the order decides, for people: the pairs of which it matters who comes first, with both results. */
export function permuteText(reports: readonly PermuteReport[], terminal: Terminal): string {
  const page = createPage({ width: terminal.width ?? Number.POSITIVE_INFINITY, paint: terminal.paint });
  for (const { scenario, requests } of reports) {
    page.line(scenario, 'strong');
    for (const request of requests) requestLines(page, request);
    page.line('');
  }
  return page.text().trimEnd();
}

function requestLines(page: Page, request: PermutedRequest): void {
  const { name, webhooks, orders, ran, choice, results, pairs } = request;
  const tried = `${orders} ${orders === 1 ? 'order' : 'orders'} of ${webhooks.length} mutating webhooks (${choice}, ${ran} run)`;
  if (results.length < 2) {
    page.item(`${name}: the same in ${tried}${results[0]?.message ? `, refused: ${results[0].message}` : ''}`, 'good');
    return;
  }
  page.item(`${name}: ${results.length} results in ${tried}`, 'bad');
  for (const pair of pairs) pairLines(page, pair, results);
  const [inForce] = results;
  if (inForce) page.item(`in force: ${inForce.example.join(', ')}: so do ${inForce.orders} of ${orders}`, 'quiet', 4);
}

function pairLines(page: Page, pair: OrderedPair, results: PermutedRequest['results']): void {
  const { first, second, differing, tried, changes } = pair;
  page.item(`${first} and ${second}: it matters who is first (${differing} of ${tried} times)`, 'warn', 4);
  for (const change of changes.slice(0, mostShown)) page.item(changeText(change), 'quiet', 6);
  if (changes.length > mostShown) page.item(`and ${changes.length - mostShown} more fields`, 'quiet', 6);
  for (const index of changes.length === 0 ? pair.results : []) {
    const { code = 0, message = '' } = results[index] ?? {};
    page.item(code >= 400 ? `refused: ${message}` : 'admitted', 'quiet', 6);
  }
}

const mostShown = 5;

/** `image of container web: "a" with the first before the second, "b" the other way round`. */
export const changeText = ({ path, before, after }: Change): string =>
  `${fieldWords(path)}: ${valueWords(before)} in this order, ${valueWords(after)} in the other`;
