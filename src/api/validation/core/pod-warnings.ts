import { append, asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { dns1123Label } from '../../../machinery/meta/names.ts';
import { metadataOf, type StringMap } from '../../../machinery/meta/object.ts';
import { duplicateIndexes } from '../../../machinery/lists.ts';
import type { Deployment } from '../../types/generated/apps-v1.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { isFractional } from '../meta/quantity-amount.ts';
import { containerLists } from './container-lists.ts';
import { podIpWarnings } from './ip-warnings.ts';
import { overlapWarnings } from './overlap-warnings.ts';
import { placementWarnings } from './placement-warnings.ts';

interface Port {
  readonly path: string;
  readonly port: core.ContainerPort;
}

type ContainerAt = readonly [core.Container | core.EphemeralContainer, path: string];

/** A limit of kadmit: each port may conflict with all others. */
const maxWarnings = 1_000;

/** Conflicting ports of all containers. Follows kubernetes pkg/api/pod/warnings.go. */
function portWarnings(containers: readonly ContainerAt[]): readonly string[] {
  const ports = containers.flatMap(([container, path]) =>
    asList(container.ports).map((port, index): Port => ({ path: `${path}.ports[${index}]`, port })),
  );
  const byPort = new Map<string, Port[]>();
  const warnings: string[] = [];
  for (const one of ports) {
    const { containerPort, protocol } = one.port;
    const key = `${Number(containerPort ?? 0)}/${asString(protocol)}`;
    const others = byPort.get(key) ?? [];
    append(warnings, hostIpWarnings(one));
    append(
      warnings,
      others.flatMap((other) => portOverlapWarnings(one, other)),
    );
    if (others.length === 0) byPort.set(key, others);
    others.push(one);
    if (warnings.length >= maxWarnings) break;
  }
  return warnings;
}

function portNameWarnings(containers: readonly ContainerAt[]): readonly string[] {
  const seen = new Map<string, string>();
  return containers.flatMap(([container, path]) =>
    asList(container.ports).flatMap((port, index) => {
      const [name, at] = [asString(port.name), `${path}.ports[${index}]`];
      const first = seen.get(name);
      if (name === '') return [];
      if (first === undefined) seen.set(name, at);
      if (first === undefined || first === at) return [];
      const text = `services and probes that select ports by name will use ${first}`;
      return [`${at}: duplicate port name ${goQuote(name)} with ${first}, ${text}`];
    }),
  );
}

const readHostAddress = ({ port }: Port): readonly [ip: string, port: number] => [
  asString(port.hostIP),
  Number(port.hostPort ?? 0),
];

function hostIpWarnings(one: Port): readonly string[] {
  const [hostIP, hostPort] = readHostAddress(one);
  if (hostIP === '' || hostPort !== 0) return [];
  const { name, containerPort, protocol } = one.port;
  const formatted = `{Name:${asString(name)} HostPort:0 ContainerPort:${Number(containerPort ?? 0)} Protocol:${asString(protocol)} HostIP:${hostIP}}`;
  return [`${one.path}: hostIP set without hostPort: ${formatted}`];
}

function portOverlapWarnings(one: Port, other: Port): readonly string[] {
  const [[ip, port], [otherIp, otherPort]] = [readHostAddress(one), readHostAddress(other)];
  if (ip === otherIp && port === otherPort) return [`${one.path}: duplicate port definition with ${other.path}`];
  if (port === 0 || otherPort === 0) return [`${one.path}: overlapping port definition with ${other.path}`];
  const isAmbiguous = port === otherPort && (ip === '') !== (otherIp === '');
  return isAmbiguous ? [`${one.path}: dangerously ambiguous port definition with ${other.path}`] : [];
}

type Warnings = readonly string[];

/** Follows kubernetes pkg/registry/core/pod/strategy.go WarningsOnCreate. */
export function podWarnings(pod: core.Pod): Warnings {
  const problems = dns1123Label(metadataOf(pod).name ?? '');
  const text = `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`;
  return [...(problems.length > 0 ? [text] : []), ...podTemplateSpecWarnings(pod, '')];
}

type Templated = Deployment | core.ReplicationController;

/** On update only when the generation changes. */
export const templateWarnings = (object: Templated): Warnings =>
  podTemplateSpecWarnings(asObject(object.spec?.template), 'spec.template.');

export const templateUpdateWarnings = (object: Templated, old: Templated): Warnings =>
  metadataOf(object).generation === metadataOf(old).generation ? [] : templateWarnings(object);

/** Upstream swaps the two templates. Follows core/replicationcontroller/strategy.go WarningsOnUpdate. */
export const controllerUpdateWarnings = (object: Templated, old: Templated): Warnings =>
  metadataOf(object).generation === metadataOf(old).generation ? [] : templateWarnings(old);

/** `prefix` is the path of the template with a trailing dot. */
export const podTemplateSpecWarnings = (template: core.PodTemplateSpec, prefix: string): Warnings => [
  ...specWarnings(template, prefix),
  ...podIpWarnings(asObject(template.spec), `${prefix}spec`),
];

/** In upstream's order. Follows kubernetes pkg/api/pod/warnings.go warningsForPodSpecAndMeta. */
function specWarnings(template: core.PodTemplateSpec, prefix: string): Warnings {
  const spec = asObject(template.spec);
  const annotations = asObject(asObject(template.metadata).annotations);
  const path = `${prefix}spec`;
  const placement = placementWarnings(spec, path);
  const containers = containerLists.flatMap((list) =>
    asList(spec[list]).map((container, index) => [container, `${path}.${list}[${index}]`] as const),
  );
  const noted = `${prefix}metadata.annotations`;
  /** AppArmor annotations of pods become fields, with a warning of their own. */
  const knowsAppArmor = prefix === '' || readProfile(spec, 'appArmorProfile') !== undefined;
  const hasProfiles = Object.keys(annotations).some((key) => key.includes('.alpha.') || key.includes('.beta.'));
  const oldProfiles = (container: core.Container): Warnings =>
    (['seccompProfile', 'appArmorProfile'] as const)
      .filter((field) => readProfile(container, field) === undefined && !(field === 'appArmorProfile' && knowsAppArmor))
      .flatMap((field) =>
        profileAnnotationWarnings(annotations, noted, `${profilePrefixes[field]}${asString(container.name)}`, field),
      );
  const grace = spec.terminationGracePeriodSeconds;
  return [
    ...placement.nodes,
    ...annotationWarnings(annotations, noted),
    ...asList(spec.volumes).flatMap((volume, index) => volumeWarnings(asObject(volume), `${path}.volumes[${index}]`)),
    ...overlapWarnings(spec.volumes),
    ...repeated(spec.hostAliases, 'ip', `${path}.hostAliases`),
    ...repeated(spec.imagePullSecrets, 'name', `${path}.imagePullSecrets`),
    ...asList(spec.imagePullSecrets).flatMap((secret, index) =>
      asString(secret.name) === '' ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...['memory', 'ephemeral-storage'].flatMap((name) =>
      fractionWarnings(asObject(spec.overhead)[name], `${path}.overhead[${name}]`),
    ),
    ...(readProfile(spec, 'seccompProfile') === undefined
      ? profileAnnotationWarnings(annotations, noted, seccompKey, 'seccompProfile')
      : []),
    ...containers.flatMap(([container, at]) => {
      const warnings = containerWarnings(container, at);
      return hasProfiles ? [...oldProfiles(container), ...warnings] : warnings;
    }),
    ...portWarnings(containers),
    ...portNameWarnings(containers),
    ...(grace !== undefined && Number(grace) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...placement.pods,
  ];
}

const annotationTexts: readonly (readonly [key: string, text: string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

const annotationWarnings = (annotations: StringMap, path: string): Warnings =>
  annotationTexts.filter(([key]) => annotations[key] !== undefined).map(([key, text]) => `${path}[${key}]: ${text}`);

const removedSourceTexts: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

/** Of volume plugins that Kubernetes removed, in the order of `sources`. */
export const removedSourceWarnings = (volume: JsonObject, sources: readonly string[], path: string): Warnings =>
  sources
    .filter((source) => volume[source] !== undefined)
    .map((source) => `${path}.${source === 'storageos' ? 'storageOS' : source}: ${removedSourceTexts[source]}`);

function volumeWarnings(volume: core.Volume, path: string): Warnings {
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec?.resources?.requests?.['storage'];
  return [
    ...removedSourceWarnings(volume, Object.keys(removedSourceTexts), path),
    ...(claim === undefined
      ? []
      : fractionWarnings(claim, `${path}.ephemeral.volumeClaimTemplate.spec.resources.requests[storage]`)),
  ];
}

function repeated<Field extends string>(
  list: readonly { readonly [name in Field]?: string }[] | undefined,
  field: Field,
  path: string,
): Warnings {
  const values = asList(list).map((item) => asString(item[field]));
  const repeats = duplicateIndexes(values);
  return values.flatMap((value, index) =>
    repeats.has(index) ? [`${path}[${index}].${field}: duplicate ${field} ${goQuote(value)}`] : [],
  );
}

/** In upstream's order. Follows kubernetes pkg/api/pod/warnings.go warningsForPodSpecAndMeta. */
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

const profilePrefixes = {
  seccompProfile: 'container.seccomp.security.alpha.kubernetes.io/',
  appArmorProfile: appArmorPrefix,
} as const;
const seccompKey = 'seccomp.security.alpha.kubernetes.io/pod';
const readProfile = (
  holder: core.PodSpec | core.Container,
  field: 'seccompProfile' | 'appArmorProfile',
): core.SeccompProfile | core.AppArmorProfile | undefined => asObject(holder.securityContext)[field];

function profileAnnotationWarnings(annotations: StringMap, path: string, key: string, field: string): Warnings {
  if (annotations[key] === undefined) return [];
  const since = field === 'seccompProfile' ? 'non-functional in v1.27+' : 'deprecated since v1.30';
  return [`${path}[${key}]: ${since}; use the "${field}" field instead`];
}

/** Follows kubernetes pkg/api/pod/warnings.go. */
function containerWarnings(container: core.Container, path: string): readonly string[] {
  const resources = asObject(container.resources);
  return [
    ...countedBytes.flatMap(([kind, name]) => {
      const amount = asObject(resources[kind])[name];
      return amount === undefined ? none : fractionWarnings(amount, `${path}.resources.${kind}[${name}]`);
    }),
    ...hiddenVariableWarnings(container.env, `${path}.env`),
  ];
}

const countedBytes = ['memory', 'ephemeral-storage'].flatMap((name) =>
  (['limits', 'requests'] as const).map((kind) => [kind, name] as const),
);

const none: readonly string[] = [];

function fractionWarnings(amount: JsonValue | undefined, field: string): readonly string[] {
  if (amount === undefined || !isFractional(amount)) return none;
  return [`${field}: fractional byte value ${writeJson(amount)} is invalid, must be an integer`];
}

/** A duplicate variable, unless its value references the first. */
function hiddenVariableWarnings(env: readonly core.EnvVar[] | undefined, path: string): readonly string[] {
  if (env === undefined) return none;
  const list = asList(env);
  const repeats = duplicateIndexes(list.map(({ name }) => asString(name)));
  if (repeats.size === 0) return none;
  return list.flatMap(({ name = '', value = '', valueFrom }, index) => {
    if (!repeats.has(index)) return none;
    const reference = `$(${name})`;
    if (valueFrom === undefined && value.includes(reference) && value !== reference) return none;
    return [
      `${path}[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
    ];
  });
}
