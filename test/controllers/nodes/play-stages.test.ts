import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileOverSelf } from '../../../src/cel/index.ts';
import { valueAt } from '../../../src/apimachinery/json.ts';
import { loadStages } from '../../../src/controllers/nodes/load-stages.ts';
import { playStages } from '../../../src/controllers/nodes/play-stages.ts';
import { standIn } from '../../../src/controllers/nodes/stand-in.ts';
import { readYaml } from '../../../src/http/body-formats.ts';
import { startCluster } from '../cluster.ts';
import type { Cluster } from '../cluster.ts';

const head = (name: string, kind: string, apiGroup = 'v1'): string => `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: ${name} }
spec:
  resourceRef: { apiGroup: ${apiGroup}, kind: ${kind} }
`;

const starts = `${head('starts', 'Pod')}
  selector:
    matchExpressions:
    - { key: .status.podIP, operator: DoesNotExist }
  delay: { durationMilliseconds: 5000 }
  next:
    event: { type: Normal, reason: Begun, message: it begins }
    statusTemplate: |
      phase: Running
      podIP: {{ PodIPWith .spec.nodeName false .metadata.uid .metadata.name .metadata.namespace | Quote }}
      conditions:
      - { type: Ready, status: "True", lastTransitionTime: {{ Now | Quote }} }
`;
const goes = `${head('goes', 'Pod')}
  selector:
    matchExpressions:
    - { key: .metadata.deletionTimestamp, operator: Exists }
  next: { delete: true }
`;
const claims = `${head('claims', 'PersistentVolumeClaim')}
  selector:
    matchExpressions:
    - cel: { expression: "!has(self.spec.volumeName)" }
  steps:
  - apply:
      template: |
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: made-for-{{ .metadata.name }} }
`;
const wrong = `${head('wrong', 'ConfigMap')}
  selector: { matchLabels: { wrong: here } }
  next:
    patches: [{ template: '{{ .data.a.b }}' }]
`;

async function withStages(text: string, act: (cluster: Cluster) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stages-'));
  writeFileSync(join(folder, 'stages.yaml'), text);
  const reading = await loadStages([folder], { parse: readYaml, compileCel: compileOverSelf });
  rmSync(folder, { recursive: true });
  if (reading.outcome === 'unreadable') throw new Error(reading.error);
  const life = [
    standIn({ count: 1, except: new Set(['Pod']) }),
    playStages(reading.stages, { random: () => 0.5, parse: readYaml }),
  ];
  const cluster = await startCluster(['*'], undefined, life);
  await cluster.settle();
  await act(cluster);
  expect(cluster.bugs).toEqual([]);
  await cluster.close();
}

const spec = { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 30 };
const pods = '/api/v1/namespaces/default/pods';

test('a Pod goes through its Stages, with their delays, and is gone when one deletes it', async () => {
  await withStages(`${starts}---${goes}`, async (cluster) => {
    await cluster.send('POST', pods, { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec });
    await cluster.settle();
    const pod = await cluster.find(`${pods}/p`);
    expect(valueAt(pod, 'status', 'phase')).toBe('Running');
    expect(valueAt(pod, 'status', 'podIP')).toBe('10.64.0.1');
    const begun = Date.parse(pod?.metadata?.creationTimestamp ?? '');
    const conditions = valueAt(pod, 'status', 'conditions') as { type: string; lastTransitionTime: string }[];
    expect(conditions.map(({ type }) => type)).toEqual(['Ready', 'PodScheduled']);
    expect(Date.parse(conditions[0]?.lastTransitionTime ?? '') - begun).toBe(5000);
    expect(await cluster.names('/api/v1/namespaces/default/events')).toHaveLength(2);
    await cluster.send('DELETE', `${pods}/p`);
    await cluster.settle();
    expect(await cluster.find(`${pods}/p`)).toBeUndefined();
    const writer = 'system:serviceaccount:kube-system:kwok-controller';
    expect(cluster.writes().filter((line) => line.startsWith(writer))).toEqual([
      `${writer} POST /api/v1/namespaces/default/events 201`,
      `${writer} PATCH ${pods}/p/status 200`,
      `${writer} DELETE ${pods}/p 200`,
    ]);
  });
});

test('a Stage in CEL applies another object, once', async () => {
  await withStages(claims, async (cluster) => {
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const body = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', metadata: { name: 'c' }, spec: claim };
    await cluster.send('POST', '/api/v1/namespaces/default/persistentvolumeclaims', body);
    await cluster.settle();
    expect(await cluster.names('/api/v1/namespaces/default/configmaps')).toContain('made-for-c');
    expect(cluster.writes().filter((line) => line.includes('kwok-controller'))).toHaveLength(1);
  });
});

test('what a template gets wrong is told in an Event, once', async () => {
  await withStages(wrong, async (cluster) => {
    const metadata = { name: 'm', labels: { wrong: 'here' } };
    await cluster.send('POST', '/api/v1/namespaces/default/configmaps', {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata,
      data: { a: 'x' },
    });
    await cluster.settle();
    const [name = ''] = await cluster.names('/api/v1/namespaces/default/events');
    const event = await cluster.find(`/api/v1/namespaces/default/events/${name}`);
    expect([event?.['reason'], event?.['message'], event?.['count']]).toEqual([
      'StageFailed',
      "Stage wrong: can't evaluate field b in x",
      1,
    ]);
  });
});
