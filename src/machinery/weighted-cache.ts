/** A cache of values computed from objects. It keeps no object alive. */
export interface WeightedCache<Value> {
  readonly get: (object: object) => Value | undefined;
  readonly put: (object: object, value: Value) => void;
}

/** Drops all values when their total weight exceeds `most`. */
export function createWeightedCache<Value>(most: number, weigh: (value: Value) => number): WeightedCache<Value> {
  let values = new WeakMap<object, Value>();
  let weight = 0;
  return {
    get: (object) => values.get(object),
    put: (object, value) => {
      weight += weigh(value);
      if (weight > most) {
        values = new WeakMap();
        weight = weigh(value);
      }
      values.set(object, value);
    },
  };
}
