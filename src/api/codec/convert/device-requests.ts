import { asList, asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';

// v1beta1 has the fields that later versions nest in `exactly` and `basic`. Follows kubernetes
// pkg/apis/resource/v1beta1/conversion.go.

const exactFields = ['selectors', 'allocationMode', 'count', 'adminAccess', 'tolerations', 'capacity'];

export const convertClaimFromV1beta1 = (claim: JsonObject): JsonObject => convertRequests(claim, nestExactFields);
export const convertClaimToV1beta1 = (claim: JsonObject): JsonObject => convertRequests(claim, flattenExactFields);
export const convertTemplateFromV1beta1 = (template: JsonObject): JsonObject =>
  convertField(template, 'spec', (spec) => convertRequests(spec, nestExactFields));
export const convertTemplateToV1beta1 = (template: JsonObject): JsonObject =>
  convertField(template, 'spec', (spec) => convertRequests(spec, flattenExactFields));

export const convertSliceFromV1beta1 = (slice: JsonObject): JsonObject =>
  convertDevices(slice, ({ basic, ...device }) => ({ ...device, ...asObject(basic) }));
export const convertSliceToV1beta1 = (slice: JsonObject): JsonObject =>
  convertDevices(slice, ({ name, ...device }) => ({ name, basic: device }));

const convertDevices = (slice: JsonObject, change: (device: JsonObject) => JsonObject): JsonObject =>
  convertField(slice, 'spec', (spec) => convertItems(spec, 'devices', change));

const convertRequests = (claim: JsonObject, change: (request: JsonObject) => JsonObject): JsonObject =>
  convertField(claim, 'spec', (spec) =>
    convertField(spec, 'devices', (devices) => convertItems(devices, 'requests', change)),
  );

const convertField = (object: JsonObject, field: string, change: (value: JsonObject) => JsonObject): JsonObject => {
  const value = object[field];
  return isJsonObject(value) ? { ...object, [field]: change(value) } : object;
};

const convertItems = (object: JsonObject, field: string, change: (item: JsonObject) => JsonObject): JsonObject =>
  Array.isArray(object[field]) ? { ...object, [field]: asList(object[field]).map(asObject).map(change) } : object;

function nestExactFields(request: JsonObject): JsonObject {
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

function flattenExactFields({ name, exactly, firstAvailable }: JsonObject): JsonObject {
  const { deviceClassName, ...exact } = asObject(exactly);
  return { ...exact, name, deviceClassName: deviceClassName ?? '', firstAvailable };
}
