import { expect, test } from 'vitest';
import { readJson } from '../../../src/machinery/json/json-reader.ts';
import { readConvertedObject } from '../../../src/apiserver/custom-resources/convert-by-webhook.ts';

const read = (text: string): unknown => {
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') throw new Error(reading.error);
  return readConvertedObject(reading.json.value);
};

const into = 'into Go value of type map[string]interface {}';

// Source: the answers of a kube-apiserver v1.36.2 to a converter that sends this.
test.each<readonly [sent: string, error: string]>([
  ['null', 'unexpected end of JSON input'],
  ['"x"', `json: cannot unmarshal string ${into}`],
  ['3', `json: cannot unmarshal number ${into}`],
  ['[1]', `json: cannot unmarshal array ${into}`],
  ['{}', "Object 'Kind' is missing in '{}'"],
  ['{"apiVersion":"a/v1","metadata":{}}', `Object 'Kind' is missing in '{"apiVersion":"a/v1","metadata":{}}'`],
  ['{"kind":"A","n":1e400}', 'json: cannot unmarshal number 1e400 into Go value of type float64'],
])('the converted object %s cannot be read: %s', (sent, error) => {
  expect(read(sent)).toEqual({ outcome: 'unreadable', error });
});

test('an object with a kind is read, whatever its apiVersion', () => {
  expect(read('{"kind":"A","n":1.0}')).toEqual({ outcome: 'read', object: { kind: 'A', n: 1 } });
});
