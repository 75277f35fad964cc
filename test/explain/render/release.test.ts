import { expect, test } from 'vitest';
import { createWorld } from '../../../src/app/library/create-world.ts';
import { renderExplanation } from '../../../src/explain/render/explain.ts';

test.each([
  ['1.33', ', Kubernetes v1.33.0'],
  ['v1.34.2', ', Kubernetes v1.34.2'],
  ['1.36', ', Kubernetes v1.36.2'],
  ['1.37', ''],
  [undefined, ''],
])('an explanation under %s ends with the release it is about, unless it is the usual one', async (asked, end) => {
  const world = await createWorld({ controllers: [], ...(asked === undefined ? {} : { kubernetesVersion: asked }) });
  try {
    await world.client.request({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } },
    });
    const trace = world.traces.last();
    expect(trace && renderExplanation(trace).split('\n').at(-1)).toBe(`trace ${trace?.id}${end}`);
  } finally {
    await world.close();
  }
});

const everything = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'all' },
  webhooks: [
    {
      name: 'all.example.com',
      clientConfig: { url: 'https://127.0.0.1:1' },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
    },
  ],
};

// Source: test/facts/releases/1.37/rules-access-review-exempt.json
test('an explanation of a review under 1.37 says why no webhook saw it', async () => {
  const world = await createWorld({ controllers: [], kubernetesVersion: '1.37' });
  try {
    const post = (path: string, body: object) =>
      world.client.request({ method: 'POST', path: `/apis/${path}`, body: { ...body } });
    await post('admissionregistration.k8s.io/v1/validatingwebhookconfigurations', everything);
    const { code } = await post('authorization.k8s.io/v1/selfsubjectaccessreviews', {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    });
    const trace = world.traces.last();
    expect(code).toBe(201);
    expect(trace && renderExplanation(trace)).toContain(
      'kube-apiserver calls no webhook for a SelfSubjectAccessReview since 1.37',
    );
  } finally {
    await world.close();
  }
});
