import { asString } from '../../apimachinery/json.ts';
import { imageTag } from './image-tag.ts';
import { resourceRequirements } from './resource-list.ts';
import { each, inside, structDefaults } from './struct-defaults.ts';

const httpGet = structDefaults({ path: '/', scheme: 'HTTP' });
const grpc = structDefaults({ service: '' });

const probe = structDefaults({
  httpGet: inside(httpGet),
  grpc: inside(grpc),
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
});

const lifecycleHandler = structDefaults({ httpGet: inside(httpGet) });
const lifecycle = structDefaults({
  postStart: inside(lifecycleHandler),
  preStop: inside(lifecycleHandler),
});

const containerPort = structDefaults({ protocol: 'TCP' });

export const objectFieldSelector = structDefaults({ apiVersion: 'v1' });

const envVarSource = structDefaults({
  fieldRef: inside(objectFieldSelector),
  resourceFieldRef: inside(structDefaults({ divisor: '0' })),
  fileKeyRef: inside(structDefaults({ optional: false })),
});
const envVar = structDefaults({ valueFrom: inside(envVarSource) });

/** `Always` for the tag `latest`, said or meant, else `IfNotPresent`. */
export const pullPolicyOf = (image: string): string => (imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent');

/** A container of any list. Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Container. */
export const container = structDefaults({
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
