import { forbiddenField, notSupported, required, invalidValue } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import type { Container, PodSpec } from '../../types/generated/core-v1.ts';
import { each, errorIf, type FieldErrors } from '../field-rules.ts';
import { containerLists } from './container-lists.ts';

/** Follows kubernetes pkg/apis/core/validation validateOS, validateLinux, validateWindows. */
export function validateOs(spec: PodSpec, path: string): FieldErrors {
  if (spec.os === undefined) return [];
  const name = asString(asObject(spec.os).name);
  switch (name) {
    case '':
      return [required(`${path}.os.name`, '')];
    case 'linux':
      return validateLinux(spec, path);
    case 'windows':
      return validateWindows(spec, path);
    default:
      return [notSupported(`${path}.os`, name, ['linux', 'windows'])];
  }
}

function validateLinux(spec: PodSpec, path: string): FieldErrors {
  const text = 'windows options cannot be set for a linux pod';
  const errors = (holder: PodSpec | Container, at: string): FieldErrors =>
    errorIf(asObject(holder.securityContext).windowsOptions !== undefined, () =>
      forbiddenField(`${at}.securityContext.windowsOptions`, text),
    );
  return [...errors(spec, path), ...containerLists.flatMap((list) => each(spec[list], `${path}.${list}`, errors))];
}

const securityContextPaths = (...fields: readonly string[]): readonly (readonly string[])[] =>
  fields.map((field) => ['securityContext', field]);

/** Fields that Windows pods must not set, in upstream's order. */
const podFields = [
  ...securityContextPaths('appArmorProfile', 'seLinuxOptions'),
  ['hostUsers'],
  ['hostPID'],
  ['hostIPC'],
  ...securityContextPaths('seccompProfile', 'fsGroup', 'fsGroupChangePolicy', 'sysctls'),
  ['shareProcessNamespace'],
  ...securityContextPaths(
    'runAsUser',
    'runAsGroup',
    'supplementalGroups',
    'supplementalGroupsPolicy',
    'seLinuxChangePolicy',
  ),
];

const containerFields = securityContextPaths(
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
);

function validateWindows(spec: PodSpec, path: string): FieldErrors {
  const among =
    (fields: readonly (readonly string[])[]) =>
    (holder: JsonObject, at: string): FieldErrors =>
      fields
        .filter((field) => isSet(holder, field))
        .map((field) => forbiddenField([at, ...field].join('.'), 'cannot be set for a windows pod'));
  return [
    ...among(podFields)(spec, path),
    ...containerLists.flatMap((list) => each(spec[list], `${path}.${list}`, among(containerFields))),
  ];
}

/** Upstream's host namespaces are booleans and sysctls a slice: false and empty count as unset. */
function isSet(holder: JsonObject, [first = '', second]: readonly string[]): boolean {
  const value = second === undefined ? holder[first] : asObject(holder[first])[second];
  if (first === 'hostPID' || first === 'hostIPC') return value === true;
  return second === 'sysctls' ? asList(value).length > 0 : value !== undefined;
}

const controls = /[\p{Cc}]/u;
const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsDomain = /^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?)*$/;

/** `user` or `DOMAIN\user`. Follows kubernetes pkg/apis/core/validation validateWindowsSecurityContextOptions. */
export function validateWindowsUserName(name: string, field: string): FieldErrors {
  const whole = findNameProblem(name);
  const [first = '', second] = name.split('\\');
  const problems = whole === '' ? findUserProblems(second === undefined ? undefined : first, second ?? first) : [whole];
  return problems.map((problem) => invalidValue(field, name, `runAsUserName${problem}`));
}

function findNameProblem(name: string): string {
  if (name === '') return ' cannot be an empty string';
  if (controls.test(name)) return ' cannot contain control characters';
  return name.split('\\').length > 2 ? ' cannot contain more than one backslash' : '';
}

function findUserProblems(domain: string | undefined, user: string): readonly string[] {
  const isInvalidDomain = domain !== undefined && !netBios.test(domain) && !dnsDomain.test(domain);
  return [
    (domain ?? '').length >= 256 ? "'s Domain length must be under 256 characters" : '',
    isInvalidDomain ? "'s Domain doesn't match the NetBios nor the DNS format" : '',
    user === '' ? "'s User cannot be empty" : '',
    user.length > 104 ? "'s User length must not be longer than 104 characters" : '',
    /^[. ]+$/.test(user) ? "'s User cannot contain only periods or spaces" : '',
    /["/\\:;|=,+*?<>@[\]]/.test(user) ? `'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]` : '',
  ].filter((problem) => problem !== '');
}
