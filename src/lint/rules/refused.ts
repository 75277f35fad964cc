import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { LintObject, ValuePath } from '../model/lint-object.ts';
import type { Check, Found } from '../model/report.ts';
import { servedKinds } from '../server/served-kinds.ts';
import { validateObject } from '../server/validate-object.ts';

/** What the API server refuses, in its words. Objects of a server were accepted by it and are not validated again. */
export const refused: Check = ({ objects }) => {
  const kinds = servedKinds(definitionsOf(objects));
  return objects
    .filter(({ isStored }) => !isStored)
    .flatMap((at) =>
      validateObject(at.object, kinds).refusals.map(({ field, text, answer }): Found => ({
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

/** The definitions that the API server accepts. */
function definitionsOf(objects: readonly LintObject[]): readonly KubernetesObject[] {
  const builtin = servedKinds([]);
  return objects
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .flatMap(({ object }) => {
      const validated = validateObject(object, builtin);
      return validated.object === undefined || validated.refusals.length > 0 ? [] : [validated.object];
    });
}

/** The path of `spec.versions[0].schema` or `metadata.annotations[example.com/a]`. */
function pathOf(field: string): ValuePath {
  return [...field.matchAll(/\[([^\]]*)\]|[^.[]+/g)].map(([step, key]) => {
    if (key === undefined) return step;
    return /^\d+$/.test(key) ? Number(key) : key;
  });
}
