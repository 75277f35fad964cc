/** Has an event come where it has to be? A promise is waited for. */
export type Stored = boolean | Promise<boolean>;

/** Have all? Nobody waits unless one of them has to be waited for. */
export function allStored(all: readonly Stored[]): Stored {
  const waiting = all.filter((one) => typeof one !== 'boolean');
  if (all.includes(false)) return waiting.length === 0 ? false : Promise.all(waiting).then(() => false);
  return waiting.length === 0 || Promise.all(waiting).then((stored) => !stored.includes(false));
}
