import { readFileSync } from 'node:fs';
import { asObject, asString, type JsonObject } from '../../src/machinery/json/json.ts';
import type { ServerRequest } from './server-client.ts';
import { mutateObject } from './mutate.ts';
import { type Definitions, typeOfKind } from './object-fields.ts';
import type { Chance } from './values.ts';

/** A valid object of a built-in kind. */
export interface Sample {
  readonly resource: string;
  readonly namespaced: boolean;
  readonly object: JsonObject;
}

/** One object of every kind that can be created and has fields to change. */
export function readSamples(): readonly Sample[] {
  const samples: readonly Sample[] = JSON.parse(readFileSync(new URL('objects.json', import.meta.url), 'utf8'));
  return samples;
}

export function collectionOf({ resource, namespaced, object }: Sample): string {
  const apiVersion = asString(object['apiVersion']);
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}${namespaced ? '/namespaces/differ' : ''}/${resource}`;
}

export const nameOf = ({ object }: Sample): string => asString(asObject(object['metadata'])['name']);

const ways = ['create', 'create', 'update', 'merge', 'strategic', 'apply'] as const;
const patchTypes = { merge: 'merge-patch+json', strategic: 'strategic-merge-patch+json', apply: 'apply-patch+yaml' };
const validations = ['', '', '&fieldValidation=Strict', '&fieldValidation=Ignore'];

/** A dry run that writes a changed sample; `live` is the stored object of both servers. */
export function writeOf(sample: Sample, live: JsonObject, definitions: Definitions, chance: Chance): ServerRequest {
  const way = chance.pick(ways) ?? 'create';
  const query = `?dryRun=All${chance.pick(validations) ?? ''}`;
  const path = collectionOf(sample);
  const from = way === 'update' ? live : sample.object;
  const kind = typeOfKind(definitions, asString(from['apiVersion']), asString(from['kind']));
  const object = mutateObject(definitions, from, kind, chance);
  const body = JSON.stringify(way === 'create' ? renameSample(object) : object);
  const json = { 'content-type': 'application/json' };
  if (way === 'create') return { method: 'POST', path: path + query, headers: json, body };
  const one = `${path}/${nameOf(sample)}${query}`;
  if (way === 'update') return { method: 'PUT', path: one, headers: json, body };
  const force = chance.happens(0.5) ? '&force=true' : '';
  const manager = way === 'apply' ? `&fieldManager=differ${force}` : '';
  return { method: 'PATCH', path: one + manager, headers: { 'content-type': `application/${patchTypes[way]}` }, body };
}

/** The sample itself exists already. */
function renameSample(object: JsonObject): JsonObject {
  const metadata = asObject(object['metadata']);
  return metadata['name'] === 'n1' ? { ...object, metadata: { ...metadata, name: 'n2' } } : object;
}
