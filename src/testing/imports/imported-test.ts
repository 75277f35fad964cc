import { selectsField } from '../../cel/index.ts';
import { asList, asString, isJsonObject, isList, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { serverRefusal } from './server-refusal.ts';
import { expressionsOf, isPolicy } from './policies.ts';

/** Policies from a test of another tool, and the requests to evaluate them with. */
export interface ImportedTest {
  readonly name: string;
  readonly from: string;
  /** Stored in each of its worlds: policies, bindings, definitions, configurations. */
  readonly load: readonly JsonObject[];
  readonly cases: readonly ImportedCase[];
  /** What could not be carried over, or only with a change, and why. */
  readonly notes: readonly string[];
}

/** Cases share a world unless they store different objects under one name. */
export interface ImportedCase {
  /** Stored before the first step: namespaces, parameters, what is updated or deleted. */
  readonly before: readonly JsonObject[];
  /** Steps of a scenario.yaml, with their objects inline. */
  readonly steps: readonly JsonObject[];
  /** The objects as the other tool evaluates them without a server. */
  readonly evaluated?: readonly JsonObject[];
}

/** Leaves out failed cases whose policies read a field that the other tool sees and a server never stores. */
export function withoutOmittedFields(test: ImportedTest, failed: ReadonlySet<ImportedCase>): ImportedTest {
  const notes: string[] = [];
  const cases = test.cases.filter((one) => {
    const fields = failed.has(one) ? omittedFieldsRead(one, test.load) : [];
    if (fields.length > 0)
      notes.push(
        `${asString(one.steps[0]?.['name'])}: an API server does not store ${fields.join(', ')}, so its policies see another object than the test: left out`,
      );
    return fields.length === 0;
  });
  return notes.length === 0 ? test : { ...test, cases, notes: [...test.notes, ...new Set(notes)] };
}

function omittedFieldsRead({ evaluated = [], before }: ImportedCase, load: readonly JsonObject[]): readonly string[] {
  const expressions = [...load, ...before].filter(isPolicy).flatMap(expressionsOf);
  const { seenByPolicies } = serverRefusal(load);
  const omitted = evaluated.flatMap((object) => omittedFields(object, seenByPolicies(object), ''));
  return [...new Set(omitted)].filter((field) => {
    const name = field.slice(field.lastIndexOf('.') + 1, field.indexOf(':'));
    return expressions.some((text) => selectsField(text, name));
  });
}

/** `spec.hostNetwork: false`: empty values that `omitempty` drops. */
function omittedFields(sent: JsonValue, seen: JsonValue | undefined, path: string): readonly string[] {
  if (isList(sent)) return sent.flatMap((item, at) => omittedFields(item, asList(seen)[at], `${path}[${at}]`));
  if (!isJsonObject(sent) || !isJsonObject(seen)) return [];
  return Object.entries(sent).flatMap(([name, value = null]) => {
    const field = path === '' ? name : `${path}.${name}`;
    if (seen[name] !== undefined) return omittedFields(value, seen[name], field);
    return isEmpty(value) ? [`${field}: ${JSON.stringify(value)}`] : [];
  });
}

const isEmpty = (value: JsonValue): boolean =>
  value === null ||
  value === false ||
  value === 0 ||
  value === '' ||
  (isList(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0);
