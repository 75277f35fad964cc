import { asString } from '../../../machinery/json/json.ts';
import { removedApiAdvice } from '../../../machinery/meta/removed-apis.ts';
import { type GroupVersionKind, parseApiVersion } from '../../../machinery/meta/gvk.ts';
import type { LintHook } from '../model/lint-set.ts';
import { type LintCheck, type UnplacedFinding, webhookTitle, webhookField } from '../finding.ts';
import type { ServedRow } from '../model/served-rows.ts';
import type { ValuePath } from '../model/lint-object.ts';
import { servedWith, validateObject } from '../../../testing/object-validation/validate-object.ts';

/** An API version that is not served, or only with `--runtime-config`. */
export const goneVersion: LintCheck = ({ objects, rows }) =>
  objects.flatMap((at) => {
    const apiVersion = asString(at.object['apiVersion']);
    const kind = { ...parseApiVersion(apiVersion), kind: at.kind };
    const advice = removedApiAdvice(kind, at.object) ?? unservedAdvice(kind, rows);
    if (advice === undefined) return [];
    return [
      {
        rule: 'gone-version',
        severity: 'error',
        at,
        path: ['apiVersion'],
        title: advice,
        harm: `kubectl apply fails: no matches for kind "${at.kind}" in version "${apiVersion}"`,
        remedy: 'use the served version',
      },
    ];
  });

/** A built-in kind in a version that is not served. */
function unservedAdvice({ group, version, kind }: GroupVersionKind, rows: readonly ServedRow[]): string | undefined {
  const served = rows.filter(
    (row) => row.isBuiltin && row.group === group && row.kind === kind && row.subresource === '',
  );
  if (served.length === 0 || served.some((row) => row.version === version)) return undefined;
  const versions = [...new Set(served.map((row) => row.version))].join(', ');
  return `${kind} of ${group} is not served as ${version}, only as ${versions}`;
}

/** A webhook that accepts v1beta1 only. */
export const reviewVersions: LintCheck = ({ hooks }) =>
  hooks
    .filter(
      ({ webhook: { admissionReviewVersions: versions } }) => versions.includes('v1beta1') && !versions.includes('v1'),
    )
    .map((hook) => ({
      ...webhookField(hook, 'admissionReviewVersions', {
        admissionReviewVersions: ['v1', ...hook.webhook.admissionReviewVersions],
      }),
      rule: 'review-versions',
      severity: 'note',
      title: `${webhookTitle(hook)} supports only ${hook.webhook.admissionReviewVersions.join(', ')}`,
      harm: 'API servers send v1beta1 as long as they support it, without the newer fields of a review',
      remedy: 'support v1 (return uid, set patchType) and list it first',
    }));

/**
 * Webhooks with the same name in several configurations: traces, metrics and audit annotations cannot distinguish
 * them.
 */
export const sameName: LintCheck = ({ hooks }) =>
  hooks.flatMap((hook, index) => {
    const twin = hooks.slice(0, index).find((one) => hasSameName(one, hook));
    if (twin === undefined) return [];
    return [
      {
        ...webhookField(hook, 'name'),
        rule: 'same-name',
        severity: 'note',
        title: `${webhookTitle(hook)} has the same name as a webhook of ${twin.at.title}`,
        harm: 'metrics and failed-open annotations contain only the name of the webhook, so they do not distinguish the two',
        remedy: 'use unique names, such as RESOURCE.PROJECT.example.com',
      },
    ];
  });

/** Mutating and validating webhooks of one name differ in their type. */
const hasSameName = (one: LintHook, other: LintHook): boolean =>
  one.webhook.name === other.webhook.name && one.phase === other.phase && one.at !== other.at;

/** Validation errors, in the API server's words. Objects of a server are already valid. */
export const refused: LintCheck = ({ objects }) => {
  const kinds = servedWith(objects.map(({ object }) => object));
  return objects
    .filter(({ isStored }) => !isStored)
    .flatMap((at) =>
      validateObject(at.object, kinds).refusals.map(({ field, text, answer }): UnplacedFinding => ({
        at,
        path: parseFieldPath(field),
        rule: 'refused',
        severity: 'error',
        title: text,
        harm: `the API server refuses the object with ${answer}`,
        remedy: 'correct the object',
      })),
    );
};

/** The path of `spec.versions[0].schema` or `metadata.annotations[example.com/a]`. */
function parseFieldPath(field: string): ValuePath {
  return [...field.matchAll(/\[([^\]]*)(?:\]|$)|[^.[]+/g)].map(([step, key]) => {
    if (key === undefined) return step;
    return /^\d+$/.test(key) ? Number(key) : key;
  });
}
