import { sameJson } from '../../machinery/json/json-equal.ts';
import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { ImportedCase } from './imported-test.ts';
import { keyOf } from './objects.ts';

/** Cases that can share a world, with all that is stored in it before their steps. */
export interface PackedCases {
  readonly before: readonly JsonObject[];
  readonly steps: readonly JsonObject[];
}

interface PackedWorld {
  readonly stored: Map<string, JsonObject>;
  /** Keys of what the steps create: a name that is stored is taken. */
  readonly created: Set<string>;
  readonly steps: JsonObject[];
}

/** Puts each case into the first world in which nothing else is stored under one of its names. */
export function packCases(cases: readonly ImportedCase[]): readonly PackedCases[] {
  const worlds: PackedWorld[] = [];
  for (const { before, steps } of cases) {
    const created = steps.flatMap(({ create }) => (isJsonObject(create) ? [keyOf(create)] : []));
    const fits = worlds.find(
      (world) =>
        before.every((one) => isSame(world.stored.get(keyOf(one)), one) && !world.created.has(keyOf(one))) &&
        !created.some((key) => world.stored.has(key)),
    );
    const world = fits ?? { stored: new Map<string, JsonObject>(), created: new Set<string>(), steps: [] };
    if (fits === undefined) worlds.push(world);
    for (const one of before) world.stored.set(keyOf(one), one);
    for (const key of created) world.created.add(key);
    world.steps.push(...steps);
  }
  return worlds.map(({ stored, steps }) => ({ before: [...stored.values()], steps }));
}

const isSame = (there: JsonObject | undefined, wanted: JsonObject): boolean =>
  there === undefined || sameJson(there, wanted);
