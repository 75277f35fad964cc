import { asString, hasEntries, isJsonObject, withDefaultEntries } from '../../../machinery/json/json.ts';
import { mapFields, type ObjectMeta } from '../../../machinery/meta/object.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { container } from './container.ts';
import { volume } from './storage.ts';
import {
  always,
  chainDefaults,
  defaultEach,
  defaultResourceList,
  ifPresent,
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
  overhead: ifPresent(defaultResourceList),
  resources: ifPresent(resourceRequirements),
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
    const remaining = Object.keys(value).filter((key) => !legacyAnnotations.includes(key));
    return remaining.length === 0 ? undefined : mapFields(remaining, (key) => value[key]);
  },
});

/** Follows kubernetes pkg/apis/core/v1/zz_generated.defaults.go SetObjectDefaults_PodTemplate. */
export const podTemplateSpec = structDefaults<core.PodTemplateSpec>({
  metadata: ifPresent(podMetadata),
  spec: ifPresent(podSpec),
});

/** Defaults of Pods only. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Pod. */
const podOnlyDefaults = structDefaults<core.PodSpec>({
  initContainers: (value, spec) => defaultPodContainers(value, spec),
  containers: (value, spec) => defaultPodContainers(value, spec),
  enableServiceLinks: true,
  /** Follows conversion.go: a negative value becomes 1. */
  terminationGracePeriodSeconds: (value) => (typeof value === 'number' && value < 0 ? 1 : value),
});

const requestsFromLimits = structDefaults<core.ResourceRequirements>({
  requests: (value, { limits }) => (hasEntries(limits) ? withDefaultEntries(value ?? {}, limits) : value),
});
const setRequests = structDefaults<core.Container>({ resources: ifPresent(requestsFromLimits) });
const defaultHostPorts = structDefaults<core.Container>({
  ports: defaultEach(structDefaults<core.ContainerPort>({ hostPort: (value, port) => value ?? port.containerPort })),
});

function defaultPodContainers<C extends readonly core.Container[] | null | undefined>(
  value: C,
  { hostNetwork }: core.PodSpec,
): C | readonly core.Container[] {
  return defaultEach(hostNetwork === true ? chainDefaults(setRequests, defaultHostPorts) : setRequests)(value);
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
  metadata: ifPresent(podMetadata),
  spec: always(chainDefaults(podOnlyDefaults, podSpec)),
  status: ifPresent(podStatus),
});
