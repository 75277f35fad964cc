/** Calls `make` at the first use and caches the result. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Calls `read` once per object, which must not change. */
export function readOnce<Key extends object, T>(read: (object: Key) => T): (object: Key) => T {
  const known = new WeakMap<Key, { readonly value: T }>();
  return (object) => {
    const found = known.get(object) ?? { value: read(object) };
    known.set(object, found);
    return found.value;
  };
}
