import { fieldErrorText } from '../../../src/machinery/meta/field-error.ts';
import { asObject, type JsonObject } from '../../../src/machinery/json/json.ts';
import { customType } from '../../../src/api/crd/engine.ts';
import type { CustomType } from '../../../src/api/crd/custom-type.ts';

/** A definition of Widgets with this schema of `spec`, and what is said of the root. */
export const widgets = (spec: JsonObject, root: JsonObject = {}, version: JsonObject = {}): JsonObject => ({
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        ...version,
        schema: { openAPIV3Schema: { type: 'object', ...root, properties: { spec, ...propertiesOf(root) } } },
      },
    ],
  },
});

const propertiesOf = (root: JsonObject): JsonObject => asObject(root['properties']);

export function typeOf(definition: JsonObject): CustomType {
  const type = customType(definition, 'v1');
  if (type === undefined) throw new Error('no version v1');
  return type;
}

/** The Widget x with this spec. */
export const widget = (spec: JsonObject | null): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'x' },
  spec,
});

/** A body as it comes in: pruned, nulls dropped, defaults filled in. */
export function received(type: CustomType, body: JsonObject) {
  const decoded = type.decodeValue(body);
  if (decoded.outcome === 'undecodable') throw new Error(decoded.error);
  return { object: type.applyDefaults(decoded.object), strict: decoded.strict };
}

/** Errors of a create of the Widget. */
export function complaints(definition: JsonObject, spec: JsonObject | null): readonly string[] {
  const type = typeOf(definition);
  return type.validate(received(type, widget(spec)).object).errors.map(fieldErrorText);
}

/** Errors, then warnings, of an update from one spec to another. */
export function updateComplaints(definition: JsonObject, before: JsonObject, after: JsonObject) {
  const type = typeOf(definition);
  const old = received(type, widget(before)).object;
  const { errors, warnings } = type.validateUpdate(received(type, widget(after)).object, old);
  return { errors: errors.map(fieldErrorText), warnings };
}
