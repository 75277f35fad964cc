import { expect, test } from 'vitest';
import { byFile, byObject, byPermission, byRule } from '../../../src/apiserver/admission/chain/refusal.ts';
import type { RefusalSource } from '../../../src/apiserver/admission/chain/plugin.ts';
import { refusedByObject, refusedByPlugin } from '../../../src/explain/findings/rules/refusals.ts';
import type { TracedPlugin } from '../../../src/explain/trace/trace.ts';
import { traceOf } from '../../harness/trace-requests.ts';
import { podStory } from '../../harness/pod-story.ts';

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
const selector = { refused: 'spec.nodeSelector', allowed: 'env=prod' };

test.each<[source: RefusalSource, title: string, remedy: string]>([
  [
    byObject(namespace, 'annotation a', selector),
    'plugin P refused the request by annotation a of Namespace shop',
    'spec.nodeSelector allows env=prod: change the object that was sent, or Namespace shop (kubectl get namespace shop -o yaml)',
  ],
  [
    byFile('clusterDefaultNodeSelector of P', selector),
    'plugin P refused the request by clusterDefaultNodeSelector of P in the file of --admission-control-config-file',
    'spec.nodeSelector allows env=prod: change the object, or that file',
  ],
  [
    byPermission('bob', 'approve signers.certificates.k8s.io/a.b/c', 'spec.signerName'),
    'plugin P refused the request since bob may not approve signers.certificates.k8s.io/a.b/c',
    'grant it by a role, and check with: kubectl auth can-i approve signers.certificates.k8s.io/a.b/c --as=bob',
  ],
  [
    byRule('spec.externalIPs', 'none'),
    'plugin P refused the request by its own rule about spec.externalIPs',
    'spec.externalIPs allows none',
  ],
])('%j', async (by, title, remedy) => {
  const refused: TracedPlugin = {
    type: 'plugin',
    name: 'P',
    phase: 'validating',
    round: 0,
    outcome: 'denied',
    milliseconds: 0,
    by,
  };
  const trace = { ...(await traceOf(podStory([]))), admission: [refused] };
  const view = { trace, decisions: [], writes: [] };
  expect([...refusedByObject(view), ...refusedByPlugin(view)]).toMatchObject([{ title, remedy }]);
});
