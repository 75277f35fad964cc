import { humanDuration } from '../../apimachinery/human-duration.ts';
import { createPage } from '../../explain/explain-page.ts';
import type { Page, Style } from '../../explain/explain-page.ts';
import type { ChainHealth, ChainStep } from '../../trace/chain-document.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { budgetSentence, timeBudget } from './time-budget.ts';

const phases = ['mutating', 'validating'] as const;
const titles = { mutating: 'Mutating, one after the other', validating: 'Validating, webhooks all at once' } as const;

/** The chain as it would be walked, for people. `now` in milliseconds since 1970. */
export function chainText(
  steps: readonly ChainStep[],
  sentence: string,
  { paint, width = Number.POSITIVE_INFINITY, now }: Terminal & { readonly now: number },
): string {
  const page = createPage({ width, paint });
  page.line(sentence, 'strong');
  for (const phase of phases) {
    const own = steps.filter((step) => step.phase === phase);
    page.line('');
    page.line(titles[phase], 'strong');
    for (const run of runsOf(own)) runLines(page, run, now);
  }
  page.line('');
  page.hanging('time', budgetSentence(timeBudget(steps)), timeBudget(steps).most > 34 ? 'warn' : 'quiet');
  return page.text();
}

function runLines(page: Page, run: readonly ChainStep[], now: number): void {
  if (run[0]?.type === 'plugin') page.hanging('plugins', run.map(({ name }) => name).join(', '), 'quiet');
  else run.forEach((step) => stepLines(page, step, now));
}

/** Neighbours that are all plugins, or all others. */
function runsOf(steps: readonly ChainStep[]): readonly (readonly ChainStep[])[] {
  const runs: ChainStep[][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (last && (last[0]?.type === 'plugin') === (step.type === 'plugin')) last.push(step);
    else runs.push([step]);
  }
  return runs;
}

const words: Readonly<Record<ChainStep['outcome'], readonly [word: string, style: Style]>> = {
  asked: ['asked', 'good'],
  depends: ['depends', 'warn'],
  skipped: ['skipped', 'quiet'],
  refuses: ['REFUSES', 'bad'],
};

function stepLines(page: Page, step: ChainStep, now: number): void {
  const { type, name, within, outcome, because, health, assumed } = step;
  const [word, style] = words[outcome];
  const about = outcome === 'asked' ? `  ${termsOf(step)}` : `  ${because.join('; ')}`;
  const title = `${type} ${name}${within === '' ? '' : ` (${within})`}`;
  page.item(`${page.painted(style, word.padEnd(7))}  ${title}${about}`, undefined, 2, 11);
  if (outcome === 'depends') page.item(`if so: ${termsOf(step)}`, undefined, 11, 13);
  if (assumed)
    page.item(`not called: assumed to ${assumed === 'ignore' ? 'fail open' : assumed} (--assume)`, 'warn', 11, 13);
  else if (health) page.item(healthSentence(health, now), healthStyle(health, now), 11, 13);
}

function termsOf({ type, timeoutSeconds, failurePolicy, reinvocationPolicy }: ChainStep): string {
  const terms = [
    ...(type === 'webhook' ? [`up to ${timeoutSeconds} s`] : ['evaluated']),
    failurePolicy === 'Ignore' ? 'a failure lets the request pass' : 'a failure refuses the request',
    ...(reinvocationPolicy === 'IfNeeded' ? ['called again if something changes after it'] : []),
  ];
  return terms.join('; ');
}

const day = 86_400_000;
const soon = 30 * day;

/** `https://127.0.0.1:8443 answers, certificate CN=hooks valid until 2027-01-01 (40d)`. */
export function healthSentence(
  { outcome, address = '', phase = '', error = '', certificate }: ChainHealth,
  now: number,
): string {
  if (outcome === 'unreachable') return `UNREACHABLE (${phase}): ${error}`;
  if (!certificate) return `${address} accepts connections`;
  const until = new Date(certificate.notAfter).toISOString().slice(0, 10);
  const left = humanDuration(certificate.notAfter - now);
  return `${address} accepts connections, certificate ${certificate.subject} until ${until} (${left} left)`;
}

function healthStyle({ outcome, certificate }: ChainHealth, now: number): Style {
  if (outcome === 'unreachable') return 'bad';
  return certificate && certificate.notAfter - now < soon ? 'warn' : 'quiet';
}
