import {
  validateRequiredEnum,
  validateText,
  validateUnique,
  validateOptionalText,
  validateInRange,
  each,
  eachKey,
  eachText,
  noErrors,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { containerLists } from './container-lists.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { duplicate, forbiddenField, invalidValue, required, tooLong } from '../../../machinery/meta/field-error.ts';
import {
  byteLength,
  dns1123Label,
  dns1123Subdomain,
  dns1123SubdomainWithUnderscore,
  qualifiedNameErrors,
} from '../../../machinery/meta/names.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import type { Container, PodResourceClaim, PodSpec } from '../../types/generated/core-v1.ts';
import { validateLabels } from '../meta/labels.ts';
import { validateAffinity, validateTopologySpreadConstraints, validateTolerations } from './affinity.ts';
import { validateFileKeyRefVolumes } from './container-env.ts';
import {
  type PodContext,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from './containers.ts';
import { validateIp } from './ip-address.ts';
import { validateOs } from './pod-os.ts';
import { validatePodResources } from './pod-resources.ts';
import { validateContainerResourceName, validateResourceQuantityValue } from './resources.ts';
import { validateHostUsers, validatePodSecurityContext } from './security-context.ts';
import { validateVolumes } from './volumes.ts';

/**
 * `isPod` is false for templates, whose host ports are optional. Follows kubernetes pkg/apis/core/validation
 * ValidatePodSpec.
 */
export function validatePodSpec(spec: PodSpec, path: string, isPod: boolean, podName = ''): FieldErrors {
  const { errors: volumeErrors, volumes } = validateVolumes(spec.volumes, `${path}.volumes`, podName);
  const grace = spec.terminationGracePeriodSeconds;
  const pod: PodContext = {
    volumes,
    claimNames: asList(spec.resourceClaims).map((claim) => asString(asObject(claim).name)),
    graceSeconds: grace === undefined ? undefined : Number(grace),
    restartPolicy: asString(spec.restartPolicy),
    hostUsers: spec.hostUsers !== false,
  };
  return [
    ...errorIf(grace === undefined, () => required(`${path}.terminationGracePeriodSeconds`, '')),
    ...volumeErrors,
    ...validatePodResourceClaims(spec.resourceClaims, `${path}.resourceClaims`),
    ...validateContainers(spec.containers, `${path}.containers`, pod),
    ...validateInitContainers(spec.initContainers, spec.containers, `${path}.initContainers`, pod),
    ...validateEphemeralContainers(spec, `${path}.ephemeralContainers`, pod),
    ...validatePodResources(spec, `${path}.resources`),
    ...validatePodHostNetworkDeps(spec, `${path}.containers`, isPod),
    ...validateRequiredEnum(`${path}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...validateRequiredEnum(`${path}.dnsPolicy`, spec.dnsPolicy, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...validateLabels(spec.nodeSelector, `${path}.nodeSelector`),
    ...validatePodSecurityContext(spec, `${path}.securityContext`),
    ...validateAffinity(spec.affinity, `${path}.affinity`),
    ...validatePodDnsConfig(spec, `${path}.dnsConfig`),
    ...validateGates(spec, path),
    ...validateTopologySpreadConstraints(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`),
    ...validateWindowsHostProcessPod(spec, path),
    ...validateHostUsers(spec, path),
    ...validateNamesAndHosts(spec, path),
    ...validatePreemptionAndOverhead(spec, path),
  ];
}

function validatePodResourceClaims(claims: readonly PodResourceClaim[] | undefined, path: string): FieldErrors {
  if (claims === undefined) return noErrors;
  const seen = new Set<string>();
  return each(claims, path, (claim, at) => {
    const name = asString(claim.name);
    const isRepeated = isDuplicate(seen, name);
    const given = (['resourceClaimName', 'resourceClaimTemplateName'] as const).filter(
      (field) => claim[field] !== undefined,
    );
    const struct = (): JsonObject => ({
      Name: name,
      ResourceClaimName: claim.resourceClaimName ?? null,
      ResourceClaimTemplateName: claim.resourceClaimTemplateName ?? null,
    });
    const [tooMany, tooFew] = [
      'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
      'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    ];
    return [
      ...errorIf(name === '', () => required(`${at}.name`, '')),
      ...errorIf(name !== '' && isRepeated, () => duplicate(`${at}.name`, name)),
      ...(name === '' || isRepeated ? [] : validateText(dns1123Label, `${at}.name`, name)),
      ...errorIf(given.length > 1, () => invalidValue(at, struct(), tooMany)),
      ...errorIf(given.length === 0, () => invalidValue(at, struct(), tooFew)),
      ...given.flatMap((field) => validateText(dns1123Subdomain, `${at}.${field}`, asString(claim[field]))),
    ];
  });
}

/** Follows kubernetes pkg/apis/core/validation validatePodHostNetworkDeps. */
function validatePodHostNetworkDeps(spec: PodSpec, path: string, isPod: boolean): FieldErrors {
  if (spec.hostNetwork !== true) return noErrors;
  return each(spec.containers, path, (container, at) =>
    each(container.ports, `${at}.ports`, ({ hostPort = 0, containerPort = 0 }, portAt) =>
      errorIf((isPod || hostPort !== 0) && hostPort !== containerPort, () =>
        invalidValue(`${portAt}.hostPort`, hostPort, 'must match `containerPort` when `hostNetwork` is true'),
      ),
    ),
  );
}

function validateGates(spec: PodSpec, path: string): FieldErrors {
  if (spec.readinessGates === undefined && spec.schedulingGates === undefined) return noErrors;
  const seen = new Set<string>();
  return [
    ...each(spec.readinessGates, `${path}.readinessGates`, (gate, at) =>
      validateText(qualifiedNameErrors, `${at}.conditionType`, asString(gate.conditionType)),
    ),
    ...each(spec.schedulingGates, `${path}.schedulingGates`, (gate, at) => {
      const name = asString(gate.name);
      return [...validateText(qualifiedNameErrors, at, name), ...validateUnique(seen, at, name)];
    }),
  ];
}

function validateNamesAndHosts(spec: PodSpec, path: string): FieldErrors {
  const named = (field: keyof PodSpec, check: typeof dns1123Label): FieldErrors => {
    return validateOptionalText(check, `${path}.${field}`, spec[field]);
  };
  return [
    ...named('serviceAccountName', dns1123Subdomain),
    ...named('nodeName', dns1123Subdomain),
    ...validateInRange(`${path}.activeDeadlineSeconds`, spec.activeDeadlineSeconds, 1, 2147483647),
    ...named('hostname', dns1123Label),
    ...named('subdomain', dns1123Label),
    ...validateHostnameOverride(spec, `${path}.hostnameOverride`),
    ...validateTolerations(spec.tolerations, `${path}.tolerations`),
    ...each(spec.hostAliases, `${path}.hostAliases`, (alias, at) => {
      const ip = asString(alias.ip);
      return [
        ...validateIp(`${at}.ip`, ip),
        ...eachText(alias.hostnames, `${at}.hostnames`, (name, nameAt) => validateText(dns1123Subdomain, nameAt, name)),
      ];
    }),
    ...named('priorityClassName', dns1123Subdomain),
    ...named('runtimeClassName', dns1123Subdomain),
  ];
}

/** Follows kubernetes pkg/apis/core/validation validateHostnameOverride. */
function validateHostnameOverride(
  { hostnameOverride, setHostnameAsFQDN, hostNetwork }: PodSpec,
  field: string,
): FieldErrors {
  if (hostnameOverride === undefined) return noErrors;
  const name = asString(hostnameOverride);
  return [
    ...errorIf(setHostnameAsFQDN === true, () =>
      forbiddenField(field, 'may not be specified when setHostnameAsFQDN is true'),
    ),
    ...errorIf(hostNetwork === true, () => forbiddenField(field, 'may not be specified when hostNetwork is true')),
    ...errorIf(byteLength(name) > 64, () => tooLong(field, 64)),
    ...validateText(dns1123Subdomain, field, name),
  ];
}

function validatePreemptionAndOverhead(spec: PodSpec, path: string): FieldErrors {
  const { preemptionPolicy, overhead } = spec;
  const policies = ['PreemptLowerPriority', 'Never'];
  return [
    ...(preemptionPolicy === undefined
      ? []
      : validateRequiredEnum(`${path}.preemptionPolicy`, preemptionPolicy, policies)),
    ...eachKey(asObject(overhead), (resource) => [
      ...validateContainerResourceName(resource, `${path}.overhead.limits[${resource}]`),
      ...validateResourceQuantityValue(resource, overhead?.[resource], `${path}.overhead.limits[${resource}]`),
    ]),
    ...validateOs(spec, path),
    ...validateFileKeyRefVolumes(spec, path),
  ];
}

/**
 * All containers are Windows HostProcess containers, or none. Follows kubernetes pkg/apis/core/validation
 * validateWindowsHostProcessPod.
 */
function validateWindowsHostProcessPod(spec: PodSpec, path: string): FieldErrors {
  const ofPod = readHostProcess(spec);
  const setsHostProcess = (container: Container): boolean => readHostProcess(asObject(container)) !== undefined;
  if (ofPod === undefined && !containerLists.some((field) => asList(spec[field]).some(setsHostProcess)))
    return noErrors;
  const containers = containerLists.flatMap((field) =>
    asList(spec[field]).map((container, index) => ({
      own: readHostProcess(asObject(container)),
      at: `${path}.${field}[${index}].securityContext.windowsOptions.hostProcess`,
    })),
  );
  const running = containers.filter(({ own }) => (own ?? ofPod) === true);
  return [
    ...containers.flatMap(({ own, at }) =>
      errorIf(own !== undefined && ofPod !== undefined && own !== ofPod, () =>
        invalidValue(at, own ?? null, `pod hostProcess value must be identical if both are specified, was ${ofPod}`),
      ),
    ),
    ...errorIf(running.length > 0 && running.length < containers.length, () =>
      invalidValue(
        path,
        '',
        'If pod contains any hostProcess containers then all containers must be HostProcess containers',
      ),
    ),
    ...errorIf(running.length > 0 && spec.hostNetwork !== true, () =>
      invalidValue(`${path}.hostNetwork`, false, 'hostNetwork must be true if pod contains any hostProcess containers'),
    ),
  ];
}

function readHostProcess(of: PodSpec | Container): boolean | undefined {
  const value: JsonValue | undefined = asObject(asObject(of.securityContext).windowsOptions).hostProcess;
  return typeof value === 'boolean' ? value : undefined;
}

/** Follows kubernetes pkg/apis/core/validation validatePodDNSConfig. */
function validatePodDnsConfig(spec: PodSpec, path: string): FieldErrors {
  const { dnsPolicy, dnsConfig } = spec;
  if (dnsPolicy !== 'None' && dnsConfig === undefined) return noErrors;
  const { nameservers, searches, options } = asObject(dnsConfig);
  if (dnsPolicy === 'None' && dnsConfig === undefined) {
    return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  }
  if (dnsPolicy === 'None' && asList(nameservers).length === 0) {
    return [required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  const paths = asList(searches).map(asString);
  return [
    ...errorIf(asList(nameservers).length > 3, () =>
      invalidValue(`${path}.nameservers`, nameservers ?? [], 'must not have more than 3 nameservers'),
    ),
    ...eachText(nameservers, `${path}.nameservers`, (address, at) => validateIp(at, address)),
    ...errorIf(paths.length > 32, () =>
      invalidValue(`${path}.searches`, paths, 'must not have more than 32 search paths'),
    ),
    ...errorIf(paths.join(' ').length > 2048, () =>
      invalidValue(
        `${path}.searches`,
        paths,
        'must not have more than 2048 characters (including spaces) in the search list',
      ),
    ),
    ...eachText(searches, `${path}.searches`, (search, at) =>
      search === '.' ? [] : validateText(dns1123SubdomainWithUnderscore, at, search.replace(/\.$/, '')),
    ),
    ...each(options, `${path}.options`, (option, at) =>
      errorIf(asString(option.name) === '', () => required(at, 'must not be empty')),
    ),
  ];
}
