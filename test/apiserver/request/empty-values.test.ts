import { expect, test } from 'vitest';
import { asObject, asString, isJsonObject, isList, type JsonValue } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import samples from '../../differ/objects.json' with { type: 'json' };
import { emptyOf, type EmptyField, findEmptyFields, getAtPath, setAtPath } from '../../harness/empty-fields.ts';
import { createSeededRandom } from '../../../src/testing/stubs/seeded-random.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';
import { register } from '../../harness/configurations.ts';

interface Sample {
  readonly resource: string;
  readonly namespaced: boolean;
  readonly object: KubernetesObject;
}

const all: readonly Sample[] = JSON.parse(JSON.stringify(samples));
const rows = all.map((sample) => [`${sample.object.apiVersion} ${sample.object.kind}`, sample] as const);

/** How many places of a kind are tried; EMPTY_PLACES=all tries every one, EMPTY_SEED=N others. */
const tried = process.env['EMPTY_PLACES'] === 'all' ? Infinity : 8;
const seed = Number(process.env['EMPTY_SEED'] ?? 11);

function somePlaces(object: KubernetesObject): readonly EmptyField[] {
  const random = createSeededRandom(seed);
  const places = findEmptyFields(object).filter(
    ({ path }) => !['metadata.name', 'metadata.namespace'].includes(path.join('.')),
  );
  return places
    .map((place) => ({ place, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, tried)
    .map(({ place }) => place);
}

/**
 * Places at which upstream's code asks for nil, not for a length, with its file: what it answers to something empty there.
 * Everywhere else a list, map or byte slice without entries is as none.
 */
const asksForNil: Readonly<Record<string, string>> = {
  // kubernetes pkg/apis/autoscaling/v2/defaults.go and pkg/apis/autoscaling/validation/validation.go
  'HorizontalPodAutoscaler spec.behavior.scaleDown.policies': 'must specify at least one Policy',
  'HorizontalPodAutoscaler spec.behavior.scaleUp.policies': 'must specify at least one Policy',
  // kubernetes plugin/pkg/admission/runtimeclass/admission.go
  'Pod spec.overhead': 'Pod Overhead set without corresponding RuntimeClass defined Overhead',
  // kubernetes pkg/apis/resource/validation/validation.go
  'ResourceSlice spec.sharedCounters': 'only one of `sharedCounters` or `devices` is allowed',
};

/** Fields of features that are off: ContainerStopSignals, CoordinatedLeaderElection and DRAPartitionableDevicesType. */
const gated = new Set([
  'Pod spec.containers.lifecycle.stopSignal',
  'Lease spec.strategy',
  'Lease spec.preferredHolder',
  'ResourceSlice spec.partitionTypeAttribute',
]);

/** kubernetes pkg/apis/core/v1/defaults.go SetDefaults_NodeStatus: capacity is copied where allocatable is nil. */
const defaultedFromNil = new Set(['Node status.allocatable']);

/** kubernetes pkg/registry/{networking/networkpolicy,admissionregistration/*webhookconfiguration}/strategy.go: reflect.DeepEqual. */
const countsEmpty = new Set(['NetworkPolicy', 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']);

function pathOf({ resource, namespaced, object }: Sample): string {
  const [group, version] = `/${object.apiVersion}`.split('/').slice(-2);
  const prefix = group === '' ? '/api' : `/apis/${group}`;
  return `${prefix}/${version}${namespaced ? '/namespaces/default' : ''}/${resource}`;
}

async function worldWithWebhook(): Promise<TestWorld> {
  const world = await createTestWorld();
  await world.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const rules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }];
  await register(world, 'mutating', { name: 'all.example.com', rules });
  return world;
}

/** An answer without what differs from request to request, and without the values in its texts. */
const meaningOf = ({ code, body }: { readonly code: number; readonly body: JsonValue }): string =>
  JSON.stringify({ code, body }, (key, value: unknown) => {
    if (['managedFields', 'uid'].includes(key) || key.endsWith('controller-uid')) return undefined;
    if (typeof value === 'string' && code >= 400) return value.replaceAll(emptyInText, 'EMPTY');
    return isJsonObject(value) ? Object.fromEntries(Object.entries(value).toSorted(byName)) : value;
  });

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** `null`, `[]`, `{}`, `{"matchLabels":{}}` and `""` where a text has a value. */
const emptyInText = /(?<=: ?)(?:null|\[\]|""|\{(?:"\w+":(?:\[\]|\{\}))?\})/g;

/** The names of the fields on the way, without indices. */
const nameOf = ({ kind }: KubernetesObject, { path }: EmptyField): string =>
  `${kind} ${path.filter((step) => typeof step === 'string').join('.')}`;

// Source: Go's types, as the release tables have them (pointer, omitempty, slice, map), and encoding/json.
test.each(rows)('something empty in a %s', async (_kind, sample) => {
  const { object } = sample;
  const world = await worldWithWebhook();
  const create = (body: JsonValue) => world.send('POST', `${pathOf(sample)}?dryRun=All`, body);
  const wrong: string[] = [];
  for (const place of somePlaces(object)) {
    const name = nameOf(object, place);
    if (gated.has(name)) continue;
    const without = await create(setAtPath(object, place.path, undefined));
    const calls = world.calls.length;
    const answer = await create(setAtPath(object, place.path, emptyOf[place.kind]));
    const seen = world.calls.slice(calls).map(({ request }) => request.object);
    const found = [...problems(name, place, { without, answer }), ...seen.flatMap((review) => shown(place, review))];
    wrong.push(...found.map((problem) => `${name} (${place.kind}): ${problem}`));
  }
  expect(wrong).toEqual([]);
  expect(world.bugs).toEqual([]);
});

interface Answer {
  readonly code: number;
  readonly body: JsonValue;
  readonly message: string;
}

interface Answers {
  readonly without: Answer;
  readonly answer: Answer;
}

function problems(name: string, place: EmptyField, { without, answer }: Answers): readonly string[] {
  if (place.kind === '*string') return pointerProblems(place, { without, answer });
  const nil = asksForNil[name];
  if (nil !== undefined && without.code < 400) return answer.message.includes(nil) ? [] : [`no "${nil}"`];
  const visible = answer.code < 400 ? shown(place, answer.body) : [];
  if (defaultedFromNil.has(name)) return visible;
  return [...visible, ...(meaningOf(without) === meaningOf(answer) ? [] : [`became ${meaningOf(answer)}`])];
}

/** Behind a pointer "" is a value: it is stored and printed, or refused. */
function pointerProblems({ path }: EmptyField, { without, answer }: Answers): readonly string[] {
  const there = getAtPath(answer.body, path);
  if (answer.code < 400) return there === '' ? [] : [`"" became ${JSON.stringify(there)}`];
  return answer.message === without.message && without.code < 400 ? ['is refused without it too'] : [];
}

/** Lists and maps that omitempty leaves out. */
function shown({ path, omitEmpty, kind }: EmptyField, object: JsonValue): readonly string[] {
  const there = getAtPath(object, path);
  const isEmpty = isList(there) ? there.length === 0 : isJsonObject(there) && Object.keys(there).length === 0;
  return omitEmpty && kind !== '*string' && isEmpty ? ['is shown'] : [];
}

// Source: upstream's strategies, named at `countsEmpty`; apiequality.Semantic.DeepEqual takes nil and empty for equal.
test.each(rows)('an update of a %s that only adds something empty', async (_kind, sample) => {
  const { object } = sample;
  const places = somePlaces(object).filter(
    (place) => !place.kind.endsWith('string') && asksForNil[nameOf(object, place)] === undefined,
  );
  const wrong: string[] = [];
  for (const place of places.slice(0, tried / 2)) {
    const world = await worldWithWebhook();
    const created = await world.send('POST', pathOf(sample), setAtPath(object, place.path, undefined));
    if (created.code >= 400) continue;
    const { name, resourceVersion = '', generation } = asObject(asObject(created.body['metadata']));
    const put = (value: JsonValue | undefined) => {
      const sent = setAtPath(setAtPath(object, place.path, value), ['metadata', 'resourceVersion'], resourceVersion);
      return world.send('PUT', `${pathOf(sample)}/${asString(name)}?dryRun=All`, sent);
    };
    const [without, answer] = [await put(undefined), await put(emptyOf[place.kind])];
    const isCounted = countsEmpty.has(object.kind) && !isFilled(object, place) && answer.code < 400;
    const expected = isCounted ? withGeneration(without, Number(generation) + 1) : without;
    if (meaningOf(expected) !== meaningOf(answer)) wrong.push(`${nameOf(object, place)} became ${meaningOf(answer)}`);
  }
  expect(wrong).toEqual([]);
});

/** kubernetes pkg/apis/networking/v1/defaults.go SetDefaults_NetworkPolicy fills in policyTypes by their length. */
const isFilled = (object: KubernetesObject, place: EmptyField): boolean =>
  place.path[0] === 'metadata' || nameOf(object, place) === 'NetworkPolicy spec.policyTypes';

const withGeneration = ({ code, body }: Answer, generation: number): Pick<Answer, 'code' | 'body'> => ({
  code,
  body: setAtPath(body, ['metadata', 'generation'], generation),
});
