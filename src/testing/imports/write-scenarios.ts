import { relative } from 'node:path';
import { trim } from '../../machinery/go/strings.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { asObject, isJsonObject, type JsonObject, valueAt } from '../../machinery/json/json.ts';
import { createScenarioFiles, scenarioYaml } from '../scenario/record/scenario-files.ts';
import type { ImportedCase, ImportedTest } from './imported-test.ts';
import { objectKey, kindOf, nameOf } from './objects.ts';

export interface WrittenScenario {
  /** For the folder. */
  readonly name: string;
  /** Their steps, in this order, are those of the scenario. */
  readonly cases: readonly ImportedCase[];
  readonly files: ReadonlyMap<string, string>;
}

/** Several scenarios when cases store different objects under one name. */
export function writeScenarios(test: ImportedTest): readonly WrittenScenario[] {
  const packed = packCases(test.cases);
  return packed.map(({ before, cases }, at) => {
    const name = packed.length === 1 ? test.name : `${test.name} ${at + 1}`;
    const folder = trim(name.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-'), '.-') || 'imported';
    const files = createScenarioFiles();
    const all = [...before, ...test.load];
    const namespaces = all.filter(isPlainNamespace);
    const stored = all.filter((one) => !isPlainNamespace(one));
    const policies = stored.filter((one) => one['apiVersion'] === 'admissionregistration.k8s.io/v1');
    const others = stored.filter((one) => !policies.includes(one));
    const load = [
      ...(others.length > 0 ? [files.add('objects', others)] : []),
      ...(policies.length > 0 ? [files.add('policies', policies)] : []),
    ];
    const scenario = {
      name,
      description: `Imported from ${relative('', test.from) || '.'}`,
      ...(namespaces.length > 0
        ? {
            namespaces: Object.fromEntries(
              namespaces.map((one) => [nameOf(one), asObject(valueAt(one, 'metadata', 'labels'))]),
            ),
          }
        : {}),
      ...(load.length > 0 ? { load } : {}),
      steps: cases.flatMap(({ steps }) => steps),
    };
    return {
      name: folder,
      cases,
      files: new Map([['scenario.yaml', scenarioYaml(scenario)], ...files.all()]),
    };
  });
}

const isPlainNamespace = (object: JsonObject): boolean =>
  kindOf(object) === 'Namespace' &&
  Object.keys(object).every((field) => ['apiVersion', 'kind', 'metadata'].includes(field)) &&
  Object.keys(asObject(object['metadata'])).every((field) => field === 'name' || field === 'labels');

interface PackedCases {
  readonly before: readonly JsonObject[];
  readonly cases: readonly ImportedCase[];
}

interface PackedWorld {
  readonly stored: Map<string, JsonObject>;
  /** Keys of objects that steps create. */
  readonly created: Set<string>;
  readonly cases: ImportedCase[];
}

/** Puts each case into the first world where its names are free. */
function packCases(cases: readonly ImportedCase[]): readonly PackedCases[] {
  const worlds: PackedWorld[] = [];
  for (const one of cases) {
    const { before, steps } = one;
    const created = steps.flatMap(({ create }) => (isJsonObject(create) ? [objectKey(create)] : []));
    const fits = worlds.find(
      (world) =>
        before.every(
          (object) => isSame(world.stored.get(objectKey(object)), object) && !world.created.has(objectKey(object)),
        ) && !created.some((key) => world.stored.has(key)),
    );
    const world = fits ?? { stored: new Map<string, JsonObject>(), created: new Set<string>(), cases: [] };
    if (fits === undefined) worlds.push(world);
    for (const object of before) world.stored.set(objectKey(object), object);
    for (const key of created) world.created.add(key);
    world.cases.push(one);
  }
  return worlds.map((world) => ({ before: [...world.stored.values()], cases: world.cases }));
}

const isSame = (there: JsonObject | undefined, wanted: JsonObject): boolean =>
  there === undefined || sameJson(there, wanted);
