import type { TraceSummary } from '../explain/trace/trace-summary.ts';

/** '' is no filter. */
export interface Filter {
  /** Words that must all be in the line. */
  readonly text: string;
  readonly verdict: '' | 'admitted' | 'refused' | 'webhook denied' | 'webhook failed' | 'with findings';
  readonly webhook: string;
  readonly resource: string;
  readonly user: string;
  /** Include writes of controllers for which no webhook was called. */
  readonly withControllers: boolean;
}

export const noFilter: Filter = { text: '', verdict: '', webhook: '', resource: '', user: '', withControllers: false };

/** Whether `Clear` would change anything. */
export const isFiltering = ({ text, verdict, webhook, resource, user }: Filter): boolean =>
  [text, verdict, webhook, resource, user].some((value) => value !== '');

/** `isMarked`: whether a request has findings, as far as known. */
export function filterRequests<Summary extends TraceSummary>(
  summaries: readonly Summary[],
  filter: Filter,
  isMarked: (summary: Summary) => boolean = () => true,
): readonly Summary[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const mayPass = filter.verdict === 'with findings' ? isMarked : () => true;
  return summaries.filter((summary) => matchesFilter(summary, filter, words) && mayPass(summary));
}

function matchesFilter(
  summary: TraceSummary,
  { verdict, webhook, resource, user, withControllers }: Filter,
  words: readonly string[],
): boolean {
  if (!withControllers && user === '' && isHousekeeping(summary)) return false;
  if (resource !== '' && summary.resource !== resource) return false;
  if (user !== '' && summary.user !== user) return false;
  if (webhook !== '' && !listCalledWebhooks(summary).includes(webhook)) return false;
  if (!hasVerdict(summary, verdict)) return false;
  return words.every((word) => createSearchText(summary).includes(word));
}

function hasVerdict({ verdict, webhooks }: TraceSummary, wanted: Filter['verdict']): boolean {
  switch (wanted) {
    case '':
    case 'with findings':
      return true;
    case 'admitted':
    case 'refused':
      return verdict === wanted;
    case 'webhook denied':
      return webhooks.denied.length > 0;
    case 'webhook failed':
      return webhooks.failed.length > 0;
  }
}

/** Every webhook that was called, with any result. */
export const listCalledWebhooks = ({ webhooks: { called, denied, failed } }: TraceSummary): readonly string[] => [
  ...called,
  ...denied,
  ...failed,
];

const searchTexts = new WeakMap<TraceSummary, string>();

function createSearchText(summary: TraceSummary): string {
  const known = searchTexts.get(summary);
  if (known !== undefined) return known;
  const { verb, resource, namespace, name, user, code, message, path, id } = summary;
  const parts = [
    verb,
    resource,
    `${namespace}/${name}`,
    user,
    String(code),
    message,
    path,
    id,
    ...listCalledWebhooks(summary),
  ];
  const text = parts.join('\n').toLowerCase();
  searchTexts.set(summary, text);
  return text;
}

/** The values to choose from, sorted. */
export interface FilterSelects {
  readonly webhooks: readonly string[];
  readonly resources: readonly string[];
  readonly users: readonly string[];
}

export function collectChoices(summaries: readonly TraceSummary[]): FilterSelects {
  const webhooks = new Set<string>();
  const resources = new Set<string>();
  const users = new Set<string>();
  for (const summary of summaries) {
    for (const webhook of listCalledWebhooks(summary)) webhooks.add(webhook);
    resources.add(summary.resource);
    if (summary.user !== '') users.add(summary.user);
  }
  const sorted = (set: ReadonlySet<string>): readonly string[] => [...set].toSorted();
  return { webhooks: sorted(webhooks), resources: sorted(resources), users: sorted(users) };
}

/** Whether a write of the cluster's own components can be hidden: it was admitted or lost a race, and called no webhook. */
export function isHousekeeping({ user, verdict, code, webhooks }: TraceSummary): boolean {
  const { called, denied, failed } = webhooks;
  const isSettled = verdict === 'admitted' || code === 409;
  return isSettled && called.length + denied.length + failed.length === 0 && isComponent(user);
}

/** Service accounts of other namespaces are workloads. */
const isComponent = (user: string): boolean =>
  user === 'system:apiserver' || /^system:(kube-|node:|serviceaccount:kube-system:)/.test(user);
