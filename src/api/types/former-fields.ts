/** Of scheduling.k8s.io/v1alpha2 in 1.36. The newest release, whose types are in `generated`, does not have these fields. */
export type FormerPodGroupFields = {
  readonly podGroupTemplateRef?: FormerTemplateReference | null;
};

export type FormerTemplateReference = {
  readonly workload?: { readonly workloadName?: string; readonly podGroupTemplateName?: string } | null;
};

/** Of resource.k8s.io in 1.36. */
export type FormerDeviceFields = {
  readonly nodeAllocatableResourceMappings?: {
    readonly [resource: string]: { readonly capacityKey?: string; readonly allocationMultiplier?: string };
  };
};
