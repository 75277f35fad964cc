import type { Finding } from '../findings/finding.ts';
import type { HistoryFinding } from '../findings/history.ts';
import { createPage, type Page, type Paint, type Style } from './explain-page.ts';

export const severityStyle: Readonly<Record<Finding['severity'], Style>> = {
  error: 'bad',
  warning: 'warn',
  note: 'quiet',
};

const maxDetailed = 3;
const maxEvidence = 2;

/** Title, evidence and remedy; of many findings the later ones by their titles. */
export function findingLines(
  page: Page,
  findings: readonly Finding[],
  { all = false, isTitled }: { readonly all?: boolean; readonly isTitled: (finding: Finding) => boolean },
): void {
  findings.forEach((finding, at) => {
    const { severity, title, evidence, remedy } = finding;
    if (isTitled(finding)) page.item(`! ${title}`, severityStyle[severity], 2, 4);
    if (at >= maxDetailed && !all) return;
    const shown = all ? evidence : evidence.slice(0, maxEvidence);
    for (const { text } of shown) page.item(text, undefined, 4);
    const hidden = evidence.length - shown.length;
    if (hidden > 0) page.item(`and ${hidden} more like this; --all shows them`, 'dim', 4);
    page.hint(remedy);
  });
}

/** Notes: the title, and the remedy where there is evidence. */
export function renderNotes(page: Page, findings: readonly Finding[]): void {
  for (const { severity, title, evidence, remedy } of findings) {
    if (severity !== 'note') continue;
    page.item(title, 'dim');
    if (evidence.length > 0) page.hint(remedy, 'dim');
  }
}

/** The findings over several writes, printed before their explanations. */
export function historyText(
  findings: readonly HistoryFinding[],
  { paint, width = Number.POSITIVE_INFINITY }: { readonly paint: Paint; readonly width?: number },
): string {
  const page = createPage({ width, paint });
  page.line('All writes of the object', 'strong');
  for (const { severity, title, evidence, remedy } of findings) {
    page.item(`! ${title}`, severityStyle[severity], 2, 4);
    for (const text of evidence) page.item(text, undefined, 4);
    page.hint(remedy);
  }
  return page.text();
}
