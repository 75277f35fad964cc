import { asString } from '../../../machinery/json/json.ts';
import { imageTag } from './image-tag.ts';
import { resourceRequirements } from './resource-list.ts';
import { each, inside, structDefaults } from './struct-defaults.ts';
import type {
  Container,
  ContainerPort,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  GRPCAction,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  ObjectFieldSelector,
  Probe,
  ResourceFieldSelector,
} from '../../types/generated/core-v1.ts';

const httpGet = structDefaults<HTTPGetAction>({ path: '/', scheme: 'HTTP' });
const grpc = structDefaults<GRPCAction>({ service: '' });

const probe = structDefaults<Probe>({
  httpGet: inside(httpGet),
  grpc: inside(grpc),
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
});

const lifecycleHandler = structDefaults<LifecycleHandler>({ httpGet: inside(httpGet) });
const lifecycle = structDefaults<Lifecycle>({
  postStart: inside(lifecycleHandler),
  preStop: inside(lifecycleHandler),
});

const containerPort = structDefaults<ContainerPort>({ protocol: 'TCP' });

export const objectFieldSelector = structDefaults<ObjectFieldSelector>({ apiVersion: 'v1' });

const envVarSource = structDefaults<EnvVarSource>({
  fieldRef: inside(objectFieldSelector),
  resourceFieldRef: inside(structDefaults<ResourceFieldSelector>({ divisor: '0' })),
  fileKeyRef: inside(structDefaults<FileKeySelector>({ optional: false })),
});
const envVar = structDefaults<EnvVar>({ valueFrom: inside(envVarSource) });

/** `Always` for the tag `latest`, said or meant, else `IfNotPresent`. */
export const pullPolicyOf = (image: string): string => (imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent');

/** A container of any list. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Container. */
export const container = structDefaults<Container>({
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
