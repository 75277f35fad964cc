import { asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { pathText } from '../../trace/field-path.ts';
import type { FieldChange } from '../../trace/object-diff.ts';
import { conflictsOf } from '../conflicts.ts';
import { describeField, describeList, describeValue } from '../describe-field.ts';
import type { Finding } from '../finding.ts';
import { singleChanges, type TraceView } from '../trace-view.ts';
import { droppedAgain } from './conflicting-writes.ts';

/** A sent field is not in the object: pruned, or lost in a conversion. */
export const dropped = (view: TraceView): readonly Finding[] => [
  ...droppedOfClient(view),
  ...droppedAgain(view),
  ...lostInConversion(view),
];

/** Lost on the way to the storage version and back. */
function lostInConversion(view: TraceView): readonly Finding[] {
  const [conversion] = view.trace.conversions ?? [];
  const last = view.writes.at(-1);
  if (conversion === undefined || last === undefined || last.by !== undefined) return [];
  const ofOthers = new Set(conflictsOf(view).map(({ later }) => later.change));
  const lost = last.changes.filter((change) => isLost(change) && !ofOthers.has(change));
  const { definition, from, to } = conversion;
  return droppedFinding(lost, {
    fate: `lost when the object was converted from ${from} to ${to} and back`,
    describe: ({ path, before }) => `${pathText(path)} was ${describeValue(before)}`,
    remedy: `preserve every field in the converter of ${definition}, for instance in an annotation, and in the schema of ${to}`,
  });
}

interface Drop {
  /** Follows `was` or `were`. */
  readonly fate: string;
  readonly describe: (change: FieldChange) => string;
  readonly remedy: string;
}

const droppedFinding = (lost: readonly FieldChange[], { fate, describe, remedy }: Drop): readonly Finding[] =>
  lost.length === 0
    ? []
    : [
        {
          rule: 'dropped',
          severity: 'warning',
          title: `${describeList(lost.map(({ path }) => describeField(path)))} ${lost.length === 1 ? 'was' : 'were'} ${fate}`,
          where: { actors: [], fields: lost.map(({ path }) => pathText(path)) },
          evidence: lost.map((change) => ({ text: describe(change) })),
          remedy,
        },
      ];

function droppedOfClient({ trace: { request, objectReceived: received } }: TraceView): readonly Finding[] {
  const { body, verb, subresource } = request;
  if (!isJsonObject(body) || !received || subresource !== '' || !['create', 'update'].includes(verb)) return [];
  // Fields of another version may have other names.
  if (body['apiVersion'] !== received['apiVersion']) return [];
  const lost = singleChanges(body, received).filter(isLost);
  return droppedFinding(lost, {
    fate: `sent, and the API server dropped ${lost.length === 1 ? 'it' : 'them'}`,
    describe: ({ path }) => `${pathText(path)} is not in the object that admission received`,
    remedy: `the schema of ${asString(body['apiVersion'])} ${asString(body['kind'])} does not have the field: correct the name, or add it to the CustomResourceDefinition; --validate=strict refuses such requests`,
  });
}

/** Fields that the server fills in or rewrites, and empty values, do not count. */
function isLost({ path, before, after }: FieldChange): boolean {
  const [top] = path;
  if (after !== undefined || isEmpty(before)) return false;
  return top !== 'metadata' && top !== 'status' && top !== 'stringData' && top !== 'apiVersion' && top !== 'kind';
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(isEmpty);
}
