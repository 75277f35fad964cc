import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { textFlag } from '../../adapters/config/flags/common-flags.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { makeFolder } from '../../adapters/files/portable-files.ts';
import { recordedReviews } from '../../testing/record-replay/recorded-reviews.ts';
import { tryWrite } from '../../adapters/config/read-files.ts';
import { countText } from '../../machinery/lists.ts';

export const reviewsFlag = textFlag('reviews', 'FOLDER', 'write the AdmissionReviews, for kadmit test FOLDER --call');

interface SavedReviews {
  readonly folder: string;
  readonly reviews: number;
  readonly webhooks: number;
}

/** Writes the reviews of these traces. Throws ConfigError. */
export function saveReviews(folder: string, traces: readonly Trace[], reveal: boolean): SavedReviews {
  const { files, reviews, webhooks } = recordedReviews(traces, reveal);
  if (reviews === 0) throw new ConfigError('there is no AdmissionReview to write: no webhook was called');
  tryWrite(folder, () => {
    if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error('it is not empty');
    for (const [path, text] of files) {
      makeFolder(dirname(join(folder, path)), 0o777);
      // Reviews can contain Secrets.
      writeFileSync(join(folder, path), text, { mode: 0o600 });
    }
  });
  return { folder, reviews, webhooks };
}

export function reviewsText({ folder, reviews, webhooks }: SavedReviews): string {
  const counts = `${countText(reviews, 'AdmissionReview')} of ${countText(webhooks, 'webhook')}`;
  return `${folder}: ${counts}; kadmit test ${folder} --call URL sends them to a webhook`;
}
