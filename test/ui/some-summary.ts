import type { NumberedSummary } from '../../src/trace/trace-summary.ts';

/** An admitted create of a Pod by alice, but for what `over` says. */
export const someSummary = (id: string, over: Partial<NumberedSummary>): NumberedSummary => ({
  id,
  sequence: 1,
  startedAt: 0,
  milliseconds: 1,
  verdict: 'admitted',
  code: 201,
  verb: 'create',
  path: '/api/v1/namespaces/shop/pods',
  resource: 'pods',
  namespace: 'shop',
  name: id,
  dryRun: false,
  user: 'alice',
  message: '',
  owners: [],
  webhooks: { called: [], denied: [], failed: [], skipped: [] },
  ...over,
});
