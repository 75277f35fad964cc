import { asString, hasEntries, isJsonObject, withDefaultEntries } from '../../../machinery/json/json.ts';
import { mapFields, type ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { container } from './container.ts';
import { volume } from './storage.ts';
import {
  always,
  both,
  defaultEach,
  defaultResourceList,
  inside,
  resourceRequirements,
  structDefaults,
} from './struct-defaults.ts';

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_PodSpec and pkg/apis/core/v1/conversion.go. */
const podSpec = structDefaults<core.PodSpec>({
  volumes: defaultEach(volume),
  initContainers: defaultEach(container),
  containers: defaultEach(container),
  ephemeralContainers: defaultEach(container),
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  serviceAccountName: (value, { serviceAccount }) => value ?? serviceAccount,
  serviceAccount: (value, { serviceAccountName }) => serviceAccountName ?? value,
  securityContext: (value) => value ?? {},
  schedulerName: 'default-scheduler',
  overhead: inside(defaultResourceList),
  resources: inside(resourceRequirements),
});

const legacyAnnotations = [
  'pod.beta.kubernetes.io/init-containers',
  'pod.alpha.kubernetes.io/init-containers',
  'pod.beta.kubernetes.io/init-container-statuses',
  'pod.alpha.kubernetes.io/init-container-statuses',
];

const podMetadata = structDefaults<ObjectMeta>({
  annotations: (value) => {
    if (!isJsonObject(value) || !legacyAnnotations.some((key) => Object.hasOwn(value, key))) return value;
    const kept = Object.keys(value).filter((key) => !legacyAnnotations.includes(key));
    return kept.length === 0 ? undefined : mapFields(kept, (key) => value[key]);
  },
});

/** Follows kubernetes pkg/apis/core/v1/zz_generated.defaults.go SetObjectDefaults_PodTemplate. */
export const podTemplateSpec = structDefaults<core.PodTemplateSpec>({
  metadata: inside(podMetadata),
  spec: inside(podSpec),
});

/** Defaults of Pods only. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Pod. */
const ownDefaults = structDefaults<core.PodSpec>({
  initContainers: (value, spec) => podContainers(value, spec),
  containers: (value, spec) => podContainers(value, spec),
  enableServiceLinks: true,
  /** Follows conversion.go: a negative value becomes 1. */
  terminationGracePeriodSeconds: (value) => (typeof value === 'number' && value < 0 ? 1 : value),
});

const requestsFromLimits = structDefaults<core.ResourceRequirements>({
  requests: (value, { limits }) => (hasEntries(limits) ? withDefaultEntries(value ?? {}, limits) : value),
});
const withRequests = structDefaults<core.Container>({ resources: inside(requestsFromLimits) });
const onHostPorts = structDefaults<core.Container>({
  ports: defaultEach(structDefaults<core.ContainerPort>({ hostPort: (value, port) => value ?? port.containerPort })),
});

function podContainers<C extends readonly core.Container[] | null | undefined>(
  value: C,
  { hostNetwork }: core.PodSpec,
): C | readonly core.Container[] {
  return defaultEach(hostNetwork === true ? both(withRequests, onHostPorts) : withRequests)(value);
}

/** `podIP` takes precedence over `podIPs`. Follows kubernetes pkg/apis/core/v1/conversion.go. */
const podStatus = structDefaults<core.PodStatus>({
  podIP: (value, { podIPs }) => value ?? podIPs?.[0]?.ip,
  podIPs: (value, { podIP }) => {
    const first = asString(value?.[0]?.ip);
    return podIP === undefined || podIP === first ? value : [{ ip: podIP }];
  },
});

export const pod = structDefaults<core.Pod>({
  metadata: inside(podMetadata),
  spec: always(both(ownDefaults, podSpec)),
  status: inside(podStatus),
});
