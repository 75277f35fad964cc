import type { TestWorld } from './world.ts';

/** A configuration of webhooks that match every write of a ConfigMap, with these fields. */
const configuration = (kind: string, webhooks: readonly object[]) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name: 'hooks' },
  webhooks: webhooks.map((webhook) => ({
    clientConfig: { url: 'https://127.0.0.1:9/' },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    ...webhook,
  })),
});

export const mutatingConfiguration = (webhooks: readonly object[]) =>
  configuration('MutatingWebhookConfiguration', webhooks);

export const validatingConfiguration = (webhooks: readonly object[]) =>
  configuration('ValidatingWebhookConfiguration', webhooks);

const registration = '/apis/admissionregistration.k8s.io/v1';

/** Stores a configuration of webhooks with these fields. */
export async function register(
  world: Pick<TestWorld, 'send'>,
  phase: 'mutating' | 'validating',
  ...webhooks: readonly object[]
): Promise<void> {
  const made = phase === 'mutating' ? mutatingConfiguration(webhooks) : validatingConfiguration(webhooks);
  const { code, message } = await world.send('POST', `${registration}/${phase}webhookconfigurations`, made);
  if (code !== 201) throw new Error(message);
}

/** A rule of webhooks for resources of the core group. */
export const ruleFor = (operations: readonly string[], ...resources: readonly string[]) => ({
  rules: [{ operations, apiGroups: [''], apiVersions: ['v1'], resources }],
});
