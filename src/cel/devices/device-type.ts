import type { FieldsOf } from '../check/environment.ts';
import { anyType, boolType, mapType, stringType, structType } from '../check/type.ts';
import type { Type } from '../check/type.ts';
import type { Path, SizeAt } from '../estimate/estimator.ts';

/** A value of a device, and the longest that it can be. */
interface Sized {
  readonly type: Type;
  readonly most: number;
  readonly key?: Sized;
  readonly element?: Sized;
}

const text = (most: number): Sized => ({ type: stringType, most });
const domain = text(63);
const id = text(32);
const attribute: Sized = { type: anyType, most: 64 };
const quantity: Sized = { type: structType('kubernetes.Quantity'), most: 0 };
const mostNames = 32;

const map = (key: Sized, element: Sized): Sized => ({
  type: mapType(key.type, element.type),
  most: mostNames,
  key,
  element,
});

const allowMultiple = 'allowMultipleAllocations';

const fields: ReadonlyMap<string, Sized> = new Map([
  ['driver', text(63)],
  [allowMultiple, { type: boolType, most: 1 }],
  ['attributes', map(domain, map(id, attribute))],
  ['capacity', map(domain, map(id, quantity))],
]);

export const deviceType = structType('kubernetes.DRADevice');

/** `isShared`: may devices say that several claims get them? Follows dynamic-resource-allocation cel/compile.go. */
export const deviceFields =
  (isShared: boolean): FieldsOf =>
  (field) =>
    field === allowMultiple && !isShared ? undefined : fields.get(field)?.type;

/** How long what is found at a path of `device` can be. Follows its sizeEstimator. */
export const deviceSizes: SizeAt = ([variable, first, ...steps]: Path) => {
  if (variable !== 'device') return undefined;
  let at = first === undefined ? whole : fields.get(first);
  for (const step of steps) at = at && inside(at, step);
  return at && { min: 0n, max: BigInt(at.most) };
};

const whole: Sized = { type: deviceType, most: 0 };

/** Attributes are as long as each other, whatever their names. */
function inside({ key, element }: Sized, step: string): Sized | undefined {
  if (step === '@keys') return key;
  return step === '@items' || step === '@values' || element === attribute ? element : undefined;
}
