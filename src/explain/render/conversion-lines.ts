import type { ConversionModel } from './conversion-model.ts';
import type { Page } from './explain-page.ts';

/** What stands above: hints, and the message of the refusal. */
interface Said {
  readonly told: ReadonlySet<string>;
  readonly message: string;
}

/** Who was converted, from which version to which, by whom, and why it failed. */
export function conversionLines(page: Page, models: readonly ConversionModel[], { told, message }: Said): void {
  if (models.length === 0) return;
  page.line('');
  page.line('Conversions', 'strong');
  for (const { outcome, subject, sentence, error, advice } of models) {
    const isBad = outcome === 'failed';
    page.item(
      `${outcome}  ${subject} ${sentence}${isBad && !message.includes(error) ? `: ${error}` : ''}`,
      isBad ? 'bad' : undefined,
      2,
      4,
    );
    for (const hint of advice) {
      if (!told.has(hint)) page.item(`${page.painted('strong', 'hint:')} ${hint}`, undefined, 4);
    }
  }
}
