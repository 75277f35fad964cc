const watched = {
  Object,
  Array,
  String,
  Number,
  Boolean,
  Function,
  RegExp,
  Date,
  Map,
  Set,
  Error,
  Promise,
  Uint8Array,
};
const prototypes = new Map(Object.entries(watched).map(([name, { prototype }]) => [name, prototype]));

/** Everything that the built-in prototypes have, `Object.prototype.toString` and so on. */
export const ownKeys = () =>
  [...prototypes].flatMap(([name, one]) => Reflect.ownKeys(one).map((key) => `${name}.prototype.${String(key)}`));
