export const celContexts = ['matchConditions', 'validation', 'crd'] as const;

/** Of a webhook, of an admission policy, of the schema of a custom resource. */
export type CelContext = (typeof celContexts)[number];
