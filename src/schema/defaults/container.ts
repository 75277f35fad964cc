import { asString } from '../../apimachinery/json.ts';
import { imageTag } from './image-tag.ts';
import { resourceRequirements } from './resource-list.ts';
import { each, inside, structDefaults } from './struct-defaults.ts';
import type { Defaulter } from './struct-defaults.ts';

const httpGet = structDefaults('core.v1.HTTPGetAction', { path: '/', scheme: 'HTTP' });
const grpc = structDefaults('core.v1.GRPCAction', { service: '' });

const probe = structDefaults('core.v1.Probe', {
  httpGet: inside(httpGet),
  grpc: inside(grpc),
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
});

const lifecycleHandler = structDefaults('core.v1.LifecycleHandler', { httpGet: inside(httpGet) });
const lifecycle = structDefaults('core.v1.Lifecycle', {
  postStart: inside(lifecycleHandler),
  preStop: inside(lifecycleHandler),
});

const containerPort = structDefaults('core.v1.ContainerPort', { protocol: 'TCP' });

export const objectFieldSelector = structDefaults('core.v1.ObjectFieldSelector', { apiVersion: 'v1' });

const envVarSource = structDefaults('core.v1.EnvVarSource', {
  fieldRef: inside(objectFieldSelector),
  resourceFieldRef: inside(structDefaults('core.v1.ResourceFieldSelector', { divisor: '0' })),
  fileKeyRef: inside(structDefaults('core.v1.FileKeySelector', { optional: false })),
});
const envVar = structDefaults('core.v1.EnvVar', { valueFrom: inside(envVarSource) });

/** `Always` for the tag `latest`, said or meant, else `IfNotPresent`. */
export const pullPolicyOf = (image: string): string => (imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent');

const containerNamed = (name: 'core.v1.Container' | 'core.v1.EphemeralContainer'): Defaulter =>
  structDefaults(name, {
    ports: each(containerPort),
    env: each(envVar),
    resources: inside(resourceRequirements),
    livenessProbe: inside(probe),
    readinessProbe: inside(probe),
    startupProbe: inside(probe),
    lifecycle: inside(lifecycle),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: (value, { image }) => value ?? pullPolicyOf(asString(image)),
  });

/** A container or init container. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Container. */
export const container = containerNamed('core.v1.Container');

export const ephemeralContainer = containerNamed('core.v1.EphemeralContainer');
