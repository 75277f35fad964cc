import { sameJson } from '../apimachinery/json-equal.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import type { ImportedCase } from './imported-test.ts';
import { keyOf } from './objects.ts';

/** Cases that can share a world, with all that is stored in it before their steps. */
export interface PackedCases {
  readonly before: readonly JsonObject[];
  readonly steps: readonly JsonObject[];
}

/** Puts each case into the first world in which nothing of another kind is stored under one of its names. */
export function packCases(cases: readonly ImportedCase[]): readonly PackedCases[] {
  const worlds: { readonly stored: Map<string, JsonObject>; readonly steps: JsonObject[] }[] = [];
  for (const { before, steps } of cases) {
    const fits = worlds.find(({ stored }) => before.every((one) => isSame(stored.get(keyOf(one)), one)));
    const world = fits ?? { stored: new Map<string, JsonObject>(), steps: [] };
    if (fits === undefined) worlds.push(world);
    for (const one of before) world.stored.set(keyOf(one), one);
    world.steps.push(...steps);
  }
  return worlds.map(({ stored, steps }) => ({ before: [...stored.values()], steps }));
}

const isSame = (there: JsonObject | undefined, wanted: JsonObject): boolean =>
  there === undefined || sameJson(there, wanted);
