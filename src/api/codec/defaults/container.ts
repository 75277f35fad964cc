import { asString } from '../../../machinery/json/json.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { resourceRequirements, defaultEach, ifPresent, structDefaults } from './struct-defaults.ts';

/**
 * `latest` without tag and digest, '' with only a digest or for an invalid image. Follows kubernetes
 * pkg/util/parsers/parsers.go and github.com/distribution/reference.
 */
function parseImageTag(image: string): string {
  const reference = /^[a-f0-9]{64}$/.test(image) ? null : referencePattern.exec(normalizeImage(image));
  const { name, tag, digest } = reference?.groups ?? {};
  if (name === undefined || name.length > 255 || (digest !== undefined && !isDigest(digest))) return '';
  return tag ?? (digest === undefined ? 'latest' : '');
}

const domainPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = String.raw`(?:${domainPart}(?:\.${domainPart})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const pathPart = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const referencePattern = new RegExp(
  String.raw`^(?<name>${domain}/${pathPart}(?:/${pathPart})*)` +
    String.raw`(?::(?<tag>\w[\w.-]{0,127}))?` +
    String.raw`(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
);

/** `nginx` is `docker.io/library/nginx`, `a/b` is `docker.io/a/b`; `host:5000/b` has its registry. */
function normalizeImage(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isDomain = slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  if (isDomain) return image;
  return slash < 0 ? `docker.io/library/${image}` : `docker.io/${image}`;
}

const digestLengths: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

function isDigest(digest: string): boolean {
  const colon = digest.indexOf(':');
  const hex = digest.slice(colon + 1);
  return hex.length === digestLengths.get(digest.slice(0, colon)) && hex === hex.toLowerCase();
}

const httpGet = structDefaults<core.HTTPGetAction>({ path: '/', scheme: 'HTTP' });
const grpc = structDefaults<core.GRPCAction>({ service: '' });

const probe = structDefaults<core.Probe>({
  httpGet: ifPresent(httpGet),
  grpc: ifPresent(grpc),
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
});

const lifecycleHandler = structDefaults<core.LifecycleHandler>({ httpGet: ifPresent(httpGet) });
const lifecycle = structDefaults<core.Lifecycle>({
  postStart: ifPresent(lifecycleHandler),
  preStop: ifPresent(lifecycleHandler),
});

const containerPort = structDefaults<core.ContainerPort>({ protocol: 'TCP' });

export const objectFieldSelector = structDefaults<core.ObjectFieldSelector>({ apiVersion: 'v1' });

const envVarSource = structDefaults<core.EnvVarSource>({
  fieldRef: ifPresent(objectFieldSelector),
  resourceFieldRef: ifPresent(structDefaults<core.ResourceFieldSelector>({ divisor: '0' })),
  fileKeyRef: ifPresent(structDefaults<core.FileKeySelector>({ optional: false })),
});
const envVar = structDefaults<core.EnvVar>({ valueFrom: ifPresent(envVarSource) });

export const defaultPullPolicy = (image: string): string =>
  parseImageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';

/** Follows kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Container. */
export const container = structDefaults<core.Container>({
  ports: defaultEach(containerPort),
  env: defaultEach(envVar),
  resources: ifPresent(resourceRequirements),
  livenessProbe: ifPresent(probe),
  readinessProbe: ifPresent(probe),
  startupProbe: ifPresent(probe),
  lifecycle: ifPresent(lifecycle),
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: (value, { image }) => value ?? defaultPullPolicy(asString(image)),
});
