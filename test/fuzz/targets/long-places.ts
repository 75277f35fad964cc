import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import type { Draw } from '../../harness/draw.ts';
import { collectionOf, nameOf } from '../../differ/cases.ts';
import { type Case, request, type RequestAct, type Target } from '../case.ts';
import { inSomeForm } from '../long-forms.ts';
import { customPlaces, definitions, wideDefinition } from '../long-custom-objects.ts';
import { type Endpoint, endpoints, placesOfEndpoint } from '../long-endpoints.ts';
import { longMaker } from '../long-values.ts';
import { allPlaces, type Place, placed, shuffled } from '../places.ts';

/** The endpoint of a long object: its own collection, or a special one. */
type Reach = { readonly place: Place; readonly endpoint?: Endpoint };

const reaches: readonly Reach[] = shuffled<Reach>([
  ...[...allPlaces(), ...customPlaces()].map((place) => ({ place })),
  ...endpoints.flatMap((endpoint) => placesOfEndpoint(endpoint).map((place) => ({ place, endpoint }))),
]);

/** Every list, map and text of every kind as long as a body allows, in sequence: a run of ten minutes covers all. */
export const longPlaces: Target = {
  name: 'places',
  before: () => [request('POST', definitions, wideDefinition)],
  draw: (draw, _ground, turn) => {
    const reach = reaches[turn % reaches.length];
    if (reach === undefined) throw new Error('there are no places');
    const { place, endpoint } = reach;
    const { sample, path } = place;
    const items = path.includes(0) ? draw.one([1, 1, 2]) : 1;
    const make = longMaker(draw, place, items);
    const object = placed(sample.object, path, make, items);
    if (endpoint !== undefined) return [...endpoint.needs, sentTo(draw, endpoint, object), ...endpoint.leaves];
    return draw.one([created, created, created, replaced, merged, operated, applied])({
      place,
      collection: collectionOf(sample).replace('/namespaces/differ', '/namespaces/default'),
      sample: sample.object,
      object,
      change: placed(valueAt(sample.object, path.slice(0, 1)), path.slice(1), make, items),
      draw,
    });
  },
};

interface Written {
  readonly place: Place;
  readonly collection: string;
  readonly sample: JsonObject;
  readonly object: JsonValue;
  /** The field of the object that contains the path. */
  readonly change: JsonValue;
  readonly draw: Draw;
}

function created({ place, collection, object, draw, ...rest }: Written): Case {
  if (place.path[0] === 'status') return replaced({ place, collection, object, draw, ...rest });
  return [inSomeForm(draw, 'POST', `${collection}?dryRun=All`, object)];
}

function replaced({ place, collection, sample, object, draw }: Written): Case {
  const item = `${collection}/${nameOf(place.sample)}`;
  const path = place.path[0] === 'status' ? `${item}/status` : item;
  return around(item, [
    request('POST', collection, sample),
    inSomeForm(draw, 'PUT', path, object),
    request('PUT', path, sample),
  ]);
}

function merged({ place, collection, sample, change, draw }: Written): Case {
  const item = `${collection}/${nameOf(place.sample)}`;
  const [field = ''] = place.path;
  const path = field === 'status' ? `${item}/status` : item;
  const type = draw.one(['merge', 'strategic-merge']);
  const patch = request('PATCH', path, { [field]: change }, `application/${type}-patch+json`);
  return around(item, [request('POST', collection, sample), patch, patch]);
}

function operated({ place, collection, sample, change }: Written): Case {
  const item = `${collection}/${nameOf(place.sample)}`;
  const [field = ''] = place.path;
  const path = field === 'status' ? `${item}/status` : item;
  const operation = { op: 'add', path: `/${field}`, value: change };
  const patch = request('PATCH', path, [operation], 'application/json-patch+json');
  return around(item, [request('POST', collection, sample), patch]);
}

function applied({ place, collection, object, draw }: Written): Case {
  const item = `${collection}/${nameOf(place.sample)}`;
  const path = place.path[0] === 'status' ? `${item}/status` : item;
  const query = `?fieldManager=m&force=true${draw.chance(0.3) ? '&dryRun=All' : ''}`;
  const apply = request('PATCH', path + query, object, 'application/apply-patch+yaml');
  return around(item, [
    request('PATCH', `${item}?fieldManager=m`, place.sample.object, 'application/apply-patch+yaml'),
    apply,
    apply,
  ]);
}

const sentTo = (draw: Draw, { method, path, type }: Endpoint, object: JsonValue): RequestAct =>
  type === undefined ? inSomeForm(draw, method, path, object) : request(method, path, object, type);

/** Deletes the object after its case. */
const around = (item: string, acts: Case): Case => [
  ...acts,
  request('PATCH', item, { metadata: { finalizers: null } }, 'application/merge-patch+json'),
  request('DELETE', item, { gracePeriodSeconds: 0 }),
];

const valueAt = (object: JsonObject, [field]: Place['path']): JsonValue | undefined => object[field ?? ''];
