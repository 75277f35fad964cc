import { asList, asObject, asString, isJsonObject, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { type FieldError, forbiddenField, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { type KubernetesObject, mapFields, metadataOf } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest, invalid } from '../../../machinery/meta/status.ts';
import type { AuthorizationDecision, Authorize, AuthorizationQuestion, ResourceQuestion } from '../authorizer.ts';
import type { UserInfo } from '../user.ts';

/** Follows pkg/registry/authorization/selfsubjectaccessreview/rest.go. */
export const selfAccessReview = (
  review: KubernetesObject,
  user: UserInfo,
  authorize: Authorize,
): Result<KubernetesObject> => answerReview(review, questionOf(asObject(review['spec']), user), authorize);

/** Follows pkg/registry/authorization/subjectaccessreview/rest.go, and localsubjectaccessreview. */
export function accessReview(review: KubernetesObject, authorize: Authorize): Result<KubernetesObject> {
  const spec = asObject(review['spec']);
  return answerReview(review, questionOf(spec, userOf(spec)), authorize);
}

export function checkSelfAccessReview(review: KubernetesObject, minor: number): Result<KubernetesObject> {
  const spec = asObject(review['spec']);
  return toReviewResult(review, [...attributeErrors(spec, minor), ...selectorErrors(spec), ...mustBeEmpty(review)]);
}

export const checkAccessReview = (review: KubernetesObject, minor: number): Result<KubernetesObject> =>
  toReviewResult(review, [...specErrors(asObject(review['spec']), minor), ...mustBeEmpty(review)]);

export function checkLocalAccessReview(
  review: KubernetesObject,
  namespace: string,
  minor: number,
): Result<KubernetesObject> {
  const spec = asObject(review['spec']);
  const sound = toReviewResult(review, [...specErrors(spec, minor), ...localErrors(review, spec)]);
  if (!sound.ok) return sound;
  if (namespace === '') return refuse(badRequest('namespace is required on this type: '));
  if (namespace === (metadataOf(review).namespace ?? '')) return sound;
  return refuse(badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`));
}

const toReviewResult = (review: KubernetesObject, errors: readonly FieldError[]): Result<KubernetesObject> =>
  errors.length > 0 ? invalidReview(errors) : ok(review);

const mustBeEmpty = (review: KubernetesObject): readonly FieldError[] => metadataErrors(review, 'must be empty', []);

/** Upstream's error has no kind, since decoding has cleared it. */
const invalidReview = (errors: readonly FieldError[]): Result<KubernetesObject> =>
  refuse(invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors));

/** Follows pkg/apis/authorization/validation/validation.go, like the next three. */
function attributeErrors(
  { resourceAttributes, nonResourceAttributes }: JsonObject,
  minor: number,
): readonly FieldError[] {
  const areSet = isJsonObject(resourceAttributes);
  if (areSet !== isJsonObject(nonResourceAttributes)) return [];
  const value = isJsonObject(nonResourceAttributes) ? printGoFields(nonResourceAttributes) : null;
  const exactlyOne = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  if (minor >= 37) return [invalidValue('spec', value, exactlyOne)];
  if (!areSet) return [invalidValue('spec.resourceAttributes', value, exactlyOne)];
  const notBoth = 'cannot be specified in combination with resourceAttributes';
  return [invalidValue('spec.nonResourceAttributes', value, notBoth)];
}

const specErrors = (spec: JsonObject, minor: number): readonly FieldError[] => [
  ...attributeErrors(spec, minor),
  ...userErrors(spec),
  ...selectorErrors(spec),
];

/** Either raw or requirements; unknown operators may be from newer clients. */
function selectorErrors({ resourceAttributes }: JsonObject): readonly FieldError[] {
  return (['fieldSelector', 'labelSelector'] as const).flatMap((field) => {
    const selector = valueAt(asObject(resourceAttributes), field);
    if (!isJsonObject(selector)) return [];
    const path = `spec.resourceAttributes.${field}`;
    const [raw, requirements] = [asString(selector['rawSelector']), asList(selector['requirements']).map(asObject)];
    const both = 'may not specified at the same time as requirements';
    const neither = `when ${path} is specified, requirements or rawSelector is required`;
    return [
      ...(raw !== '' && requirements.length > 0 ? [invalidValue(`${path}.rawSelector`, raw, both)] : []),
      ...(raw === '' && requirements.length === 0 ? [required(`${path}.requirements`, neither)] : []),
      ...requirements.flatMap((one, index) => requirementErrors(one, `${path}.requirements[${index}]`)),
    ];
  });
}

/** Follows apimachinery pkg/apis/meta/v1/validation ValidateFieldSelectorRequirement. */
function requirementErrors({ key, operator, values }: JsonObject, path: string): readonly FieldError[] {
  const [some, wanted] = [asList(values).length > 0, asString(operator)];
  const isList = wanted === 'In' || wanted === 'NotIn';
  const isPresence = wanted === 'Exists' || wanted === 'DoesNotExist';
  return [
    ...(asString(key) === '' ? [required(`${path}.key`, 'must be specified')] : []),
    ...(isList && !some ? [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")] : []),
    ...(isPresence && some
      ? [forbiddenField(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
      : []),
  ];
}

function userErrors({ user, groups }: JsonObject): readonly FieldError[] {
  if (asString(user) !== '' || asList(groups).length > 0) return [];
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

function metadataErrors(review: KubernetesObject, detail: string, allowed: readonly string[]): readonly FieldError[] {
  const metadata = metadataOf(review);
  const filled = Object.entries(metadata).filter(
    ([field, value]) => value !== null && field !== 'managedFields' && !allowed.includes(field),
  );
  return filled.length === 0 ? [] : [invalidValue('metadata', metadata, detail)];
}

function localErrors(review: KubernetesObject, spec: JsonObject): readonly FieldError[] {
  const errors = [...metadataErrors(review, 'must be empty except for namespace', ['namespace'])];
  const namespace = asString(valueAt(spec, 'resourceAttributes', 'namespace'));
  if (isJsonObject(spec['resourceAttributes']) && namespace !== (metadataOf(review).namespace ?? '')) {
    errors.push(invalidValue('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
  }
  if (isJsonObject(spec['nonResourceAttributes'])) {
    const value = printGoFields(spec['nonResourceAttributes']);
    errors.push(invalidValue('spec.nonResourceAttributes', value, 'disallowed on this kind of request'));
  }
  return errors;
}

/** Go prints the field names of the internal type. */
const printGoFields = ({ path, verb }: JsonObject): JsonObject => ({ Path: asString(path), Verb: asString(verb) });

const answerReview = (
  review: KubernetesObject,
  question: AuthorizationQuestion,
  authorize: Authorize,
): Result<KubernetesObject> => ok({ ...review, status: statusOf(authorize(question)) });

const statusOf = ({ allowed, reason }: AuthorizationDecision): JsonObject => ({
  allowed,
  ...(reason === '' ? {} : { reason }),
});

const userOf = ({ user, uid, groups, extra }: JsonObject): UserInfo => ({
  username: asString(user),
  uid: asString(uid),
  groups: asList(groups).map(asString),
  extra: extraOf(asObject(extra)),
});

const extraOf = (extra: JsonObject): UserInfo['extra'] =>
  mapFields(Object.keys(extra), (key) => asList(extra[key]).map(asString));

/** Follows pkg/registry/authorization/util/helpers.go. */
function questionOf(spec: JsonObject, user: UserInfo): AuthorizationQuestion {
  const attributes = spec['resourceAttributes'];
  if (!isJsonObject(attributes)) {
    const { path, verb } = asObject(spec['nonResourceAttributes']);
    return { type: 'path', user, verb: asString(verb), path: asString(path) };
  }
  const text = (field: string): string => asString(valueAt(attributes, field));
  return {
    type: 'resource',
    user,
    verb: text('verb'),
    group: text('group'),
    version: text('version') || '*',
    resource: text('resource'),
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name'),
    ...reviewedSelectors(attributes),
  };
}

/** As in a query. Follows kubernetes pkg/registry/authorization/util/helpers.go. */
const reviewedSelectors = ({
  fieldSelector,
  labelSelector,
}: JsonObject): Pick<ResourceQuestion, 'fieldSelector' | 'labelSelector'> => ({
  ...(isJsonObject(fieldSelector) ? { fieldSelector: selectorText(fieldSelector, fieldTerm) } : {}),
  ...(isJsonObject(labelSelector) ? { labelSelector: selectorText(labelSelector, labelTerm) } : {}),
});

type Term = (key: string, operator: string, values: readonly string[]) => string;

function selectorText(selector: JsonObject, term: Term): string {
  const requirements = asList(selector['requirements']).map(asObject);
  if (requirements.length === 0) return asString(selector['rawSelector']);
  const terms = requirements.map(({ key, operator, values }) =>
    term(asString(key), asString(operator), asList(values).map(asString)),
  );
  return terms.filter((text) => text !== '').join(',');
}

const fieldTerm: Term = (key, operator, [value = '']) => {
  const escaped = value.replaceAll(/[\\,=]/g, String.raw`\$&`);
  if (operator === 'In') return `${key}=${escaped}`;
  return operator === 'NotIn' ? `${key}!=${escaped}` : '';
};

const labelTerm: Term = (key, operator, values) => {
  switch (operator) {
    case 'In':
      return `${key} in (${values.join(',')})`;
    case 'NotIn':
      return `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return '';
  }
};
