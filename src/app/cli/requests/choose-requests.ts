import { isGrave } from '../../../explain/findings/mark.ts';
import type { TraceSummary } from '../../../explain/trace/trace-summary.ts';
import type { RequestRow } from './request-row.ts';
import type { RequestsOptions } from './requests-options.ts';

/** What to list; an empty text is no filter. */
export type Choice = Pick<
  RequestsOptions,
  'user' | 'verb' | 'resource' | 'namespace' | 'webhook' | 'refused' | 'findings' | 'all'
>;

/** What `--findings` lets pass: notes are good to know, and no findings. */
export const hasFindings = ({ findings }: Pick<RequestRow, 'findings'>): boolean => findings.some(isGrave);

/** Is the request one of those asked for, findings aside? `resource` is as summaries have it: `deployments.apps`. */
export const isChosen = (choice: Choice, summary: TraceSummary): boolean =>
  isAskedFor(choice, summary) && (choice.all || choice.user !== '' || !isHousekeeping(summary));

function isAskedFor({ user, verb, resource, namespace, webhook, refused }: Choice, summary: TraceSummary): boolean {
  const same = (wanted: string, is: string): boolean => wanted === '' || wanted === is;
  return (
    same(user, summary.user) &&
    same(verb, summary.verb) &&
    same(namespace, summary.namespace) &&
    same(resource, resource.includes('/') ? summary.resource : (summary.resource.split('/')[0] ?? '')) &&
    considered(summary, webhook) &&
    (!refused || summary.verdict === 'refused')
  );
}

function considered({ webhooks: { called, denied, failed, skipped } }: TraceSummary, part: string): boolean {
  return part === '' || [...called, ...denied, ...failed, ...skipped].some((name) => name.includes(part));
}

/** A controller wrote it and nobody outside had a say; one that comes too late for a version tries again. */
const isHousekeeping = ({ user, verdict, code, webhooks }: TraceSummary): boolean =>
  user.startsWith('system:') &&
  (verdict === 'admitted' || code === 409) &&
  webhooks.called.length + webhooks.denied.length + webhooks.failed.length === 0;
