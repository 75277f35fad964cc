import { asList, asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';

// v1beta1 has the fields that later versions nest in `exactly` and `basic`. Follows kubernetes
// pkg/apis/resource/v1beta1/conversion.go.

const exactFields = ['selectors', 'allocationMode', 'count', 'adminAccess', 'tolerations', 'capacity'];

export const claimFromV1beta1 = (claim: JsonObject): JsonObject => inClaim(claim, nested);
export const claimToV1beta1 = (claim: JsonObject): JsonObject => inClaim(claim, flat);
export const templateFromV1beta1 = (template: JsonObject): JsonObject =>
  changed(template, 'spec', (spec) => inClaim(spec, nested));
export const templateToV1beta1 = (template: JsonObject): JsonObject =>
  changed(template, 'spec', (spec) => inClaim(spec, flat));

export const sliceFromV1beta1 = (slice: JsonObject): JsonObject =>
  inSlice(slice, ({ basic, ...device }) => ({ ...device, ...asObject(basic) }));
export const sliceToV1beta1 = (slice: JsonObject): JsonObject =>
  inSlice(slice, ({ name, ...device }) => ({ name, basic: device }));

const inSlice = (slice: JsonObject, change: (device: JsonObject) => JsonObject): JsonObject =>
  changed(slice, 'spec', (spec) => items(spec, 'devices', change));

const inClaim = (claim: JsonObject, change: (request: JsonObject) => JsonObject): JsonObject =>
  changed(claim, 'spec', (spec) => changed(spec, 'devices', (devices) => items(devices, 'requests', change)));

const changed = (object: JsonObject, field: string, change: (value: JsonObject) => JsonObject): JsonObject => {
  const value = object[field];
  return isJsonObject(value) ? { ...object, [field]: change(value) } : object;
};

const items = (object: JsonObject, field: string, change: (item: JsonObject) => JsonObject): JsonObject =>
  Array.isArray(object[field]) ? { ...object, [field]: asList(object[field]).map(asObject).map(change) } : object;

function nested(request: JsonObject): JsonObject {
  const { deviceClassName, ...rest } = request;
  const exact = Object.fromEntries(
    exactFields.flatMap((name): readonly (readonly [string, JsonValue])[] => {
      const value = rest[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
  const isExact = (deviceClassName ?? '') !== '' || Object.keys(exact).length > 0;
  const { name, firstAvailable } = request;
  return { name, exactly: isExact ? { ...exact, deviceClassName: deviceClassName ?? '' } : undefined, firstAvailable };
}

function flat({ name, exactly, firstAvailable }: JsonObject): JsonObject {
  const { deviceClassName, ...exact } = asObject(exactly);
  return { ...exact, name, deviceClassName: deviceClassName ?? '', firstAvailable };
}
