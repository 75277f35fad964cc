import type { ValuePath } from '../model/lint-object.ts';
import type { Check, Found } from '../model/report.ts';
import { servedWith, validateObject } from '../../../testing/object-validation/validate-object.ts';

/** Validation errors, in the API server's words. Objects of a server are already valid. */
export const refused: Check = ({ objects }) => {
  const kinds = servedWith(objects.map(({ object }) => object));
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

/** The path of `spec.versions[0].schema` or `metadata.annotations[example.com/a]`. */
function pathOf(field: string): ValuePath {
  return [...field.matchAll(/\[([^\]]*)(?:\]|$)|[^.[]+/g)].map(([step, key]) => {
    if (key === undefined) return step;
    return /^\d+$/.test(key) ? Number(key) : key;
  });
}
