import type { JsonObject } from '../../machinery/json/json.ts';
import { type KubernetesObject, asKubernetesObject } from '../../machinery/meta/object.ts';
import { printed, servedWith, validateObject, validateUpdate } from '../object-validation/validate-object.ts';

/** Why an API server refuses an object whatever policies decide; undefined: it accepts it. */
export interface ServerRefusal {
  readonly ofCreate: (object: JsonObject) => string | undefined;
  /** The object as policies evaluate it; undefined when it cannot be decoded. */
  readonly seenByPolicies: (object: JsonObject) => JsonObject | undefined;
  readonly ofUpdate: (oldObject: JsonObject, object: JsonObject, subresource: string) => string | undefined;
}

/** `definitions` may contain other objects besides CustomResourceDefinitions. */
export function serverRefusal(definitions: readonly JsonObject[]): ServerRefusal {
  const kinds = servedWith(definitions.flatMap((one) => asKubernetesObject(one) ?? []));
  const validate = (
    object: JsonObject,
  ): { readonly refused: string | undefined; readonly stored?: KubernetesObject } => {
    const whole = asKubernetesObject(object);
    if (whole === undefined) return { refused: undefined };
    const { refusals, object: stored } = validateObject(whole, kinds);
    const refused = refusals.filter(({ isStrict }) => isStrict !== true).map(({ text }) => text);
    return { refused: refused.length === 0 ? undefined : refused.join(', '), ...(stored && { stored }) };
  };
  return {
    ofCreate: (object) => validate(object).refused,
    seenByPolicies: (object) => {
      const { stored } = validate(object);
      return stored && printed(stored);
    },
    ofUpdate: (oldObject, object, subresource) => {
      const [old, changed] = [validate(oldObject), validate(object)];
      if (old.refused !== undefined || old.stored === undefined || changed.stored === undefined) return old.refused;
      const refusals = validateUpdate({ oldObject: old.stored, object: changed.stored, subresource }, kinds);
      return refusals.length === 0 ? undefined : refusals.map(({ text }) => text).join(', ');
    },
  };
}
