/** The first kind runs first. */
interface ManifestKinds {
  readonly about: 'policy' | 'webhook';
  readonly kinds: readonly [kind: string, binding?: string];
}

const byPlugin = {
  MutatingAdmissionPolicy: {
    about: 'policy',
    kinds: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
  },
  MutatingAdmissionWebhook: { about: 'webhook', kinds: ['MutatingWebhookConfiguration'] },
  ValidatingAdmissionPolicy: {
    about: 'policy',
    kinds: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  },
  ValidatingAdmissionWebhook: { about: 'webhook', kinds: ['ValidatingWebhookConfiguration'] },
} as const satisfies Readonly<Record<string, ManifestKinds>>;

export type ManifestPlugin = keyof typeof byPlugin;

/** In the order of the chain. */
export const manifestPlugins = [
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
] as const satisfies readonly ManifestPlugin[];

export const manifestKindsOf = (plugin: ManifestPlugin): ManifestKinds => byPlugin[plugin];

/** Suffix of all names in manifest files, reserved while the feature is on. */
export const staticSuffix = '.static.k8s.io';
