import { validateOptionalText, validateText, type FieldErrors, eachOf, errorIf, noErrors } from '../field-rules.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import {
  type FieldError,
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../../machinery/meta/field-error.ts';
import {
  type TextCheck,
  byteLength,
  dns1123Subdomain,
  labelValueErrors,
  qualifiedNameErrors,
  regexText,
} from '../../../machinery/meta/names.ts';
import type { DeviceToleration } from '../../types/generated/resource-v1.ts';
import { validateCsiDriverName } from '../storage/csi.ts';

export const taintEffects = ['NoExecute', 'NoSchedule', 'None'] as const;

const isEffect = (effect: string): boolean => taintEffects.some((known) => known === effect);

/** Follows kubernetes pkg/apis/resource/validation/validation.go validateDeviceToleration. */
export function validateDeviceToleration(
  { key = '', operator = '', value = '', effect = '' }: DeviceToleration,
  path: string,
): FieldErrors {
  return [
    ...validateOptionalText(qualifiedNameErrors, `${path}.key`, key),
    ...valueErrors(),
    ...errorIf(effect !== '' && !isEffect(effect), () => notSupported(`${path}.effect`, effect, taintEffects)),
  ];

  function valueErrors(): FieldErrors {
    switch (operator) {
      case 'Exists':
        return errorIf(value !== '', () => invalidValue(`${path}.value`, value, 'must be empty for operator `Exists`'));
      case 'Equal':
        return validateText(labelValueErrors, `${path}.value`, value);
      case '':
        return [required(`${path}.operator`, '')];
      default:
        return [notSupported(`${path}.operator`, operator, ['Equal', 'Exists'])];
    }
  }
}

export interface BindingConditions {
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
}

const maxConditions = 4;

/** Follows kubernetes pkg/apis/resource/validation validateDeviceBindingParameters. */
export function validateDeviceBindingParameters(
  { bindingConditions = [], bindingFailureConditions = [] }: BindingConditions,
  path: string,
): FieldErrors {
  const [bound, failed] = [`${path}.bindingConditions`, `${path}.bindingFailureConditions`];
  const name = (text: string, at: string): FieldErrors => validateText(qualifiedNameErrors, at, text);
  return [
    ...validateSlice(bindingConditions, bound, maxConditions, name),
    ...validateSlice(bindingFailureConditions, failed, maxConditions, name),
    ...validateUniqueConditions(bindingConditions, bound, []),
    ...validateUniqueConditions(bindingFailureConditions, failed, bindingConditions),
    ...errorIf(bindingConditions.length === 0 && bindingFailureConditions.length > 0, () =>
      invalidValue(bound, null, 'bindingConditions are required to use bindingFailureConditions'),
    ),
    ...errorIf(bindingFailureConditions.length === 0 && bindingConditions.length > 0, () =>
      invalidValue(failed, null, 'bindingFailureConditions are required to use bindingConditions'),
    ),
  ];
}

function validateUniqueConditions(conditions: readonly string[], path: string, others: readonly string[]): FieldErrors {
  const seen = new Set<string>();
  return eachOf(conditions, (condition, index) => {
    const at = `${path}[${index}]`;
    return [
      ...errorIf(isDuplicate(seen, condition), () => duplicate(at, condition)),
      ...errorIf(others.includes(condition), () =>
        invalidValue(at, condition, 'bindingFailureConditions must not overlap with bindingConditions'),
      ),
    ];
  });
}

// Names of devices, attributes and pools. Follows kubernetes pkg/apis/resource/validation/validation.go.

const identifier = '[A-Za-z_][A-Za-z0-9_]*';
const identifierRegex = new RegExp(`^${identifier}$`);
const identifierText = regexText(
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  identifier,
  'my_name',
  'MY_NAME',
  'MyName',
);

const identifierErrors: TextCheck = (text) => (identifierRegex.test(text) ? [] : [identifierText]);

const maxIdentifierLength = 32;

const validateCIdentifier = (text: string, path: string): FieldErrors => [
  ...errorIf(byteLength(text) > maxIdentifierLength, () => tooLong(path, maxIdentifierLength)),
  ...validateText(identifierErrors, path, text),
];

/** `a` or `domain/a`. */
export function validateQualifiedName(name: string, path: string): FieldErrors {
  const parts = name.split('/');
  const [domain = '', id = ''] = parts;
  if (parts.length === 1) return validateCIdentifier(domain, path);
  // Upstream ignores names with several slashes.
  if (parts.length > 2) return noErrors;
  return [
    ...(domain === '' ? [invalidValue(path, '', 'the domain must not be empty')] : validateCsiDriverName(domain, path)),
    ...(id === '' ? [invalidValue(path, '', 'the name must not be empty')] : validateCIdentifier(id, path)),
  ];
}

export const validateFullyQualifiedName = (name: string, path: string): FieldErrors => [
  ...validateQualifiedName(name, path),
  ...errorIf(!name.includes('/'), () =>
    invalidValue(path, name, 'a fully qualified name must be a domain and a name separated by a slash'),
  ),
];

const maxPoolLength = 253;

/** Subdomains separated by slashes. */
export function validatePoolName(name: string, path: string): FieldErrors {
  if (name === '') return [required(path, '')];
  return [
    ...errorIf(byteLength(name) > maxPoolLength, () => tooLong(path, maxPoolLength)),
    ...name.split('/').flatMap((part) => validateText(dns1123Subdomain, path, part)),
  ];
}

/** Validates at most `max` items. */
export function validateSlice<T>(
  list: readonly T[] | null | undefined,
  path: string,
  max: number,
  check: (item: T, path: string) => FieldErrors,
): FieldErrors {
  const items = list ?? [];
  if (items.length > max) return [tooMany(path, items.length, max)];
  return eachOf(items, (item, index) => check(item, `${path}[${index}]`));
}

/** Then reports duplicates by `keyOf`. */
export function validateSet<T>(
  list: readonly T[] | null | undefined,
  path: string,
  { max, check, keyOf }: SetRules<T>,
): FieldErrors {
  const items = list ?? [];
  if (items.length > max) return [tooMany(path, items.length, max)];
  return [...validateSlice(items, path, max, check), ...validateUniqueItems(items, path, keyOf)];
}

export interface SetRules<T> {
  readonly max: number;
  readonly check: (item: T, path: string) => FieldErrors;
  readonly keyOf: (item: T) => JsonValue;
}

function validateUniqueItems<T>(
  items: readonly T[],
  path: string,
  keyOf: (item: T) => JsonValue,
): readonly FieldError[] {
  const seen = new Set<string>();
  return eachOf(items, (item, index) => {
    const key = keyOf(item);
    return errorIf(isDuplicate(seen, JSON.stringify(key)), () => duplicate(`${path}[${index}]`, key));
  });
}

/** Keys in sorted order. */
export function validateMap<T>(
  map: { readonly [key: string]: T } | undefined,
  path: string,
  check: {
    readonly key: (key: string, path: string) => FieldErrors;
    readonly value: (value: T, path: string) => FieldErrors;
  },
): FieldErrors {
  return eachOf(map === undefined ? [] : Object.keys(map).toSorted(), (key) => {
    const value = map?.[key];
    return [...check.key(key, path), ...(value === undefined ? [] : check.value(value, `${path}[${key}]`))];
  });
}
