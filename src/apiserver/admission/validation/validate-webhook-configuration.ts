import type { MatchCondition } from '../../../api/types/generated/admissionregistration-v1.ts';
import { validateLabelSelector } from '../../../api/validation/meta/labels.ts';
import { trimSpace } from '../../../machinery/go/strings.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { duplicate, type FieldError, invalidValue } from '../../../machinery/meta/field-error.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import type { WebhookConfiguration, WebhookEntry } from '../../../machinery/meta/webhook-fields.ts';
import { duplicateIndexes } from '../../../machinery/lists.ts';
import type { YieldIfLong } from '../../../machinery/clock.ts';
import { staticSuffix } from '../configuration/manifests/static-manifests.ts';
import type { CompileCondition } from './validate-match-conditions.ts';
import { type Leniency, validateWebhook } from './validate-webhook.ts';

/**
 * Without `compile` no matchCondition is valid. Follows kubernetes
 * pkg/apis/admissionregistration/validation/validation.go (rules CFG-20 to CFG-44).
 */
export const validateWebhookConfiguration = (
  configuration: KubernetesObject,
  compile?: CompileCondition,
): readonly FieldError[] => validateWebhooks(webhooksOf(configuration), strict, compile);

/** Errors that the old object has too are tolerated (rules CFG-50 to CFG-56). */
export const validateWebhookConfigurationUpdate = (
  configuration: KubernetesObject,
  old: KubernetesObject,
  compile?: CompileCondition,
): readonly FieldError[] => {
  const webhooks = webhooksOf(configuration);
  return validateWebhooks(webhooks, leniencyTowards(webhooks, webhooksOf(old)), compile);
};

/** Compiles match conditions before validation, yielding after each; `compile` keeps the results. */
export async function compileMatchConditions(
  configuration: KubernetesObject,
  old: KubernetesObject | undefined,
  compile: CompileCondition,
  yieldIfLong: YieldIfLong,
): Promise<void> {
  const webhooks = webhooksOf(configuration);
  const { ignoreMatchConditions, storedExpressions } = old ? leniencyTowards(webhooks, webhooksOf(old)) : strict;
  if (ignoreMatchConditions) return;
  for (const expression of webhooks.flatMap(expressionsOf).map(trimSpace)) {
    compile(expression, { stored: storedExpressions.has(expression) });
    await yieldIfLong();
  }
}

const strict: Leniency = {
  ignoreMatchConditions: false,
  anySideEffects: false,
  anyReviewVersion: false,
  repeatedNames: false,
  anySelectorValue: false,
  storedExpressions: new Set(),
};

const webhooksOf = ({ webhooks }: WebhookConfiguration): readonly WebhookEntry[] => asList(webhooks).map(asObject);

function validateWebhooks(
  webhooks: readonly WebhookEntry[],
  leniency: Leniency,
  compile: CompileCondition | undefined,
): readonly FieldError[] {
  const names = webhooks.map(({ name }) => asString(name));
  const repeats = duplicateIndexes(names);
  return webhooks.flatMap((webhook, index) => {
    const path = `webhooks[${index}]`;
    const name = names[index] ?? '';
    const isRepeated = !leniency.repeatedNames && name !== '' && repeats.has(index);
    return [
      ...validateWebhook(webhook, path, leniency, compile),
      ...(isRepeated ? [duplicate(`${path}.name`, name)] : []),
    ];
  });
}

function leniencyTowards(webhooks: readonly WebhookEntry[], old: readonly WebhookEntry[]): Leniency {
  const names = old.map(({ name }) => asString(name));
  return {
    ignoreMatchConditions:
      webhooks.length === old.length &&
      webhooks.every(({ matchConditions }, index) => sameJson(matchConditions, old[index]?.matchConditions)),
    anySideEffects: !old.every(({ sideEffects }) => sideEffects === 'None' || sideEffects === 'NoneOnDryRun'),
    anyReviewVersion: !old.every(hasKnownReviewVersion),
    repeatedNames: new Set(names).size < names.length,
    anySelectorValue: old.some(hasInvalidSelector),
    storedExpressions: new Set(old.flatMap(expressionsOf)),
  };
}

function hasKnownReviewVersion({ admissionReviewVersions }: WebhookEntry): boolean {
  const versions = asList(admissionReviewVersions);
  return versions.length === 0 || versions.includes('v1') || versions.includes('v1beta1');
}

const hasInvalidSelector = ({ namespaceSelector, objectSelector }: WebhookEntry): boolean =>
  [namespaceSelector, objectSelector].some(
    (selector) => isJsonObject(selector) && validateLabelSelector(selector, '').length > 0,
  );

const expressionIn = (condition: JsonValue): string => {
  const { expression }: MatchCondition = asObject(condition);
  return asString(expression);
};

const expressionsOf = ({ matchConditions }: WebhookEntry): readonly string[] =>
  asList(matchConditions).map(expressionIn);

const reserved = `names ending with "${staticSuffix}" are reserved for static manifest-based configurations and cannot be managed via the API`;

const isReserved = (object: KubernetesObject): boolean => metadataOf(object).name?.endsWith(staticSuffix) === true;

/**
 * Warns about names reserved for manifest files. Follows kubernetes
 * pkg/apis/admissionregistration/validation/static_suffix.go (rule CFG-66).
 */
export const configurationWarnings = (object: KubernetesObject): readonly string[] =>
  isReserved(object) ? [`metadata.name: ${reserved}`] : [];

/** While manifest files are enabled such an object cannot be created (rule CFG-65). */
export const reservedNameErrors = (object: KubernetesObject): readonly FieldError[] =>
  isReserved(object) ? [invalidValue('metadata.name', metadataOf(object).name ?? '', reserved)] : [];
