import { expect, test } from 'vitest';
import { type RequestFilter, matchesSelection } from '../../../../src/app/cli/requests/requests.ts';
import type { TraceSummary } from '../../../../src/explain/trace/trace-summary.ts';
import { someSummary } from '../../../harness/trace-summary.ts';

const anything: RequestFilter = {
  user: '',
  verb: '',
  resource: '',
  namespace: '',
  webhook: '',
  refused: false,
  findings: false,
  all: false,
};
const noWebhooks = { called: [], denied: [], failed: [], skipped: [] };
const controller = { user: 'system:serviceaccount:kube-system:replicaset-controller' };

const rows: readonly [fact: string, choice: Partial<RequestFilter>, summary: Partial<TraceSummary>, is: boolean][] = [
  ['no filter', {}, {}, true],
  ['the user', { user: 'alice' }, {}, true],
  ['another user', { user: 'ali' }, {}, false],
  ['the verb', { verb: 'create' }, {}, true],
  ['another verb', { verb: 'patch' }, {}, false],
  ['the resource', { resource: 'pods' }, {}, true],
  ['its subresource', { resource: 'pods' }, { resource: 'pods/exec' }, true],
  ['that subresource only', { resource: 'pods/exec' }, {}, false],
  ['another group', { resource: 'events.events.k8s.io' }, { resource: 'events' }, false],
  ['the namespace', { namespace: 'shop' }, {}, true],
  ['another namespace', { namespace: 'default' }, {}, false],
  ['a webhook that was skipped', { webhook: 'a.x' }, { webhooks: { ...noWebhooks, skipped: ['a.x.io'] } }, true],
  ['another webhook', { webhook: 'b.x' }, { webhooks: { ...noWebhooks, skipped: ['a.x.io'] } }, false],
  ['refused', { refused: true }, { verdict: 'refused' }, true],
  ['not refused', { refused: true }, {}, false],
  ['housekeeping', {}, controller, false],
  ['housekeeping when all is asked for', { all: true }, controller, true],
  ['housekeeping of a user asked for', controller, controller, true],
  ['a controller that came too late for a version', {}, { ...controller, verdict: 'refused', code: 409 }, false],
  ['a person who came too late for one', {}, { verdict: 'refused', code: 409 }, true],
  ['a controller that was refused', {}, { ...controller, verdict: 'refused' }, true],
  ['a controller and a webhook', {}, { ...controller, webhooks: { ...noWebhooks, called: ['a'] } }, true],
  ['a controller and a skipped webhook', {}, { ...controller, webhooks: { ...noWebhooks, skipped: ['a'] } }, false],
];

test.each(rows)('%s', (_fact, choice, summary, is) => {
  expect(matchesSelection({ ...anything, ...choice }, someSummary(summary))).toBe(is);
});
