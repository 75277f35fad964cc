import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { type RequestStory, type SentRequest, traceOf } from '../../harness/trace-requests.ts';

const rule = (resource: string, group = '', operations: readonly string[] = ['CREATE', 'UPDATE']) => ({
  operations,
  apiGroups: [group],
  apiVersions: ['*'],
  resources: [resource],
});

const deployment = {
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
    },
  },
};
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const createDeployment: SentRequest = ['POST', deployments, deployment];
const scaleUp: SentRequest = ['PATCH', `${deployments}/web/scale`, { spec: { replicas: 3 } }];

const shop = (labels: object = {}): SentRequest => [
  'POST',
  '/api/v1/namespaces',
  { metadata: { name: 'shop', labels } },
];
const inShop: SentRequest = [
  'POST',
  '/api/v1/namespaces/shop/configmaps',
  { metadata: { name: 'settings' }, data: { k: 'v' } },
];

const pod: readonly SentRequest[] = [
  ['POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } }],
  [
    'POST',
    '/api/v1/namespaces/default/pods',
    { metadata: { name: 'web-1', labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  ],
];
const evict: SentRequest = [
  'POST',
  '/api/v1/namespaces/default/pods/web-1/eviction',
  { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web-1', namespace: 'default' } },
];

const name = 'hook.example.com';

/** The thirteen questions of authors whose webhook was not called, or was called unexpectedly: the set-up and the cause in the first five lines. */
const questions: readonly [question: string, story: RequestStory, cause: RegExp][] = [
  [
    '01 a webhook that is silently not invoked',
    { mutating: [{ name, rules: [rule('pod')] }], before: [pod[0] ?? shop()], sent: pod.slice(1) },
    /was not called: rules\[0\] matches but for the resource: requires pod, and this is pods\n.*hint: rules name resources as the URL does: pods, not pod/,
  ],
  [
    '01 a rule for Pods in the group of Deployments',
    { mutating: [{ name, rules: [rule('pods', 'apps')] }], before: [pod[0] ?? shop()], sent: pod.slice(1) },
    /was not called: rules\[0\] matches but for the group: .*\n.*hint: write apiGroups: \[""\] for pods/,
  ],
  [
    '01 a webhook for CREATE, and an apply to what exists',
    {
      validating: [{ name, rules: [rule('configmaps', '', ['CREATE'])] }],
      sent: [
        ['POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } }],
        ['PATCH', '/api/v1/namespaces/default/configmaps/a', { data: { k: 'v' } }],
      ],
    },
    /rules\[0\] matches but for the operation: requires CREATE, and this is UPDATE\n.*hint: apply, edit, patch and scale of an object that exists are UPDATE/,
  ],
  [
    '02 pods/eviction with an objectSelector',
    {
      validating: [{ name, rules: [rule('pods/eviction')], objectSelector: { matchLabels: { app: 'web' } } }],
      before: pod,
      sent: [evict],
    },
    /objectSelector requires app=web; the Eviction web-1 has no labels\n.*hint: for pods\/eviction objectSelector is tested on the Eviction that was sent, not on the pod/,
  ],
  [
    '03 deployments/scale under the group of Scale',
    {
      validating: [{ name, rules: [rule('deployments/scale', 'autoscaling')] }],
      before: [createDeployment],
      sent: [scaleUp],
    },
    /rules\[0\] matches but for the group: requires deployments\/scale in group autoscaling, and this is deployments\/scale in group apps\n.*hint: a subresource is matched under the group of its parent: write apiGroups: \["apps"\] for deployments\/scale/,
  ],
  [
    '04 the same trap behind a rule that looks right',
    {
      validating: [
        {
          name,
          rules: [rule('deployments', 'apps', ['DELETE']), rule('deployments/scale', 'autoscaling', ['UPDATE'])],
        },
      ],
      before: [createDeployment],
      sent: [scaleUp],
    },
    /rules\[1\] matches but for the group: requires deployments\/scale in group autoscaling, and this is deployments\/scale in group apps\n.*hint: a subresource is matched under the group of its parent/,
  ],
  [
    '04 the same trap with the resource that discovery lists as the kind',
    {
      validating: [{ name, rules: [rule('scales', 'autoscaling')] }],
      before: [createDeployment],
      sent: [scaleUp],
    },
    /requires group autoscaling \(this is apps\), resource scales \(this is deployments\/scale\)\n.*hint: a subresource is matched by its parent: write apiGroups: \["apps"\] and resources: \["deployments\/scale"\]/,
  ],
  [
    '05 a write through scale passes the webhook of the parent',
    { validating: [{ name, rules: [rule('deployments', 'apps')] }], before: [createDeployment], sent: [scaleUp] },
    /rules\[0\] matches but for the resource: requires deployments, and this is deployments\/scale\n.*hint: a rule for deployments does not cover subresources: add deployments\/scale/,
  ],
  [
    '06 the same, for a rule with every resource',
    { validating: [{ name, rules: [rule('*', 'apps')] }], before: [createDeployment], sent: [scaleUp] },
    /rules\[0\] matches but for the resource: requires \*, and this is deployments\/scale\n.*hint: a rule for \* does not cover subresources: add deployments\/scale/,
  ],
  [
    '07 subresources matched, and the kind the webhook gets',
    { validating: [{ name, rules: [rule('deployments/*', 'apps')] }], before: [createDeployment], sent: [scaleUp] },
    /was called and .*\n.*hint: for deployments\/scale the webhook receives kind autoscaling\/v1 Scale, not the deployment itself/,
  ],
  [
    '07 the same of an exec, which the API server refuses afterwards',
    {
      validating: [{ name, rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }] }],
      before: pod,
      sent: [['POST', '/api/v1/namespaces/default/pods/web-1/exec?command=ls&stdout=true']],
    },
    /was called and .*\n.*hint: for pods\/exec the webhook receives kind v1 PodExecOptions, not the pod itself/,
  ],
  [
    '08 a namespaceSelector with a key that no namespace has',
    {
      mutating: [
        { name, namespaceSelector: { matchExpressions: [{ key: 'hooks.example.com/enabled', operator: 'Exists' }] } },
      ],
      before: [shop()],
      sent: [inShop],
    },
    /namespaceSelector requires hooks.example.com\/enabled Exists; namespace shop has kubernetes.io\/metadata.name=shop\n.*hint: namespace shop has no label hooks.example.com\/enabled: kubectl label namespace shop hooks.example.com\/enabled=/,
  ],
  [
    '09 works until a namespaceSelector is set',
    {
      mutating: [{ name, namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'In', values: ['red'] }] } }],
      before: [shop({ team: 'blue' })],
      sent: [inShop],
    },
    /namespaceSelector requires team In \[red\]; namespace shop has kubernetes.io\/metadata.name=shop, team=blue/,
  ],
  [
    '10 a Namespace and the namespaceSelector',
    {
      validating: [{ name, rules: [rule('namespaces')], namespaceSelector: { matchLabels: { guarded: 'yes' } } }],
      sent: [shop({ guarded: 'no' })],
    },
    /namespaceSelector requires guarded=yes; namespace shop has guarded=no.*\n.*hint: for a Namespace, namespaceSelector is tested on the new labels of that Namespace itself/,
  ],
  [
    '11 the label name instead of kubernetes.io/metadata.name',
    { mutating: [{ name, namespaceSelector: { matchLabels: { name: 'shop' } } }], before: [shop()], sent: [inShop] },
    /namespaceSelector requires name=shop; namespace shop has kubernetes.io\/metadata.name=shop\n.*hint: namespaces have no label "name" by default: use kubernetes.io\/metadata.name, here shop/,
  ],
  [
    '12 a policy whose selector never reached the webhook',
    {
      validating: [{ name }],
      responses: { [name]: () => ({ allowed: false, status: { message: 'not in this namespace', code: 403 } }) },
      before: [shop()],
      sent: [inShop],
    },
    /validating webhook hook.example.com \(checks, all namespaces\) denied: not in this namespace/,
  ],
  [
    '12 the same, of one that allowed',
    { mutating: [{ name }], before: [shop()], sent: [inShop] },
    /mutating webhook hook.example.com \(checks, all namespaces\) was called and changed nothing/,
  ],
  [
    '13 a webhook that looks active and serves kube-system only',
    {
      validating: [
        {
          name,
          namespaceSelector: {
            matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['kube-system'] }],
          },
        },
      ],
      before: [shop()],
      sent: [inShop],
    },
    /namespaceSelector requires kubernetes.io\/metadata.name In \[kube-system\]; namespace shop has .*\n.*hint: namespaceSelector limits this webhook to namespace kube-system/,
  ],
];

test.each(questions)('%s', async (question, story, cause) => {
  const text = renderExplanation(await traceOf(story));
  expect(text.split('\n').slice(0, 5).join('\n')).toMatch(cause);
  const file = question.replaceAll(/[^\w]+/g, '-');
  await expect(`${text}\n`).toMatchFileSnapshot(join(process.cwd(), `test/golden/explain/${file}.txt`));
});

test('a Namespace for which every webhook was rightly called gets no hint', async () => {
  const text = renderExplanation(
    await traceOf({
      validating: [{ name, rules: [rule('namespaces')], namespaceSelector: { matchLabels: { guarded: 'yes' } } }],
      sent: [shop({ guarded: 'yes' })],
    }),
  );
  expect(text).toContain('was called');
  expect(text).not.toContain('hint:');
});
