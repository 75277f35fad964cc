import {
  validateInRange,
  validateOptionalEnum,
  validateEnum,
  validateLocalDescendingPath,
  validateTextPointer,
  type FieldErrors,
  each,
  noErrors,
  errorIf,
} from '../field-rules.ts';
import { trimSpace } from '../../../machinery/go/strings.ts';
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../machinery/meta/field-error.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import { dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { containerLists } from './container-lists.ts';
import { validateWindowsUserName } from './pod-os.ts';

const maxId = 2147483647;

/** Follows kubernetes pkg/apis/core/validation ValidateSecurityContext. */
export function validateSecurityContext(
  value: core.SecurityContext | undefined,
  path: string,
  hostUsers: boolean,
): FieldErrors {
  if (value === undefined) return [];
  const context = asObject(value);
  const { procMount } = context;
  return [
    ...validateInRange(`${path}.runAsUser`, context.runAsUser, 0, maxId),
    ...validateInRange(`${path}.runAsGroup`, context.runAsGroup, 0, maxId),
    ...validateOptionalEnum(`${path}.procMount`, procMount, ['Default', 'Unmasked']),
    ...errorIf(hostUsers && procMount === 'Unmasked', () =>
      invalidValue(`${path}.procMount`, asString(procMount), '`hostUsers` must be false to use `Unmasked`'),
    ),
    ...validateSeccompProfileField(context.seccompProfile, `${path}.seccompProfile`),
    ...validateAllowPrivilegeEscalation(context, path),
    ...validateWindowsSecurityContextOptions(context.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmorProfileField(context.appArmorProfile, `${path}.appArmorProfile`),
  ];
}

const sysAdminDetail = 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN';

export const isSysAdminError = ({ detail }: FieldError): boolean => detail === sysAdminDetail;

function validateAllowPrivilegeEscalation(context: core.SecurityContext, path: string): FieldErrors {
  if (context.allowPrivilegeEscalation !== false) return [];
  const added = asList(asObject(context.capabilities).add);
  return [
    ...errorIf(context.privileged === true, () =>
      invalidValue(
        path,
        formatSecurityContext(context),
        'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
      ),
    ),
    ...errorIf(added.includes('CAP_SYS_ADMIN'), () =>
      invalidValue(path, formatSecurityContext(context), sysAdminDetail),
    ),
  ];
}

const contextFields = [
  'capabilities',
  'privileged',
  'seLinuxOptions',
  'windowsOptions',
  'runAsUser',
  'runAsGroup',
  'runAsNonRoot',
  'readOnlyRootFilesystem',
  'allowPrivilegeEscalation',
  'procMount',
  'seccompProfile',
  'appArmorProfile',
] as const satisfies readonly (keyof core.SecurityContext)[];

/** Upstream prints the internal struct, without JSON names. */
const formatSecurityContext = (context: core.SecurityContext): JsonObject =>
  Object.fromEntries(contextFields.map((field) => [formatGoName(field), formatGoValue(field, context[field])]));

const formatGoName = (field: string): string => goNames[field] ?? `${field.slice(0, 1).toUpperCase()}${field.slice(1)}`;

const goNames: Readonly<Record<string, string>> = {
  seLinuxOptions: 'SELinuxOptions',
  gmsaCredentialSpecName: 'GMSACredentialSpecName',
  gmsaCredentialSpec: 'GMSACredentialSpec',
};

function formatGoValue(field: string, value: JsonValue | undefined): JsonValue {
  if (field === 'capabilities' && isJsonObject(value)) {
    const { add, drop }: core.Capabilities = value;
    return { Add: add ?? null, Drop: drop ?? null };
  }
  if (!isJsonObject(value)) return value ?? null;
  const zeros = structZeros[field] ?? {};
  return Object.fromEntries(Object.entries(zeros).map(([name, zero]) => [formatGoName(name), value[name] ?? zero]));
}

/** Zero values as Go prints them. */
const structZeros: Readonly<Record<string, JsonObject>> = {
  seLinuxOptions: { user: '', role: '', type: '', level: '' },
  windowsOptions: { gmsaCredentialSpecName: null, gmsaCredentialSpec: null, runAsUserName: null, hostProcess: null },
  seccompProfile: { type: '', localhostProfile: null },
  appArmorProfile: { type: '', localhostProfile: null },
};

function validateSeccompProfileField(value: core.SeccompProfile | undefined, path: string): FieldErrors {
  if (value === undefined) return noErrors;
  const { type, localhostProfile } = asObject(value);
  const types = ['Localhost', 'RuntimeDefault', 'Unconfined'];
  const kind = asString(type);
  const typeErrors =
    kind === ''
      ? [required(`${path}.type`, 'type is required when seccompProfile is set')]
      : validateEnum(`${path}.type`, kind, types);
  const field = `${path}.localhostProfile`;
  if (kind !== 'Localhost') {
    const struct = { Type: kind, LocalhostProfile: localhostProfile ?? null };
    return [
      ...typeErrors,
      ...errorIf(localhostProfile !== undefined, () =>
        invalidValue(field, struct, 'can only be set when seccomp type is Localhost'),
      ),
    ];
  }
  if (localhostProfile === undefined) return [required(field, 'must be set when seccomp type is Localhost')];
  return validateLocalDescendingPath(field, asString(localhostProfile));
}

function validateAppArmorProfileField(value: core.AppArmorProfile | undefined, path: string): FieldErrors {
  if (value === undefined) return noErrors;
  const { type, localhostProfile } = asObject(value);
  const field = `${path}.localhostProfile`;
  const profile = asString(localhostProfile);
  switch (asString(type)) {
    case 'Localhost':
      if (trimSpace(profile) !== profile) return [invalidValue(field, profile, 'must not be padded with whitespace')];
      return errorIf(profile === '', () => required(field, 'must be set when AppArmor type is Localhost'));
    case 'RuntimeDefault':
    case 'Unconfined':
      return errorIf(localhostProfile !== undefined, () =>
        invalidValue(field, profile, 'can only be set when AppArmor type is Localhost'),
      );
    case '':
      return [required(`${path}.type`, 'type is required when appArmorProfile is set')];
    default:
      return [notSupported(`${path}.type`, asString(type), ['Localhost', 'RuntimeDefault', 'Unconfined'])];
  }
}

function validateWindowsSecurityContextOptions(
  value: core.WindowsSecurityContextOptions | undefined,
  path: string,
): FieldErrors {
  if (value === undefined) return noErrors;
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = asObject(value);
  return [
    ...validateTextPointer(dns1123Subdomain, `${path}.gmsaCredentialSpecName`, gmsaCredentialSpecName),
    ...errorIf(gmsaCredentialSpec === '', () =>
      invalidValue(`${path}.gmsaCredentialSpec`, '', 'gmsaCredentialSpec cannot be an empty string'),
    ),
    ...errorIf(asString(gmsaCredentialSpec).length > 65536, () =>
      invalidValue(
        `${path}.gmsaCredentialSpec`,
        gmsaCredentialSpec ?? '',
        'gmsaCredentialSpec size must be under 64 KiB',
      ),
    ),
    ...(runAsUserName === undefined ? [] : validateWindowsUserName(asString(runAsUserName), `${path}.runAsUserName`)),
  ];
}

/** Follows kubernetes pkg/apis/core/validation validatePodSpecSecurityContext. */
export function validatePodSecurityContext(spec: core.PodSpec, path: string): FieldErrors {
  const context = asObject(spec.securityContext);
  const { fsGroup, runAsUser, runAsGroup, supplementalGroups, sysctls } = context;
  return [
    ...validateInRange(`${path}.fsGroup`, fsGroup, 0, maxId),
    ...validateInRange(`${path}.runAsUser`, runAsUser, 0, maxId),
    ...validateInRange(`${path}.runAsGroup`, runAsGroup, 0, maxId),
    ...asList(supplementalGroups).flatMap((group, index) =>
      validateInRange(`${path}.supplementalGroups[${index}]`, group, 0, maxId),
    ),
    ...errorIf(spec.shareProcessNamespace === true && spec.hostPID === true, () =>
      invalidValue(
        `${path.slice(0, path.lastIndexOf('.'))}.shareProcessNamespace`,
        true,
        'ShareProcessNamespace and HostPID cannot both be enabled',
      ),
    ),
    ...validateSysctls(spec, sysctls, `${path}.sysctls`),
    ...validateOptionalEnum(`${path}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ['Always', 'OnRootMismatch']),
    ...validateSeccompProfileField(context.seccompProfile, `${path}.seccompProfile`),
    ...validateWindowsSecurityContextOptions(context.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmorProfileField(context.appArmorProfile, `${path}.appArmorProfile`),
    ...validateOptionalEnum(`${path}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy, ['Merge', 'Strict']),
    ...validateOptionalEnum(`${path}.seLinuxChangePolicy`, context.seLinuxChangePolicy, ['Recursive']),
  ];
}

const sysctlName = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const sysctlRegex = new RegExp(sysctlName);

function validateSysctls(spec: core.PodSpec, sysctls: readonly core.Sysctl[] | undefined, path: string): FieldErrors {
  if (sysctls === undefined) return noErrors;
  const seen = new Set<string>();
  return each(sysctls, path, (item, at) => {
    const name = asString(item.name);
    const field = `${at}.name`;
    const isRepeated = isDuplicate(seen, name);
    return [
      ...validateSysctlName(name, field, isRepeated),
      ...errorIf(spec.hostNetwork === true && name.replaceAll('/', '.').startsWith('net.'), () =>
        invalidValue(field, name, "may not be specified when 'hostNetwork' is true"),
      ),
      ...errorIf(spec.hostIPC === true && /^(kernel[./](shm|msg|sem)|fs[./]mqueue)/.test(name), () =>
        invalidValue(field, name, "may not be specified when 'hostIPC' is true"),
      ),
    ];
  });
}

function validateSysctlName(name: string, field: string, isRepeated: boolean): FieldErrors {
  if (name === '') return [required(field, '')];
  if (name.length > 253 || !sysctlRegex.test(name)) {
    return [invalidValue(field, name, `must have at most 253 characters and match regex ${sysctlName}`)];
  }
  return errorIf(isRepeated, () => ({ type: 'FieldValueDuplicate', field, value: JSON.stringify(name), detail: '' }));
}

/** Follows kubernetes pkg/apis/core/validation validateHostUsers. */
export function validateHostUsers(spec: core.PodSpec, path: string): FieldErrors {
  if (spec.hostUsers !== false) return noErrors;
  const text = 'when `hostUsers` is false';
  return [
    ...errorIf(spec.hostNetwork === true, () => forbiddenField(`${path}.hostNetwork`, text)),
    ...errorIf(spec.hostPID === true, () => forbiddenField(`${path}.HostPID`, text)),
    ...errorIf(spec.hostIPC === true, () => forbiddenField(`${path}.HostIPC`, text)),
    ...containerLists.flatMap((list) =>
      each(spec[list], `${path}.${list}`, (container, at) =>
        errorIf(asList(container.volumeDevices).length > 0, () => forbiddenField(`${at}.volumeDevices`, text)),
      ),
    ),
  ];
}
