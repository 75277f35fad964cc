import { dns1123Label, dns1123Subdomain } from '../../machinery/meta/names.ts';
import { tags, type DeclarativeTag, type DeclaredFields } from './declarative.ts';

const {
  each,
  format,
  immutable,
  maxItems,
  maxLength,
  minimum,
  noModify,
  onlyIf,
  oneOf,
  optional,
  optionalPointer,
  required,
  requiredPointer,
  struct,
  zeroOrOneOf,
} = tags;

const spec = (fields: DeclaredFields, ...own: readonly DeclarativeTag[]): DeclaredFields => ({
  spec: [...own, struct(fields)],
});

const subjects = [optional, each({ name: [required] })];
const binding: DeclaredFields = { subjects, roleRef: [struct({ name: [required] })] };
const role: DeclaredFields = { rules: [optional, each({ verbs: [required] })] };
const peers = [optional, each({ ipBlock: [optionalPointer, struct({ cidr: [required] })] })];
const subdomainCaseless = (text: string): readonly string[] => dns1123Subdomain(text.toLowerCase());
const name = [struct({ name: [optional, format(dns1123Subdomain)] })];

/** By group and resource: the tags that are enforced since 1.37. Follows the +k8s:beta tags of k8s.io/api. */
const rows: Readonly<Record<string, DeclaredFields>> = {
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': spec({
    policyName: [required],
    validationActions: [required],
  }),
  'batch/cronjobs': spec({ schedule: [required] }),
  '/replicationcontrollers': {
    metadata: name,
    ...spec({ replicas: [requiredPointer, minimum(0)], minReadySeconds: [optional, minimum(0)] }),
  },
  'certificates.k8s.io/certificatesigningrequests': {
    status: [struct({ conditions: [optional, zeroOrOneOf('conditions', 'Approved', 'Denied')] })],
  },
  'discovery.k8s.io/endpointslices': {
    addressType: [required, immutable, oneOf('FQDN', 'IPv4', 'IPv6')],
    endpoints: [optional, each({ addresses: [required, maxItems(100)] })],
  },
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': spec(
    {
      type: [required],
      limited: [
        optionalPointer,
        struct({ limitResponse: [onlyIf('queuing', 'Queue', true), struct({ type: [required] })] }),
      ],
    },
    onlyIf('exempt', 'Exempt', false),
    onlyIf('limited', 'Limited', true),
  ),
  'networking.k8s.io/ipaddresses': spec({
    parentRef: [requiredPointer, immutable, struct({ resource: [required], name: [required] })],
  }),
  'networking.k8s.io/ingressclasses': spec({
    parameters: [optionalPointer, struct({ kind: [required], name: [required] })],
  }),
  'networking.k8s.io/networkpolicies': spec({
    ingress: [optional, each({ from: peers })],
    egress: [optional, each({ to: peers })],
  }),
  'node.k8s.io/runtimeclasses': { handler: [immutable, required, format(dns1123Label)] },
  'rbac.authorization.k8s.io/roles': role,
  'rbac.authorization.k8s.io/clusterroles': role,
  'rbac.authorization.k8s.io/rolebindings': binding,
  'rbac.authorization.k8s.io/clusterrolebindings': binding,
  'resource.k8s.io/resourceclaims': {
    spec: [immutable],
    status: [struct({ allocation: [optionalPointer, noModify] })],
  },
  'storage.k8s.io/storageclasses': {
    provisioner: [required, immutable],
    parameters: [immutable, optional],
    reclaimPolicy: [immutable, optionalPointer],
    volumeBindingMode: [immutable, optionalPointer],
  },
  'storage.k8s.io/volumeattachments': spec(
    { attacher: [required, format(subdomainCaseless), maxLength(63)] },
    immutable,
  ),
};

export const declarativeRules = (
  isOn: (gate: string) => boolean,
): Readonly<Record<string, DeclaredFields | undefined>> => ({
  ...rows,
  'autoscaling/horizontalpodautoscalers': spec({
    minReplicas: [optionalPointer, minimum(isOn('HPAScaleToZero') ? 0 : 1)],
    maxReplicas: [required, minimum(1)],
  }),
});
