const own = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);

type Labels = Readonly<Record<string, string | undefined>>;

/**
 * The labels that differ and that a node may not change by itself, in order.
 * Follows kubernetes plugin/pkg/admission/noderestriction/admission.go and kubelet pkg/apis/well_known_labels.go.
 */
export function forbiddenLabels(labels: Labels, old: Labels): readonly string[] {
  const names = new Set([...Object.keys(labels), ...Object.keys(old)]);
  return [...names].filter((name) => (labels[name] ?? '') !== (old[name] ?? '') && isForbidden(name)).toSorted();
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf('/');
  const space = slash < 0 ? '' : label.slice(0, slash);
  if (isIn(space, 'node-restriction.kubernetes.io')) return true;
  if (!isIn(space, 'kubernetes.io') && !isIn(space, 'k8s.io')) return false;
  return !own.has(label) && !isIn(space, 'kubelet.kubernetes.io') && !isIn(space, 'node.kubernetes.io');
}

const isIn = (space: string, domain: string): boolean => space === domain || space.endsWith(`.${domain}`);
