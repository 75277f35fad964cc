import {
  duplicateErrors,
  requiredTextErrors,
  requiredEnumErrors,
  optionalTextErrors,
  portNumberErrors,
  each,
  noErrors,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { trimSpace } from '../../../machinery/go/strings.ts';
import {
  duplicate,
  fieldNotFound,
  forbiddenField,
  invalidValue,
  required,
} from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { dns1123Label, portName } from '../../../machinery/meta/names.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import type { Container, ContainerPort, ContainerResizePolicy, PodSpec } from '../../types/generated/core-v1.ts';
import { validateEnv, validateEnvFrom } from './container-env.ts';
import { validateLifecycle, validateProbes, initRestartRuleErrors, restartRuleErrors } from './container-handlers.ts';
import { validateResources } from './resources.ts';
import { validateSecurityContext } from './security-context.ts';
import { validateVolumeDevices, validateVolumeMounts, type Volumes } from './volume-mounts.ts';

export interface PodContext {
  readonly volumes: Volumes;
  readonly claimNames: readonly string[];
  readonly graceSeconds: number | undefined;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
}

/** The file follows kubernetes pkg/apis/core/validation validateContainers and its helpers. */
export function validateContainers(
  containers: readonly Container[] | null | undefined,
  path: string,
  pod: PodContext,
): FieldErrors {
  if (asList(containers).length === 0) return [required(path, '')];
  const names = new Set<string>();
  const errors = each(containers, path, (container, at) => {
    const name = asString(container.name);
    return [
      ...validateContainer(container, at, pod),
      ...duplicateErrors(names, `${at}.name`, name),
      ...validateLifecycle(container.lifecycle, `${at}.lifecycle`, pod.graceSeconds),
      ...validateProbes(container, at),
      ...restartRuleErrors(container, at),
    ];
  });
  return [...errors, ...hostPortConflictErrors(asList(containers), path)];
}

const runningOnly = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

export function validateInitContainers(
  containers: readonly Container[] | undefined,
  regular: readonly Container[] | null | undefined,
  path: string,
  pod: PodContext,
): FieldErrors {
  if (containers === undefined) return noErrors;
  const regularNames = asList(regular).map((container) => asString(asObject(container).name));
  const names = new Set(regularNames);
  const hasUnnamed = regularNames.includes('');
  return each(containers, path, (container, at) => {
    const name = asString(container.name);
    // Two init containers may both lack a name.
    const isRepeated = name === '' ? hasUnnamed : isDuplicate(names, name);
    const isSidecar = container.restartPolicy === 'Always';
    const running = isSidecar
      ? [
          ...validateLifecycle(container.lifecycle, `${at}.lifecycle`, pod.graceSeconds),
          ...validateProbes(container, at),
        ]
      : runningOnly.flatMap((field) =>
          errorIf(container[field] !== undefined, () =>
            forbiddenField(`${at}.${field}`, 'may not be set for init containers without restartPolicy=Always'),
          ),
        );
    return [
      ...validateContainer(container, at, pod),
      ...initRestartRuleErrors(container, at),
      ...errorIf(isRepeated, () => duplicate(`${at}.name`, name)),
      ...hostPortConflictErrors([container], path),
      ...running,
      ...(isSidecar ? [] : resizeRestartErrors(container, at)),
    ];
  });
}

/** Only sidecars are restarted for a resize. Follows kubernetes pkg/apis/core/validation validateInitContainers. */
const resizeRestartErrors = (container: Container, path: string): FieldErrors =>
  each(container.resizePolicy, `${path}.resizePolicy`, ({ restartPolicy }, at) =>
    errorIf(restartPolicy === 'RestartContainer', () =>
      invalidValue(
        `${at}.restartPolicy`,
        restartPolicy ?? '',
        "must not be set to 'RestartContainer' for non-sidecar initContainers",
      ),
    ),
  );

const ephemeralFields = new Set([
  'name',
  'image',
  'command',
  'args',
  'workingDir',
  'envFrom',
  'env',
  'volumeMounts',
  'volumeDevices',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'imagePullPolicy',
  'securityContext',
  'stdin',
  'stdinOnce',
  'tty',
  'targetContainerName',
]);

export function validateEphemeralContainers(spec: PodSpec, path: string, pod: PodContext): FieldErrors {
  if (spec.ephemeralContainers === undefined) return noErrors;
  const nameOf = (container: Container): string => asString(asObject(container).name);
  const others = new Set([...asList(spec.containers), ...asList(spec.initContainers)].map(nameOf));
  const names = new Set(others);
  const text = 'cannot be set for an Ephemeral Container';
  return each(spec.ephemeralContainers, path, (container, at) => {
    const [name, target] = [asString(container.name), asString(container.targetContainerName)];
    const isSet = (field: string): boolean =>
      field !== 'resources' || Object.keys(asObject(container[field])).length > 0;
    return [
      ...validateContainer(container, at, pod),
      ...imageWhitespaceErrors(container, at),
      ...duplicateErrors(names, `${at}.name`, name),
      ...errorIf(target !== '' && !others.has(target), () => fieldNotFound(`${at}.targetContainerName`, target)),
      ...Object.keys(container)
        .filter((field) => !ephemeralFields.has(field) && isSet(field))
        .map((field) => forbiddenField(`${at}.${field}`, text)),
      ...each(container.volumeMounts, `${at}.volumeMounts`, (mount, mountPath) =>
        (['subPath', 'subPathExpr'] as const)
          .filter((field) => mount[field] !== undefined && mount[field] !== '')
          .map((field) => forbiddenField(`${mountPath}.${field}`, text)),
      ),
    ];
  });
}

const messagePolicies = ['File', 'FallbackToLogsOnError'];
const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

function validateContainer(container: Container, path: string, pod: PodContext): FieldErrors {
  return [
    ...requiredTextErrors(dns1123Label, `${path}.name`, container.name),
    ...errorIf(asString(container.image) === '', () => required(`${path}.image`, '')),
    ...requiredEnumErrors(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, messagePolicies),
    ...validatePorts(container.ports, `${path}.ports`),
    ...validateEnv(container.env, `${path}.env`),
    ...validateEnvFrom(container.envFrom, `${path}.envFrom`),
    ...validateVolumeMounts(container, pod.volumes, `${path}.volumeMounts`),
    ...validateVolumeDevices(container, pod.volumes, `${path}.volumeDevices`),
    ...requiredEnumErrors(`${path}.imagePullPolicy`, container.imagePullPolicy, pullPolicies),
    ...validateResources(container.resources, `${path}.resources`, pod.claimNames),
    ...resizePolicyErrors(container.resizePolicy, `${path}.resizePolicy`, pod.restartPolicy),
    ...validateSecurityContext(container.securityContext, `${path}.securityContext`, pod.hostUsers),
  ];
}

export const protocols = ['SCTP', 'TCP', 'UDP'];

function validatePorts(ports: readonly ContainerPort[] | undefined, path: string): FieldErrors {
  if (ports === undefined) return noErrors;
  const names = new Set<string>();
  return each(ports, path, (item, at) => {
    const [name, number, hostPort] = [asString(item.name), Number(item.containerPort ?? 0), Number(item.hostPort ?? 0)];
    const nameErrors = optionalTextErrors(portName, `${at}.name`, name);
    const isRepeated = isDuplicate(names, name) && name !== '' && nameErrors.length === 0;
    return [
      ...nameErrors,
      ...errorIf(isRepeated, () => duplicate(`${at}.name`, name)),
      ...(number === 0 ? [required(`${at}.containerPort`, '')] : portNumberErrors(`${at}.containerPort`, number)),
      ...(hostPort === 0 ? noErrors : portNumberErrors(`${at}.hostPort`, hostPort)),
      ...requiredEnumErrors(`${at}.protocol`, item.protocol, protocols),
    ];
  });
}

function resizePolicyErrors(
  policies: readonly ContainerResizePolicy[] | undefined,
  path: string,
  podRestartPolicy: string,
): FieldErrors {
  if (policies === undefined) return noErrors;
  const seen = new Set<string>();
  return each(policies, path, (policy, at) => {
    const [resource, restart] = [asString(policy.resourceName), asString(policy.restartPolicy)];
    return [
      ...duplicateErrors(seen, at, resource),
      ...requiredEnumErrors(path, resource, ['cpu', 'memory']),
      ...requiredEnumErrors(path, restart, ['NotRequired', 'RestartContainer']),
      ...errorIf(podRestartPolicy === 'Never' && restart !== 'NotRequired', () =>
        invalidValue(path, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"),
      ),
    ];
  });
}

function hostPortConflictErrors(containers: readonly Container[], path: string): FieldErrors {
  const taken = new Set<string>();
  return each(containers, path, (container, containerAt) =>
    each(container.ports, `${containerAt}.ports`, ({ protocol, hostIP, hostPort }, at) => {
      if (Number(hostPort ?? 0) === 0) return noErrors;
      const key = `${asString(protocol)}/${asString(hostIP)}/${Number(hostPort)}`;
      return errorIf(isDuplicate(taken, key), () => duplicate(`${at}.hostPort`, key));
    }),
  );
}

/** Pods, unlike templates, reject whitespace around images. */
export function imageWhitespaceErrors(container: Container, path: string): FieldErrors {
  const image = asString(container.image);
  return errorIf(trimSpace(image) !== image, () =>
    invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace'),
  );
}
