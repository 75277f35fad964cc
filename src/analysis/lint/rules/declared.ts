import { asString } from '../../../machinery/json/json.ts';
import { removedApiAdvice } from '../../../machinery/meta/removed-apis.ts';
import { type GroupVersionKind, parseApiVersion } from '../../../machinery/meta/gvk.ts';
import type { LintHook } from '../model/lint-set.ts';
import { type LintCheck, type UnplacedFinding, hookName, inHook } from '../finding.ts';
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
        remedy: 'write it in the version that is served',
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
  return `${kind} of ${group} is not served as ${version}, but as ${versions}`;
}

/** A webhook that accepts v1beta1 only. */
export const reviewVersions: LintCheck = ({ hooks }) =>
  hooks
    .filter(
      ({ webhook: { admissionReviewVersions: versions } }) => versions.includes('v1beta1') && !versions.includes('v1'),
    )
    .map((hook) => ({
      ...inHook(hook, 'admissionReviewVersions', {
        admissionReviewVersions: ['v1', ...hook.webhook.admissionReviewVersions],
      }),
      rule: 'review-versions',
      severity: 'note',
      title: `${hookName(hook)} reads ${hook.webhook.admissionReviewVersions.join(', ')}`,
      harm: 'v1beta1 is sent as long as API servers know it, and nothing newer of the review reaches the webhook',
      remedy: 'read v1 (uid has to be given back, patchType has to be set) and name it first',
    }));

/**
 * Webhooks with the same name in several configurations: traces, metrics and audit annotations cannot distinguish
 * them.
 */
export const sameName: LintCheck = ({ hooks }) =>
  hooks.flatMap((hook, index) => {
    const twin = hooks.slice(0, index).find((one) => isTwin(one, hook));
    if (twin === undefined) return [];
    return [
      {
        ...inHook(hook, 'name'),
        rule: 'same-name',
        severity: 'note',
        title: `${hookName(hook)} has the name of another one in ${twin.at.title}`,
        harm: 'metrics and failed-open annotations name the webhook alone: in an incident they do not show which of the two it was',
        remedy: 'give each a name of its own, such as RESOURCE.PROJECT.example.com',
      },
    ];
  });

/** Mutating and validating webhooks of one name differ in their type. */
const isTwin = (one: LintHook, other: LintHook): boolean =>
  one.webhook.name === other.webhook.name && one.phase === other.phase && one.at !== other.at;

/** Validation errors, in the API server's words. Objects of a server are already valid. */
export const refused: LintCheck = ({ objects }) => {
  const kinds = servedWith(objects.map(({ object }) => object));
  return objects
    .filter(({ isStored }) => !isStored)
    .flatMap((at) =>
      validateObject(at.object, kinds).refusals.map(({ field, text, answer }): UnplacedFinding => ({
        at,
        path: pathOf(field),
        rule: 'refused',
        severity: 'error',
        title: text,
        harm: `the API server refuses the object with ${answer}`,
        remedy: 'correct the object',
      })),
    );
};

/** The path of `spec.versions[0].schema` or `metadata.annotations[example.com/a]`. */
function pathOf(field: string): ValuePath {
  return [...field.matchAll(/\[([^\]]*)(?:\]|$)|[^.[]+/g)].map(([step, key]) => {
    if (key === undefined) return step;
    return /^\d+$/.test(key) ? Number(key) : key;
  });
}
