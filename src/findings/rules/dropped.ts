import { asString, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import { pathText } from '../../trace/field-path.ts';
import type { Change } from '../../trace/object-changes.ts';
import { fieldWords, listWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import type { Reading } from '../reading.ts';
import { singleChanges } from '../single-changes.ts';
import { droppedAgain } from './overrode.ts';

/** What was sent and is not in the object: pruned, since the schema does not have it, or lost when it was converted. */
export const dropped = (reading: Reading): readonly Finding[] => [
  ...droppedOfClient(reading),
  ...droppedAgain(reading),
];

function droppedOfClient({ trace: { request, objectReceived: received } }: Reading): readonly Finding[] {
  const { body, verb, subresource } = request;
  if (!isJsonObject(body) || !received || subresource !== '' || !['create', 'update'].includes(verb)) return [];
  // In another version fields have other names.
  if (body['apiVersion'] !== received['apiVersion']) return [];
  const lost = singleChanges(body, received).filter(isLost);
  if (lost.length === 0) return [];
  return [
    {
      rule: 'dropped',
      severity: 'warning',
      title: `${listWords(lost.map(({ path }) => fieldWords(path)))} ${lost.length === 1 ? 'was' : 'were'} sent, and the API server dropped ${lost.length === 1 ? 'it' : 'them'}`,
      where: { actors: [], fields: lost.map(({ path }) => pathText(path)) },
      evidence: lost.map(({ path }) => ({ text: `${pathText(path)} is not in the object that admission got` })),
      remedy: `the schema of ${asString(body['apiVersion'])} ${asString(body['kind'])} does not have it: correct the name, or add it to the CustomResourceDefinition; --validate=strict refuses instead`,
    },
  ];
}

/** What the server fills in or rewrites, and empty values, are no loss. */
function isLost({ path, before, after }: Change): boolean {
  const [top] = path;
  if (after !== undefined || isEmpty(before)) return false;
  return top !== 'metadata' && top !== 'status' && top !== 'stringData' && top !== 'apiVersion' && top !== 'kind';
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(isEmpty);
}
