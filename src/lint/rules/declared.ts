import { asList, asString } from '../../apimachinery/json.ts';
import { goneKindAdvice } from '../../apimachinery/gone-kinds.ts';
import { parseApiVersion } from '../../apimachinery/gvk.ts';
import type { LintHook } from '../model/lint-set.ts';
import { hookName, inHook } from '../model/report.ts';
import type { Check } from '../model/report.ts';

/** v1 takes None and NoneOnDryRun only. */
export const sideEffects: Check = ({ hooks }) =>
  hooks
    .filter(({ webhook }) => webhook.sideEffects !== 'None' && webhook.sideEffects !== 'NoneOnDryRun')
    .map((hook) => ({
      ...inHook(hook, 'sideEffects', { sideEffects: 'None' }),
      rule: 'side-effects',
      severity: 'error',
      title: `${hookName(hook)} has ${hook.webhook.sideEffects === undefined ? 'no sideEffects' : `sideEffects ${hook.webhook.sideEffects}`}`,
      harm: 'admissionregistration.k8s.io/v1 refuses the configuration; one that was stored by v1beta1 refuses every dry run, kubectl diff among them',
      remedy: 'None, when the webhook does nothing but answer; else NoneOnDryRun, and let it look at request.dryRun',
    }));

/** An API version that no server of today has. */
export const goneVersion: Check = ({ objects }) =>
  objects.flatMap((at) => {
    const apiVersion = asString(at.object['apiVersion']);
    const advice = goneKindAdvice({ ...parseApiVersion(apiVersion), kind: at.kind }, at.object);
    if (advice === undefined) return [];
    return [
      {
        rule: 'gone-version',
        severity: 'error',
        at,
        path: ['apiVersion'],
        title: advice,
        harm: 'kubectl apply fails with "no matches for kind", and nothing guards what this was to guard',
        remedy: 'write it in the version that is served',
      },
    ];
  });

/** A webhook that reads v1beta1 alone. */
export const reviewVersions: Check = ({ hooks }) =>
  hooks
    .filter(({ webhook }) => !webhook.admissionReviewVersions.includes('v1'))
    .map((hook) => {
      const { admissionReviewVersions: versions, definition } = hook.webhook;
      const isSent = versions.includes('v1beta1');
      return {
        ...inHook(hook, 'admissionReviewVersions', { admissionReviewVersions: ['v1', ...versions] }),
        rule: 'review-versions',
        severity: isSent ? 'note' : 'error',
        title: `${hookName(hook)} reads ${asList(definition['admissionReviewVersions']).length === 0 ? 'no version of AdmissionReview that it names' : versions.join(', ')}`,
        harm: isSent
          ? 'v1beta1 is sent as long as API servers know it, and nothing newer of the review reaches the webhook'
          : 'the API server can send v1 and v1beta1 only, and refuses the configuration',
        remedy: 'read v1 (uid has to be given back, patchType has to be set) and name it first',
      };
    });

/** Several webhooks of one name: traces, metrics and audit annotations cannot tell them apart. */
export const sameName: Check = ({ hooks }) =>
  hooks.flatMap((hook, index) => {
    const twin = hooks.slice(0, index).find((one) => isTwin(one, hook));
    if (twin === undefined) return [];
    const isSameConfiguration = twin.at === hook.at;
    return [
      {
        ...inHook(hook, 'name'),
        rule: 'same-name',
        severity: isSameConfiguration ? 'error' : 'note',
        title: `${hookName(hook)} has the name of another one in ${twin.at.title}`,
        harm: isSameConfiguration
          ? 'names have to be unique in a configuration: it is refused'
          : 'metrics and failed-open annotations name the webhook alone: in an incident nobody can tell which of the two it was',
        remedy: 'give each a name of its own, such as RESOURCE.PROJECT.example.com',
      },
    ];
  });

/** A mutating and a validating webhook of one name are told apart by their type. */
const isTwin = (one: LintHook, other: LintHook): boolean =>
  one.webhook.name === other.webhook.name && one.phase === other.phase;
