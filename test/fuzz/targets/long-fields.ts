import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import type { RandomChoices } from '../../harness/random-choices.ts';
import { collectionOf, nameOf } from '../../differ/samples.ts';
import { type Case, request, type RequestAct, type Target } from '../case.ts';
import { encodeWrite } from '../encode-write.ts';
import { findCustomFields, definitions, wideDefinition } from '../long-custom-objects.ts';
import { type Endpoint, endpoints, findFieldsOfEndpoint } from '../long-endpoints.ts';
import { createLongValue } from '../long-values.ts';
import { findAllFields, type LongField, setAtPath, shuffle } from '../long-fields.ts';

/** The endpoint of a long object: its own collection, or a special one. */
type Reach = { readonly place: LongField; readonly endpoint?: Endpoint };

const reaches: readonly Reach[] = shuffle<Reach>([
  ...[...findAllFields(), ...findCustomFields()].map((place) => ({ place })),
  ...endpoints.flatMap((endpoint) => findFieldsOfEndpoint(endpoint).map((place) => ({ place, endpoint }))),
]);

/** Every list, map and text of every kind as long as a body allows, in sequence: a run of ten minutes covers all. */
export const longPlaces: Target = {
  name: 'places',
  before: () => [request('POST', definitions, wideDefinition)],
  generate: (random, _ground, turn) => {
    const reach = reaches[turn % reaches.length];
    if (reach === undefined) throw new Error('there are no places');
    const { place, endpoint } = reach;
    const { sample, path } = place;
    const items = path.includes(0) ? random.pick([1, 1, 2]) : 1;
    const make = createLongValue(random, place, items);
    const object = setAtPath(sample.object, path, make, items);
    if (endpoint !== undefined)
      return [...endpoint.needs, sendToEndpoint(random, endpoint, object), ...endpoint.leaves];
    return random.pick([createObject, createObject, createObject, replaceObject, mergePatch, jsonPatch, applyObject])({
      place,
      collection: collectionOf(sample).replace('/namespaces/differ', '/namespaces/default'),
      sample: sample.object,
      object,
      change: setAtPath(valueAt(sample.object, path.slice(0, 1)), path.slice(1), make, items),
      random,
    });
  },
};

interface Written {
  readonly place: LongField;
  readonly collection: string;
  readonly sample: JsonObject;
  readonly object: JsonValue;
  /** The field of the object that contains the path. */
  readonly change: JsonValue;
  readonly random: RandomChoices;
}

function createObject({ place, collection, object, random, ...rest }: Written): Case {
  if (place.path[0] === 'status') return replaceObject({ place, collection, object, random, ...rest });
  return [encodeWrite(random, 'POST', `${collection}?dryRun=All`, object)];
}

function replaceObject({ place, collection, sample, object, random }: Written): Case {
  const item = `${collection}/${nameOf(place.sample)}`;
  const path = place.path[0] === 'status' ? `${item}/status` : item;
  return deleteAfter(item, [
    request('POST', collection, sample),
    encodeWrite(random, 'PUT', path, object),
    request('PUT', path, sample),
  ]);
}

function mergePatch({ place, collection, sample, change, random }: Written): Case {
  const item = `${collection}/${nameOf(place.sample)}`;
  const [field = ''] = place.path;
  const path = field === 'status' ? `${item}/status` : item;
  const type = random.pick(['merge', 'strategic-merge']);
  const patch = request('PATCH', path, { [field]: change }, `application/${type}-patch+json`);
  return deleteAfter(item, [request('POST', collection, sample), patch, patch]);
}

function jsonPatch({ place, collection, sample, change }: Written): Case {
  const item = `${collection}/${nameOf(place.sample)}`;
  const [field = ''] = place.path;
  const path = field === 'status' ? `${item}/status` : item;
  const operation = { op: 'add', path: `/${field}`, value: change };
  const patch = request('PATCH', path, [operation], 'application/json-patch+json');
  return deleteAfter(item, [request('POST', collection, sample), patch]);
}

function applyObject({ place, collection, object, random }: Written): Case {
  const item = `${collection}/${nameOf(place.sample)}`;
  const path = place.path[0] === 'status' ? `${item}/status` : item;
  const query = `?fieldManager=m&force=true${random.chance(0.3) ? '&dryRun=All' : ''}`;
  const apply = request('PATCH', path + query, object, 'application/apply-patch+yaml');
  return deleteAfter(item, [
    request('PATCH', `${item}?fieldManager=m`, place.sample.object, 'application/apply-patch+yaml'),
    apply,
    apply,
  ]);
}

const sendToEndpoint = (random: RandomChoices, { method, path, type }: Endpoint, object: JsonValue): RequestAct =>
  type === undefined ? encodeWrite(random, method, path, object) : request(method, path, object, type);

/** Deletes the object after its case. */
const deleteAfter = (item: string, acts: Case): Case => [
  ...acts,
  request('PATCH', item, { metadata: { finalizers: null } }, 'application/merge-patch+json'),
  request('DELETE', item, { gracePeriodSeconds: 0 }),
];

const valueAt = (object: JsonObject, [field]: LongField['path']): JsonValue | undefined => object[field ?? ''];
