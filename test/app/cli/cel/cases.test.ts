import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../../src/machinery/json/json.ts';
import { plainValue, readJson } from '../../../../src/machinery/json/json-reader.ts';
import { evaluateCases } from '../../../../src/app/cli/cel/cases.ts';

// Source: test/facts/vectors/cel-cases.json, whose expectations were produced by running kube-apiserver's own CEL code.
const reading = readJson(readFileSync('test/facts/vectors/cel-cases.json', 'utf8'));
const document = reading.outcome === 'read' ? plainValue(reading.json.value) : null;
const answers = evaluateCases(document);

const rows = asList(asObject(document)['cases'])
  .map(asObject)
  .map((row, index): [string, JsonObject, (typeof answers)[number] | undefined] => [
    asString(row['name']),
    row,
    answers[index],
  ]);

test.each(rows)('%s', (_name, row, answered) => {
  const { value, error, compileError } = asObject(row['expect']);
  const { type, cost } = row;
  const wanted = { value, error: error ?? compileError, type, cost, name: row['name'] };
  const given = Object.fromEntries(Object.entries(wanted).filter(([, field]) => field !== undefined));
  expect(withLargeIntegersAsText(answered ?? {})).toMatchObject(asObject(withLargeIntegersAsText(given)));
});

/** As the file of cases has them. */
const withLargeIntegersAsText = (value: JsonValue): JsonValue => {
  const text = JSON.stringify(value, (_field, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
  const parsed: JsonValue = JSON.parse(text);
  return parsed;
};
