import type { JsonObject, JsonValue } from '../../../src/apimachinery/json.ts';
import type { Drawer } from '../../harness/drawer.ts';
import { collectionOf, nameOf } from '../../differ/cases.ts';
import { numbered } from '../amplify.ts';
import type { Case, RequestAct, Target } from '../case.ts';
import { request } from '../case.ts';
import { jsonText } from '../json-text.ts';
import { inSomeForm } from '../long-forms.ts';
import { customPlaces, definitions, wideDefinition } from '../long-custom-objects.ts';
import { endpoints, placesOfEndpoint } from '../long-endpoints.ts';
import type { Endpoint } from '../long-endpoints.ts';
import { allPlaces, placed, shortItem, shuffled } from '../places.ts';
import type { Place } from '../places.ts';

/** Where something long is sent: to its own collection, or to where only some requests go. */
type Reach = { readonly place: Place; readonly endpoint?: Endpoint };

const reaches: readonly Reach[] = shuffled<Reach>([
  ...[...allPlaces(), ...customPlaces()].map((place) => ({ place })),
  ...endpoints.flatMap((endpoint) => placesOfEndpoint(endpoint).map((place) => ({ place, endpoint }))),
]);

/** Every list, map and text of every kind made as long as a body can be, one after the other: a run of ten minutes comes to each. */
export const longPlaces: Target = {
  name: 'places',
  before: () => [request('POST', definitions, wideDefinition)],
  draw: (draw, _ground, turn) => {
    const reach = reaches[turn % reaches.length];
    if (reach === undefined) throw new Error('there are no places');
    const { place, endpoint } = reach;
    const { sample, path } = place;
    const items = path.includes(0) ? draw.one([1, 1, 2]) : 1;
    const make = maker(draw, place, items);
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
  /** The field of the object in which the place is. */
  readonly change: JsonValue;
  readonly draw: Drawer;
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

const sentTo = (draw: Drawer, { method, path, type }: Endpoint, object: JsonValue): RequestAct =>
  type === undefined ? inSomeForm(draw, method, path, object) : request(method, path, object, type);

/** The object does not outlive its case. */
const around = (item: string, acts: Case): Case => [
  ...acts,
  request('PATCH', item, { metadata: { finalizers: null } }, 'application/merge-patch+json'),
  request('DELETE', item, { gracePeriodSeconds: 0 }),
];

function maker(draw: Drawer, { is, of }: Place, items: number): (was: JsonValue | undefined) => JsonValue {
  const characters = draw.one([200_000, 1_000_000, 1_000_000, 2_700_000]) / items;
  const text = draw.one(['a', 'a', 'a', '"', '\u0001', 'ü', '9', 'a.', '0.0.0.', '/', ' ', '%', '{{', '\\']);
  if (is === 'text') return () => text.repeat(characters / text.length / 2);
  const isSame = draw.chance(0.25);
  const isOdd = draw.chance(0.2);
  return (was) => {
    const first = firstOf(was);
    const item = isOdd ? text : (first ?? shortItem(of));
    const count = Math.max(
      2,
      Math.floor(Math.min(characters / (jsonText(item).length + 10), 95_000 / items / valuesIn(item))),
    );
    if (is === 'list') return Array.from({ length: count }, (_none, at) => (isSame ? item : numbered(item, at)));
    return Object.fromEntries(Array.from({ length: count }, (_none, at) => [`${isOdd ? text : 'k'}${at}`, item]));
  };
}

/** Of a list or a map. */
function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'object' && value !== null ? Object.values(value)[0] : undefined;
}

/** More of them are refused at the door. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + valuesIn(one), 1);
}

const valueAt = (object: JsonObject, [field]: Place['path']): JsonValue | undefined => object[field ?? ''];
