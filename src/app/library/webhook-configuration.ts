import type { WebhookOptions } from './webhook.ts';

interface WebhookConfiguration {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly webhooks: readonly object[];
}

/** The configuration of one webhook, to be applied beside others in the same configuration. */
export function configurationFor(name: string, options: Omit<WebhookOptions, 'faults'>): WebhookConfiguration {
  const { type, rules, configuration = name, ...fields } = options;
  const webhook = {
    name,
    clientConfig: { url: `https://${name}.invalid/` },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...fields,
    rules: rules.map((rule) => ({ apiGroups: [''], apiVersions: ['*'], operations: ['*'], ...rule })),
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name: configuration },
    webhooks: [webhook],
  };
}
