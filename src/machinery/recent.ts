/** What was made of objects that were met lately. It keeps none of them alive. */
export interface Recent<Value> {
  readonly get: (object: object) => Value | undefined;
  readonly put: (object: object, value: Value) => void;
}

/** Values that weigh at most so much together: with one more all are forgotten, and it begins anew. */
export function createRecent<Value>(most: number, weigh: (value: Value) => number): Recent<Value> {
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
