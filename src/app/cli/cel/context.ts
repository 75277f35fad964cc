export const celContexts = ['matchConditions', 'validation', 'crd'] as const;

/** Where an expression would stand: in a webhook, in an admission policy, in the schema of a custom resource. */
export type CelContext = (typeof celContexts)[number];
