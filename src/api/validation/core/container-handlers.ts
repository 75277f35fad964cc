import {
  validatePortNumOrName,
  validateNonNegative,
  validateOptionalEnum,
  validateEnum,
  type FieldErrors,
  each,
  eachOf,
  noErrors,
  errorIf,
} from '../field-rules.ts';
import { forbiddenField, invalidValue, required, tooMany } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { httpHeaderName } from '../../../machinery/meta/names.ts';
import type * as core from '../../types/generated/core-v1.ts';
import type { Container, ContainerRestartRule } from '../../types/generated/core-v1.ts';

/** gRPC is for probes, sleep for hooks. */
type Handler = core.LifecycleHandler & core.ProbeHandler;

type HandlerCheck = (handler: Handler, path: string, graceSeconds: number | undefined) => FieldErrors;

/** In upstream's order. The file follows kubernetes pkg/apis/core/validation validateHandler. */
const handlers: readonly (readonly [name: keyof Handler, check: HandlerCheck])[] = [
  [
    'exec',
    ({ exec }, path) => errorIf(asList(asObject(exec).command).length === 0, () => required(`${path}.command`, '')),
  ],
  ['httpGet', ({ httpGet }, path) => validateHttpGetAction(asObject(httpGet), path)],
  ['tcpSocket', ({ tcpSocket }, path) => validatePortNumOrName(`${path}.port`, asObject(tcpSocket).port)],
  ['grpc', ({ grpc }, path) => validatePortNumOrName(`${path}.port`, asObject(grpc).port)],
  [
    'sleep',
    ({ sleep }, path, graceSeconds) => {
      const seconds = Number(asObject(sleep).seconds ?? 0);
      const text = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
      return errorIf(graceSeconds !== undefined && (seconds < 0 || seconds > graceSeconds), () =>
        invalidValue(path, seconds, text),
      );
    },
  ],
];

function validateHttpGetAction(action: core.HTTPGetAction, path: string): FieldErrors {
  const scheme = asString(action.scheme);
  return [
    ...errorIf(asString(action.path) === '', () => required(`${path}.path`, '')),
    ...validatePortNumOrName(`${path}.port`, action.port),
    ...validateEnum(`${path}.scheme`, scheme, ['HTTP', 'HTTPS']),
    ...asList(action.httpHeaders).flatMap((header) => {
      const name = asString(header.name);
      return httpHeaderName(name).map((sentence) => invalidValue(`${path}.httpHeaders`, name, sentence));
    }),
  ];
}

function validateHandler(handler: Handler, path: string, graceSeconds: number | undefined): FieldErrors {
  const [first, ...others] = handlers.filter(([name]) => handler[name] !== undefined);
  if (!first) return [required(path, 'must specify a handler type')];
  const [name, check] = first;
  return [
    ...check(handler, `${path}.${name}`, graceSeconds),
    ...others.map(([other]) => forbiddenField(`${path}.${other}`, 'may not specify more than 1 handler type')),
  ];
}

export function validateLifecycle(
  lifecycle: core.Lifecycle | undefined,
  path: string,
  graceSeconds: number | undefined,
): FieldErrors {
  if (lifecycle === undefined) return noErrors;
  const { postStart, preStop, stopSignal: _stopSignal } = asObject(lifecycle);
  return [
    ...(postStart === undefined ? [] : validateHandler(asObject(postStart), `${path}.postStart`, graceSeconds)),
    ...(preStop === undefined ? [] : validateHandler(asObject(preStop), `${path}.preStop`, graceSeconds)),
  ];
}

const probeTimes = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function validateProbe(probe: core.Probe, path: string): FieldErrors {
  const grace = probe.terminationGracePeriodSeconds;
  return [
    ...validateHandler(probe, path, undefined),
    ...eachOf(probeTimes, (field) => validateNonNegative(`${path}.${field}`, probe[field])),
    ...errorIf(grace !== undefined && Number(grace) <= 0, () =>
      invalidValue(`${path}.terminationGracePeriodSeconds`, grace ?? 0, 'must be greater than 0'),
    ),
  ];
}

export function validateProbes(container: core.Container, path: string): FieldErrors {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  return [
    ...(livenessProbe === undefined
      ? noErrors
      : validateSingleSuccessProbe(asObject(livenessProbe), `${path}.livenessProbe`)),
    ...(readinessProbe === undefined
      ? noErrors
      : validateReadinessProbe(asObject(readinessProbe), `${path}.readinessProbe`)),
    ...(startupProbe === undefined
      ? noErrors
      : validateSingleSuccessProbe(asObject(startupProbe), `${path}.startupProbe`)),
  ];
}

function validateSingleSuccessProbe(probe: core.Probe, path: string): FieldErrors {
  const { successThreshold = 0 } = probe;
  return [
    ...validateProbe(probe, path),
    ...errorIf(successThreshold !== 1, () => invalidValue(`${path}.successThreshold`, successThreshold, 'must be 1')),
  ];
}

function validateReadinessProbe(probe: core.Probe, path: string): FieldErrors {
  const grace = probe.terminationGracePeriodSeconds;
  return [
    ...validateProbe(probe, path),
    ...errorIf(grace !== undefined, () =>
      invalidValue(`${path}.terminationGracePeriodSeconds`, grace ?? 0, 'must not be set for readinessProbes'),
    ),
  ];
}

const [maxRules, maxExitCodes] = [20, 255];

/** Without restartPolicy the rules are not validated. Follows validateInitContainerRestartPolicy. */
export const validateInitContainerRestartPolicy = (container: Container, path: string): FieldErrors =>
  validateContainerRestartPolicy(container, path).slice(0, container.restartPolicy === undefined ? 1 : undefined);

/** On by default since 1.35. Follows kubernetes pkg/apis/core/validation validateContainerRestartPolicy. */
export function validateContainerRestartPolicy(container: Container, path: string): FieldErrors {
  const { restartPolicy, restartPolicyRules } = container;
  if (restartPolicy === undefined && restartPolicyRules === undefined) return noErrors;
  const count = asList(restartPolicyRules).length;
  return [
    ...errorIf(restartPolicy === undefined && count > 0, () =>
      required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used'),
    ),
    ...validateOptionalEnum(`${path}.restartPolicy`, restartPolicy, ['Always', 'Never', 'OnFailure']),
    ...errorIf(count > maxRules, () => tooMany(`${path}.restartPolicyRules`, count, maxRules)),
    ...each(restartPolicyRules, `${path}.restartPolicyRules`, validateContainerRestartRule),
  ];
}

const actions = ['Restart', 'RestartAllContainers'];
const operators = ['In', 'NotIn'];

function validateContainerRestartRule(rule: ContainerRestartRule, path: string): FieldErrors {
  const action = asString(rule.action);
  const actionErrors = validateEnum(`${path}.action`, action, actions);
  const at = `${path}.exitCodes`;
  if (rule.exitCodes === undefined) return [...actionErrors, required(at, 'must be specified')];
  const { operator, values } = asObject(rule.exitCodes);
  const [name, count] = [asString(operator), asList(values).length];
  return [
    ...actionErrors,
    ...validateEnum(`${at}.operator`, name, operators),
    ...errorIf(count > maxExitCodes, () => tooMany(`${at}.values`, count, maxExitCodes)),
  ];
}
