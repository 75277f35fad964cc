import { expect, test } from 'vitest';
import { adminUser, createTestWorld } from '../../harness/world.ts';

const world = await createTestWorld({ authorizationMode: 'AlwaysAllow' });
const as = adminUser;
const namespace = '/api/v1/namespaces/default';
await world.send('POST', `${namespace}/serviceaccounts`, { metadata: { name: 'default' } }, { as });
const container = (name: string) => ({ name, image: 'i' });
const pods: Readonly<Record<string, object>> = {
  one: { containers: [container('c')], initContainers: [container('i')] },
  two: { containers: [container('c'), container('d')] },
  bound: { containers: [container('c')], nodeName: 'n' },
  lost: { containers: [container('c')], nodeName: 'gone' },
};
await world.send('POST', '/api/v1/nodes', { metadata: { name: 'n' } }, { as });
for (const [name, spec] of Object.entries(pods)) {
  await world.send('POST', `${namespace}/pods`, { metadata: { name }, spec }, { as });
}
const ofTwo = 'a container name must be specified for pod two, choose one of: [c d]';

// Source: kubernetes pkg/registry/core/pod/rest/log.go and strategy.go, beside kube-apiserver v1.36.2; the last row is ours.
test.each<readonly [path: string, code: number, message: string]>([
  ['absent/log', 404, 'pods "absent" not found'],
  ['one/log', 204, ''],
  ['one/log?container=i', 204, ''],
  ['one/log?container=zz', 400, 'container zz is not valid for pod one'],
  ['two/log', 400, ofTwo],
  ['two/log?container=d', 204, ''],
  ['one/log?tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  [
    'one/log?tailLines=-1',
    422,
    'PodLogOptions "one" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
  ],
  ['one/log?limitBytes=0', 422, 'PodLogOptions "one" is invalid: limitBytes: Invalid value: 0: must be greater than 0'],
  ['absent/log?stream=x', 422, 'PodLogOptions "absent" is invalid: stream: Forbidden: may not be specified'],
  [
    'one/log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z',
    422,
    'PodLogOptions "one" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
  ],
  ['two/exec?command=x', 400, ofTwo],
  ['two/attach?container=zz', 400, 'container zz is not valid for pod two'],
  ['two/attach?container=d', 400, 'pod two does not have a host assigned'],
  ['lost/log', 404, 'pods "gone" not found'],
  ['lost/log?container=zz', 400, 'container zz is not valid for pod lost'],
  ['lost/exec?command=x', 404, 'pods "gone" not found'],
  ['lost/portforward?ports=80', 404, 'pods "gone" not found'],
  ['bound/exec?command=x', 400, 'Upgrade request required'],
  ['bound/log', 501, 'kadmit: pods have no logs here: no container runs'],
])('GET of pods/%s is %i', async (path, code, message) => {
  const answer = await world.send('GET', `${namespace}/pods/${path}`, undefined, { as });
  expect([answer.code, answer.message ?? '']).toEqual([code, message]);
});
