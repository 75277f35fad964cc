import type { Writer } from 'protobufjs/minimal.js';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { encodeTag } from '../../api/codec/protobuf/protobuf-wire.ts';
import { writeYaml } from './yaml/write-yaml.ts';

/** Encodes a Swagger document for kubectl. Follows gnostic openapiv2/OpenAPIv2.proto. */
export async function encodeSwagger(document: JsonObject): Promise<Uint8Array> {
  const { default: library } = await import('protobufjs/minimal.js');
  const writer = library.Writer.create();
  putDocument(writer, document);
  return writer.finish();
}

type Put = (writer: Writer, value: JsonValue) => void;
type PutNumbered = (number: number) => Put;

const text: PutNumbered = (number) => (writer, value) => {
  writer.uint32(encodeTag(number, 2)).string(asString(value));
};

const flag: PutNumbered = (number) => (writer, value) => {
  if (value === true) writer.uint32(encodeTag(number, 0)).bool(true);
};

const each =
  (put: PutNumbered): PutNumbered =>
  (number) =>
  (writer, value) => {
    for (const item of asList(value)) put(number)(writer, item);
  };

const inMessage =
  (put: Put): PutNumbered =>
  (number) =>
  (writer, value) => {
    writer.uint32(encodeTag(number, 2)).fork();
    put(writer, value);
    writer.ldelim();
  };

/** Any value, as YAML. */
const anything = inMessage((writer, value) => text(2)(writer, writeYaml(value)));

/** A map is a list of messages with name and value. */
const named =
  (put: PutNumbered): PutNumbered =>
  (number) =>
  (writer, value) => {
    for (const [name, item = null] of Object.entries(asObject(value))) putNamed(writer, number, { name, item, put });
  };

interface Named {
  readonly name: string;
  readonly item: JsonValue;
  readonly put: PutNumbered;
}

function putNamed(writer: Writer, number: number, { name, item, put }: Named): void {
  writer.uint32(encodeTag(number, 2)).fork().uint32(encodeTag(1, 2)).string(name);
  put(2)(writer, item);
  writer.ldelim();
}

type Fields = Readonly<Record<string, readonly [number: number, put: PutNumbered]>>;

/** The known fields, then `x-` fields in `extensions`. */
const message =
  (fields: Fields, extensions = 0): Put =>
  (writer, value) => {
    const object = asObject(value);
    for (const [name, [number, put]] of Object.entries(fields)) {
      const field = object[name];
      if (field !== undefined) put(number)(writer, field);
    }
    if (extensions === 0) return;
    for (const [name, item] of Object.entries(object)) {
      if (name.startsWith('x-') && item !== undefined) {
        putNamed(writer, extensions, { name, item, put: anything });
      }
    }
  };

const putSchema: Put = (writer, value) => putSchemaFields(writer, value);
const schema = inMessage(putSchema);

const putSchemaFields = message(
  {
    $ref: [1, text],
    format: [2, text],
    description: [4, text],
    default: [5, anything],
    required: [19, each(text)],
    enum: [20, each(anything)],
    additionalProperties: [21, inMessage(schema(1))],
    type: [22, inMessage(text(1))],
    items: [23, inMessage(schema(1))],
    properties: [25, inMessage(named(schema)(1))],
  },
  31,
);

const putBodyParameter = message({ name: [2, text], in: [3, text], required: [4, flag], schema: [5, schema] });
const putQueryParameter = message({ in: [2, text], name: [4, text], type: [6, text], uniqueItems: [20, flag] });
const putPathParameter = message({
  required: [1, flag],
  in: [2, text],
  name: [4, text],
  type: [5, text],
  uniqueItems: [19, flag],
});

/** A Parameter's field 1 is a body, 2 any other parameter: there 3 is a query, 4 a path. */
const putParameter: Put = (writer, value) => {
  const place = asObject(value)['in'];
  if (place === 'body') return inMessage(putBodyParameter)(1)(writer, value);
  const inPath = place === 'path';
  return inMessage(inMessage(inPath ? putPathParameter : putQueryParameter)(inPath ? 4 : 3))(2)(writer, value);
};

const putReference = message({ $ref: [1, text] });

/** A ParametersItem's field 1 is a Parameter, 2 a reference. */
const parameter = inMessage((writer, value) =>
  asObject(value)['$ref'] === undefined
    ? inMessage(putParameter)(1)(writer, value)
    : inMessage(putReference)(2)(writer, value),
);

const response = inMessage(inMessage(message({ description: [1, text], schema: [2, inMessage(schema(1))] }))(1));

const operation = inMessage(
  message(
    {
      description: [3, text],
      operationId: [5, text],
      produces: [6, each(text)],
      consumes: [7, each(text)],
      parameters: [8, each(parameter)],
      responses: [9, inMessage(named(response)(1))],
    },
    13,
  ),
);

const pathItem = inMessage(
  message({
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    patch: [8, operation],
    parameters: [9, each(parameter)],
  }),
);

const putDocument = message({
  swagger: [1, text],
  info: [2, inMessage(message({ title: [1, text], version: [2, text] }))],
  paths: [8, inMessage(named(pathItem)(2))],
  definitions: [9, inMessage(named(schema)(1))],
  parameters: [10, inMessage(named(inMessage(putParameter))(1))],
});
